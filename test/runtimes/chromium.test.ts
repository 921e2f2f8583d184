import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { bundleSuite, root } from './bundle.js';
import type { CheckResult } from './core-suite.js';
import { describeSuite } from './describe-suite.js';

const executablePath = process.env.PLUMECAST_CHROMIUM ?? '/usr/bin/chromium';
const absent = existsSync(executablePath)
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

describeSuite('headless Chromium', absent, async () => {
  const folder = await bundleSuite('chromium', 'browser-suite.ts', { platform: 'browser' });
  const files = new Map([
    ['/', { type: 'text/html', body: Buffer.from('<!doctype html><title>plumecast</title>') }],
    ['/suite.js', { type: 'text/javascript', body: await readFile(join(folder, 'suite.js')) }],
    ['/plumecast.wasm', { type: 'application/wasm', body: await readFile(join(root, 'dist', 'plumecast.wasm')) }],
  ]);
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    response.writeHead(file ? 200 : 404, { 'Content-Type': file?.type ?? 'text/plain' }).end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = await mkdtemp(join(tmpdir(), 'plumecast-chromium-'));
  const browser = await chromium.launchPersistentContext(profile, { executablePath, args: flags });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await page.evaluate<CheckResult[]>("import('/suite.js').then((suite) => suite.run())");
  } finally {
    await browser.close();
    server.close();
    await rm(profile, { recursive: true, force: true });
  }
});
