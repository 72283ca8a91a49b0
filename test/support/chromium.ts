import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian puts it. */
const PROGRAM = '/usr/bin/chromium';

/** True if this machine has a Chromium. Without one, tests that need it skip visibly, but not in CI. */
export const hasChromium = existsSync(PROGRAM) || process.env['CI'] !== undefined;

/** Starts a browser with an empty profile that asks no other server for anything. */
export async function startChromium(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return await chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', ...quiet],
  });
}
