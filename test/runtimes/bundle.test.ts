import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { loadCore, statistics } from '../../src/index.js';
import { chromiumAbsent, openContext } from './chromium.js';

const path = fileURLToPath(new URL('../../dist/bundle.js', import.meta.url));

it('the bundle imports nothing', async () => {
  const imported: string[] = [];
  await build({
    entryPoints: [path],
    ...{ bundle: true, write: false, logLevel: 'error', format: 'esm', platform: 'browser' },
    plugins: [
      {
        name: 'imports',
        setup: ({ onResolve }) => {
          onResolve({ filter: /./ }, ({ path: name, kind }) => {
            if (kind !== 'entry-point') imported.push(name);
            return kind === 'entry-point' ? undefined : { path: name, external: true };
          });
        },
      },
    ],
  });
  expect(imported).toEqual([]);
});

/** What pages do with the bundle: statistics, an Arrow stream and back, and pictures. */
const USE = `
  const core = await loadCore();
  const table = demoTable('precipitation', { days: 28, members: 5 });
  const weekly = statistics(core, tableFromIPC(tableToIPC(table)), { granularity: 'weekly' });
  const locations = [50, 51].flatMap((latitude) => [5, 6].map((longitude) => ({ latitude, longitude })));
  const places = statistics(core, demoTable('temp_mean', { days: 7, members: 3, locations }));
  document.body.innerHTML = meteogram({ statistics: weekly }) + weatherMap(mapField(places));
  window.means = weekly.toArray().map((row) => row.mean);
`;
const NAMES = 'loadCore, demoTable, statistics, tableFromIPC, tableToIPC, meteogram, weatherMap, mapField';

const PAGES: Readonly<Record<string, string>> = {
  '/script': `<script type="module">import { ${NAMES} } from './bundle.js';${USE}</script>`,
  '/map': `<script type="importmap">{ "imports": { "plumecast": "./bundle.js" } }</script>
    <script type="module">import { ${NAMES} } from 'plumecast';${USE}</script>`,
  '/dynamic': `<script type="module">const { ${NAMES} } = await import('./bundle.js');${USE}</script>`,
  // As notebooks of Observable do it: the bundle is on another origin, which allows this (CORS).
  '/elsewhere': `<script type="module">const { ${NAMES} } = await import('ELSEWHERE/bundle.js');${USE}</script>`,
};

describe.skipIf(chromiumAbsent !== undefined)(
  `in Chromium${chromiumAbsent ? ` (skipped: ${chromiumAbsent})` : ''}`,
  () => {
    let server: Server;
    let elsewhere: Server;
    const addressOf = (one: Server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
    const serve = async (one: Server) => {
      await new Promise<void>((listening) => one.listen(0, '127.0.0.1', listening));
      return one;
    };
    beforeAll(async () => {
      const bundle = readFileSync(path);
      const type = { 'content-type': 'text/javascript' };
      elsewhere = await serve(
        createServer((_, response) => {
          response.writeHead(200, { ...type, 'access-control-allow-origin': '*' }).end(bundle);
        }),
      );
      server = await serve(
        createServer(({ url = '' }, response) => {
          const page = PAGES[url]?.replace('ELSEWHERE', addressOf(elsewhere));
          response.writeHead(200, page === undefined ? type : { 'content-type': 'text/html; charset=utf-8' });
          response.end(page === undefined ? bundle : `<!doctype html><title>x</title><body>${page}</body>`);
        }),
      );
    });
    afterAll(() => {
      server.close();
      elsewhere.close();
    });

    it.each(Object.keys(PAGES))('computes and draws on a page without a bundler: %s', async (name) => {
      const context = await openContext();
      const page = await context.newPage();
      const errors: string[] = [];
      const failed = new Promise<never>((_, reject) =>
        page.on('pageerror', (error) => {
          errors.push(error.message);
          reject(error);
        }),
      );
      await page.goto(`${addressOf(server)}${name}`);
      const computed = page.waitForFunction('window.means').then((value) => value.jsonValue());
      const means = await Promise.race([computed, failed]);
      const table = demoTable('precipitation', { days: 28, members: 5 });
      const expected = statistics(await loadCore(), table, { granularity: 'weekly' });
      expect(means).toEqual(expected.toArray().map((row) => row.mean));
      expect(await page.$$eval('svg.plumecast-plot', (pictures) => pictures.length)).toBe(2);
      expect(errors).toEqual([]);
      await context.close();
    });
  },
);
