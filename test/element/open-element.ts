import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { dayNumber } from '../../src/calendar.js';
import type { PlumeChart } from '../../src/element/index.js';
import { createHandler, memoryKeys, PlaceIndex } from '../../src/service/index.js';
import { root } from '../runtimes/bundle.js';
import { openContext } from '../runtimes/chromium.js';

/** What test/element/page.ts puts into the page. */
interface PageTools {
  define(): void;
  add(attributes: Readonly<Record<string, string>>, table?: string, headers?: Record<string, string>): Promise<void>;
  table(name: string): Promise<NonNullable<PlumeChart['table']>>;
  time(table: string): Promise<number>;
  readonly events: { readonly type: string; readonly detail: { readonly message?: string; readonly text?: string } }[];
}

declare global {
  interface Window {
    readonly tools: PageTools;
  }
}

/** Pages with elements in a browser. */
export interface ElementPages {
  /** Opens a page that has the tools; `element` says whether it is defined. */
  open(options?: { readonly isDefined?: boolean; readonly script?: string; readonly width?: number }): Promise<Page>;
  /** Files beside the page, by name. */
  readonly files: Map<string, Uint8Array | string>;
  /** Answers that wait: the requested paths, and which of them the page has given up. */
  readonly slow: { readonly requested: string[]; readonly aborted: string[]; release(): void };
  /** What the page reported as errors. */
  readonly faults: string[];
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.json': 'application/json', '.html': 'text/html' };

/** As strict as pages may be: no inline styles or scripts. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';";

const axis = { firstDay: dayNumber(2026, 3, 2), days: 28, members: 5 };
const timeline = {
  revision: 'run-1',
  places: new PlaceIndex({ latitude: Float64Array.of(37.25, 37.5), longitude: Float64Array.of(-80, -80) }),
  variables: new Map([
    ['precipitation', axis],
    ['temp_mean', axis],
  ]),
  async read(slug: string, _cell: number, into: Float32Array) {
    for (let i = 0; i < into.length; i++)
      into[i] = slug === 'temp_mean' ? 5 + Math.sin(i) * 4 : Math.max(0, Math.sin(i * 7) * 9);
  },
};
const handler = createHandler({
  source: {
    snapshot: () => ({
      forecast: { initTime: '2026-03-02T00:00:00Z', version: 'model-1', generation: 'run-1', timeline, horizons: {} },
    }),
  } as never,
  keys: memoryKeys([{ id: 'key-1', owner: 'me', downscaling: false, key: 'a key' }]),
});

/** Builds the scripts of the pages, and serves them with the service and files of tests. */
export function useElementPages(): ElementPages {
  const folder = join(root, 'build', 'element');
  const files = new Map<string, Uint8Array | string>();
  const faults: string[] = [];
  let waiting: (() => void)[] = [];
  const slow = {
    requested: [] as string[],
    aborted: [] as string[],
    release() {
      for (const answer of waiting) answer();
      waiting = [];
    },
  };
  let address = '';
  let context: BrowserContext;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname.startsWith('/v2/')) {
      const answer = await handler(new Request(url, { headers: request.headers as Record<string, string> }));
      response.writeHead(answer.status, Object.fromEntries(answer.headers.entries()));
      return response.end(new Uint8Array(await answer.arrayBuffer()));
    }
    const name = decodeURIComponent(url.pathname.slice(1));
    if (name.startsWith('slow/')) {
      slow.requested.push(name);
      response.on('close', () => {
        if (!response.writableEnded) slow.aborted.push(name);
      });
      await new Promise<void>((release) => waiting.push(release));
    }
    const script = /^page-(\w+(?:-\w+)?)$/.exec(name)?.[1];
    const body =
      script === undefined
        ? (files.get(name.replace('slow/', '')) ?? (await readFile(join(folder, name)).catch(() => undefined)))
        : `<!doctype html><html lang="en"><title>Chart</title><body><main id="root"></main><script type="module" src="${script}.js"></script></body></html>`;
    const type = script === undefined ? (TYPES[extname(name)] ?? 'application/octet-stream') : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': type,
      ...(script !== undefined && { 'content-security-policy': POLICY }),
    });
    response.end(body);
  });
  beforeAll(async () => {
    await mkdir(folder, { recursive: true });
    await build({
      entryPoints: ['page.ts', 'react-page.tsx', 'react-first.tsx'].map((name) => join(root, 'test', 'element', name)),
      ...{ outdir: folder, bundle: true, splitting: true, format: 'esm', target: 'es2022', platform: 'browser' },
      // Without the paths of tsconfig.json, which lead to src/.
      ...{ tsconfigRaw: { compilerOptions: { jsx: 'react-jsx' } }, logLevel: 'error', minify: true },
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    context = await openContext();
  });
  afterAll(async () => {
    slow.release();
    await context?.close();
    server.close();
  });
  return {
    ...{ files, slow, faults },
    async open({ isDefined = true, script = 'page', width = 768 } = {}) {
      faults.length = 0;
      slow.requested.length = 0;
      slow.aborted.length = 0;
      for (const before of context.pages()) await before.close();
      const page = await context.newPage();
      await page.setViewportSize({ width, height: 800 });
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
      });
      await page.goto(`${address}page-${script}`);
      if (script === 'page' && isDefined) await page.evaluate(() => window.tools.define());
      return page;
    },
  };
}
