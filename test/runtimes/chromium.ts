import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** The first takes half the time of the second. */
const USUAL_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.PLUMECAST_CHROMIUM ?? USUAL_PATHS.find((path) => existsSync(path)) ?? USUAL_PATHS[1];

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

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * Serves files by their path, all with the same headers, opens the page `/` in a context of its own and evaluates an
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
  const context = await openContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await page.evaluate<T>(expression);
  } finally {
    await context.close();
    server.close();
  }
}

let started: Promise<Browser> | undefined;

/**
 * Opens a context, with a profile of its own, in the Chromium of this process, which is started for the first one. The
 * files of tests that run in the process share it, as a start takes as long as many tests; it ends with the process.
 */
export async function openContext(): Promise<BrowserContext> {
  if (started !== undefined && !(await started).isConnected()) started = undefined;
  started ??= chromium.launch({ executablePath, args: flags });
  const context = await (await started).newContext();
  // Pages have as long as the tests.
  context.setDefaultTimeout(120_000);
  return context;
}
