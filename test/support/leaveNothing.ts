import { afterAll, expect, vi } from 'vitest';

/** What keeps a process busy: servers, child processes and watched files. */
const LASTING: readonly string[] = ['FSEventWrap', 'ProcessWrap', 'TCPServerWrap'];

/** What a file of tests could leave behind for the next file in its process. */
function traces(): object {
  // Powertools writes this mark when it is loaded, which happens once in a process.
  const { AWS_SDK_UA_APP_ID: _mark, ...environment } = process.env;
  return {
    environment,
    globals: { Date, fetch, setTimeout, setInterval, setImmediate, queueMicrotask },
    directory: process.cwd(),
    lasting: process.getActiveResourcesInfo().filter((name) => LASTING.includes(name)),
  };
}

const before = traces();
// A server that was told to stop is gone a moment later.
afterAll(() => vi.waitFor(() => expect(traces()).toEqual(before), { timeout: 10_000 }));
