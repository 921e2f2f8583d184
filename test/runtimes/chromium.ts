import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const executablePath = process.env.PLUMECAST_CHROMIUM ?? '/usr/bin/chromium';

/** The reason why there is no Chromium; undefined where there is one. */
export const chromiumAbsent = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath}; PLUMECAST_CHROMIUM names another`;

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How Chromium is started. */
export const CHROMIUM = { executablePath, args: flags };

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Serves files by their path, all with the same headers, opens the page `/` in a Chromium of its own and evaluates an
 * expression there.
 */
export async function evaluateInChromium<T>(
  files: ReadonlyMap<string, PageFile>,
  expression: string,
  headers: Record<string, string> = {},
): Promise<T> {
  const page = { type: 'text/html', body: Buffer.from('<!doctype html><title>plumecast</title>') };
  const server = createServer((request, response) => {
    const file = request.url === '/' ? page : files.get(request.url ?? '');
    const type = { 'Content-Type': file?.type ?? 'text/plain' };
    response.writeHead(file ? 200 : 404, { ...headers, ...type }).end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { browser, close } = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await page.evaluate<T>(expression);
  } finally {
    await close();
    server.close();
  }
}

/** Starts a Chromium with a profile of its own, which is removed when it is closed. */
export async function openChromium(): Promise<{ browser: BrowserContext; close(): Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'plumecast-chromium-'));
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: flags });
  return {
    browser,
    close: async () => {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
