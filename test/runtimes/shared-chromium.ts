import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { CHROMIUM } from './chromium.js';

/** One Chromium for all tests of a file: opens a page in it. It is started with the first page. */
export function sharedChromium(): () => Promise<Page> {
  let browser: Promise<Browser> | undefined;
  afterAll(async () => (await browser)?.close());
  return async () => {
    browser ??= chromium.launch(CHROMIUM);
    const context = await (await browser).newContext();
    return context.newPage();
  };
}
