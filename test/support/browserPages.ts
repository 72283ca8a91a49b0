import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { startChromium } from './chromium.ts';

/** Long enough for a busy machine; each test goes on with what it waits for. */
export const WAIT_MS = 60_000;

/** Starts a browser before the tests of the calling `describe` and ends it after them. A page closes with the test that opened it. */
export function browserPages(): { readonly openPage: (address: string) => Promise<Page> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());
  return {
    openPage: async (address) => {
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      const page = await context.newPage();
      page.setDefaultTimeout(WAIT_MS);
      await page.goto(address);
      return page;
    },
  };
}
