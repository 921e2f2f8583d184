import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { root } from '../runtimes/bundle.js';
import { openContext } from '../runtimes/chromium.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** The explorer in a browser: one profile and tab for all tests of a file, as the process of a tab takes as long to start as the page. */
export interface Explorer {
  /** Opens the page with the part of its address after #; `extra` are files beside it. Fails tests by page errors. */
  open(hash?: string, extra?: Readonly<Record<string, Uint8Array | string>>): Promise<Page>;
  /** Offers other files beside the page. */
  offer(extra: Readonly<Record<string, Uint8Array | string>>): void;
  /** What pages reported as errors, and requests to other hosts, since the last `open`. */
  readonly faults: string[];
  readonly address: string;
}

/** Starts a static server of the built page, and opens a profile of the browser, for the tests of a file. */
export function useExplorer(): Explorer {
  let address = '';
  let beside: Readonly<Record<string, Uint8Array | string>> = {};
  const faults: string[] = [];
  let context: BrowserContext;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname === '/' ? 'index.html' : decodeURIComponent(pathname.slice(1));
    const body = beside[name] ?? (await readFile(join(root, 'dist', 'explorer', name)).catch(() => undefined));
    const type = { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' };
    const keep = name.endsWith('.js') ? { 'cache-control': 'max-age=3600' } : {};
    response.writeHead(body === undefined ? 404 : 200, { ...type, ...keep }).end(body);
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    context = await openContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => {
    await context?.close();
    server.close();
  });
  return {
    faults,
    get address() {
      return address;
    },
    offer(extra) {
      beside = extra;
    },
    async open(hash = '', extra = {}) {
      faults.length = 0;
      beside = extra;
      const page = await emptyTab(context);
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        // Whether there are other settings, or a store of another version, is seen by asking.
        const isAbsent = /\/(explorer\.json|zarr\.json|\.zmetadata|\.zgroup|\.zarray)$/.test(message.location().url);
        if (message.type() === 'error' && !isAbsent) faults.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(address) && !request.url().startsWith('blob:')) faults.push(request.url());
      });
      await page.goto(address + hash);
      await page.locator('.card, .note').first().waitFor();
      return page;
    },
  };
}

/** The tab of a profile, with nothing in it of the test before. */
async function emptyTab(context: BrowserContext): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(60_000);
  page.removeAllListeners();
  await page.goto('about:blank');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: null });
  await page.mouse.move(0, 0);
  return page;
}

/** The chart whose heading begins with a text. */
export function chartOf(page: Page, heading: string): Locator {
  return page.locator('article.chart').filter({ has: page.getByRole('heading', { name: heading }) });
}

/** The name of the data that are shown, once it is this one. */
export function dataNamed(page: Page, name: string): Locator {
  return page.locator('.data-name').filter({ hasText: name });
}

/** The rows of the table behind a chart, each as texts by the titles of columns. */
export async function tableOf(chart: Locator): Promise<Record<string, string>[]> {
  const values = chart.locator('details.values');
  if ((await values.getAttribute('open')) === null) await values.locator('summary').click();
  await values.locator('table').waitFor();
  return values.locator('table').evaluate((table) => {
    const texts = (row: Element) => Array.from(row.children, (cell) => cell.textContent ?? '');
    const [head, ...rows] = Array.from(table.querySelectorAll('tr'), texts);
    return rows.map((row) => Object.fromEntries(head.map((title, c) => [title, row[c]])));
  });
}

/** Sets a slider as a drag does. */
export async function drag(slider: Locator, value: number): Promise<void> {
  await slider.evaluate((input: HTMLInputElement, to) => {
    input.value = String(to);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
}
