import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasChromium, startChromium } from '../support/chromium.ts';
import { writeFlameGraphs } from './writeFlameGraphs.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'driftless-flames-'));
});

afterEach(() => rm(directory, { recursive: true }));

async function profileOfSomeWork(): Promise<string> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  for (let sum = 0, index = 0; index < 1e6; index += 1) sum += Math.sqrt(index);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return JSON.stringify(profile);
}

test.skipIf(!hasChromium)(
  'each CPU profile of a directory gets a page that a browser shows as a flame graph',
  async () => {
    await writeFile(join(directory, 'server.cpuprofile'), await profileOfSomeWork());
    await writeFile(join(directory, 'notes.txt'), 'no profile');
    const pages = writeFlameGraphs(directory);
    expect(pages).toEqual([join(directory, 'server.html')]);
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(pages[0] ?? '').href);
      // Speedscope names the profile in the title once it has drawn it.
      await page.waitForFunction("document.title.includes('server.cpuprofile') && document.querySelector('canvas')");
    } finally {
      await browser.close();
    }
  },
);
