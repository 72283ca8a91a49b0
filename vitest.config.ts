import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // CI's machines are shared: what fails once there is tried once more, and reported as such.
    retry: process.env['CI'] ? 1 : 0,
    // Two cores: more workers than that only make the slow tests slower.
    maxWorkers: 2,
  },
});
