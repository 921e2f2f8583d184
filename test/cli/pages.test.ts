import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type RunningServer } from '../../src/cli/http-server.js';
import { pageFile } from '../../src/cli/pages/page-files.js';
import { type PageOptions, withPages } from '../../src/cli/pages/pages.js';
import { memoryService } from '../client/memory-service.js';
import { chromiumAbsent, openContext } from '../runtimes/chromium.js';

const plain: PageOptions = { basePath: '', explorer: true, docs: true, key: 'demo' };
const servers: RunningServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop(0))));

/** Starts a service that answers 404 to all, but for its OpenAPI document with a hostile title, with pages. */
async function start(options: Partial<PageOptions> = {}): Promise<string> {
  const listener = await withPages(
    ({ url }, response) => {
      const isDocument = url?.endsWith('/openapi.json');
      response.writeHead(isDocument ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isDocument ? OPENAPI : { service: url }));
    },
    { ...plain, ...options },
  );
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  servers.push(server);
  return server.address;
}

const REAL = await (await memoryService().handler(new Request('http://localhost/openapi.json'))).json();
const OPENAPI = { ...REAL, info: { ...REAL.info, title: '<img src=x onerror=alert(1)>' } };

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Sends a path as it is written: `fetch` would resolve dots in it. */
function send(address: string, path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    })
      .once('error', reject)
      .end();
  });
}

let address: string;
beforeAll(async () => {
  address = await start();
});

it('serves a page, its configuration and the reference with their policies', async () => {
  const page = await send(address, '/');
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const reference = await send(address, '/docs');
  expect([reference.status, reference.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const { headers } of [page, reference]) {
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
  const config = await send(address, '/explorer.json');
  expect(JSON.parse(config.text)).toEqual({ server: '/', key: 'demo', file: null });
  const script = await send(address, '/docs/swagger-ui-bundle.js');
  expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
});

it('answers HEAD without a body, a known tag with 304, and other methods with 405', async () => {
  const { headers, text } = await send(address, '/docs');
  const head = await send(address, '/docs', 'HEAD');
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(text.length)]);
  const etag = String(headers.etag);
  const same = await send(address, '/docs', 'GET', { 'if-none-match': `"other", W/${etag}` });
  expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag]);
  expect((await send(address, '/docs', 'GET', { 'if-none-match': '"other"' })).status).toBe(200);
  const post = await send(address, '/', 'POST');
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  expect(JSON.parse(post.text)).toMatchObject({ status: 405, code: 'method-not-allowed', instance: '/' });
});

it.each(['/docs/../package.json', '/docs/%2e%2e/cli.js', '/../package.json', '/docs/LICENSE', '//', '/v2/forecast'])(
  'leaves %s to the service',
  async (path) => {
    const { status, text } = await send(address, path);
    expect([status, JSON.parse(text)]).toEqual([404, { service: path }]);
  },
);

it('has none of the pages that are switched off', async () => {
  const without = await start({ explorer: false, docs: false });
  for (const path of ['/', '/explorer.json', '/docs', '/docs/start.js']) {
    expect(await send(without, path)).toMatchObject({ status: 404, text: JSON.stringify({ service: path }) });
  }
});

it('is below the path of the service, and logs requests for pages', async () => {
  const records: object[] = [];
  const below = await start({ basePath: '/weather', key: undefined, onRequest: (record) => records.push(record) });
  expect(await send(below, '/weather')).toMatchObject({ status: 308, headers: { location: '/weather/' } });
  expect(JSON.parse((await send(below, '/weather/explorer.json')).text)).toEqual({
    ...{ server: '/weather/', key: null, file: null },
  });
  expect((await send(below, '/weather/docs')).text).toContain('src="/weather/docs/start.js"');
  expect((await send(below, '/')).status).toBe(404);
  expect(records).toEqual(
    [308, 200, 200].map((status) => expect.objectContaining({ method: 'GET', status, bytes: expect.any(Number) })),
  );
});

it('tags of files change with their bytes', () => {
  expect(pageFile('a.js', 'x').etag).toMatch(/^"[\w-]{22}"$/);
  expect(pageFile('a.js', 'x').etag).toBe(pageFile('b.js', 'x').etag);
  expect(pageFile('a.js', 'x').etag).not.toBe(pageFile('a.js', 'y').etag);
});

/** What axe finds wrong that is serious. */
async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async () => {
    type Violation = { id: string; impact: string; nodes: { html: string }[] };
    type Axe = { run(): Promise<{ violations: Violation[] }> };
    // Buttons change their colours slowly.
    for (const animation of document.getAnimations()) animation.finish();
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

describe.skipIf(chromiumAbsent !== undefined)(
  `in Chromium${chromiumAbsent ? ` (skipped: ${chromiumAbsent})` : ''}`,
  () => {
    it('the reference shows the endpoints, loads nothing from elsewhere, and breaks no policy', async () => {
      const context = await openContext();
      const page = await context.newPage();
      const [outside, complaints]: string[][] = [[], []];
      page.on('request', (sent) => {
        const url = sent.url();
        if (!url.startsWith(address) && !url.startsWith('data:')) outside.push(url);
      });

      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('dialog', (dialog) => complaints.push(dialog.message()));
      await page.goto(`${address}/docs`);
      await page.waitForSelector('.opblock');
      expect(await page.textContent('.opblock')).toContain('/v2/forecast');
      // The key of the demo is filled in.
      await page.waitForSelector('.opblock .authorization__btn .locked');
      const lock = await page.locator('.btn.authorize svg path').evaluate((path) => getComputedStyle(path).fill);
      expect(lock).toBe('rgb(29, 122, 76)');
      expect([outside, complaints]).toEqual([[], []]);
      await page.locator('.opblock-summary-control').nth(1).click();
      await page.locator('td.header-col').first().waitFor();
      await page.locator('.opblock-summary-control').first().click();
      await page.locator('.btn.execute').first().click();
      await page.locator('pre.curl').waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      // As its script does where the system is dark.
      await page.evaluate(() => document.documentElement.classList.add('dark-mode'));
      await page.locator('.btn.authorize').click();
      await page.locator('.close-modal').waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      await context.close();
    });
  },
);
