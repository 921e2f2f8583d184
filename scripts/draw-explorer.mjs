/**
 * A picture of the explorer with the sample, as a JPEG; undefined where there is no Chromium. It is for people: what the
 * page shows is compared by the tests.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { chromium } from 'playwright-core';

const USUAL_PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const VIEW = '#by=weekly&normal=on';

export async function drawExplorer() {
  const executablePath = process.env.PLUMECAST_CHROMIUM ?? USUAL_PATHS.find((path) => existsSync(path));
  if (executablePath === undefined) return undefined;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const body = await readFile(new URL(`../dist/explorer/${name}`, import.meta.url)).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': TYPES[extname(name)] ?? 'text/plain' });
    response.end(body);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const size = { width: 1180, height: 840 };
    const page = await browser.newPage({ viewport: size, colorScheme: 'light' });
    await page.goto(`http://127.0.0.1:${server.address().port}/${VIEW}`);
    await page.locator('article.chart path.climate').nth(1).waitFor();
    return await page.screenshot({ type: 'jpeg', quality: 78 });
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}
