import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reading } from './blob-suite.js';
import { bundleSuite, root } from './bundle.js';
import { chromiumAbsent, evaluateInChromium, type PageFile } from './chromium.js';

const isAbsent = chromiumAbsent !== undefined && !process.env.PLUMECAST_REQUIRE_RUNTIMES;
const type = 'text/javascript';

describe.skipIf(isAbsent)(
  `threads that read a Blob in Chromium${isAbsent ? ` (skipped: ${chromiumAbsent})` : ''}`,
  () => {
    const files = new Map<string, PageFile>();
    const run = (threads: readonly number[], names: readonly string[] | undefined, policy?: string) =>
      evaluateInChromium<Record<string, Reading[]>>(
        files,
        `import('/suite.js').then((suite) => suite.run([${threads}], ${JSON.stringify(names)}))`,
        policy === undefined ? {} : { 'Content-Security-Policy': policy },
      );
    let readings: Record<string, Reading[]>;
    beforeAll(async () => {
      const folder = await bundleSuite('blob', 'blob-suite.ts', { platform: 'browser' });
      files.set('/suite.js', { type, body: await readFile(join(folder, 'suite.js')) });
      files.set('/parts-worker.js', { type, body: await readFile(join(root, 'dist', 'parts-worker.js')) });
      readings = await run([1, 2, 4], undefined);
    }, 120_000);

    it.each([
      ['csv', undefined],
      ['parquet', undefined],
      ['cellTooMany', /^DataError: cellTooMany, row \d{6}: has /],
      ['lateEncoding', undefined],
      ['damaged', /^FormatError: damaged/],
    ])('%s: tables and errors do not depend on the number of threads', (name, error) => {
      const [one, ...others] = readings[name];
      expect(one.parts).toBe(0);
      expect(one.tables.length).toBeGreaterThan(1);
      if (error === undefined) expect(one.error).toBeUndefined();
      else expect(one.error).toMatch(error);
      for (const { tables, error, parts } of others) {
        expect({ tables, error }).toEqual({ tables: one.tables, error: one.error });
        expect(parts).toBeGreaterThan(0);
      }
    });

    describe('the calling thread reads all parts', () => {
      const expectOneThread = (found: Record<string, Reading[]>, names: readonly string[]) => {
        expect(found).toEqual(Object.fromEntries(names.map((name) => [name, [readings[name][0]]])));
      };

      it('where the policy of the page forbids workers', async () => {
        const names = ['csv', 'damaged'];
        expectOneThread(await run([2], names, "worker-src 'none'"), names);
      });

      it.each([
        ['is missing', undefined],
        [
          'fails at its first part',
          "onmessage = () => { postMessage('ready'); onmessage = () => { throw Error('no') }; }",
        ],
      ])(
        'where the script of the worker %s',
        async (_, text) => {
          const script = files.get('/parts-worker.js') as PageFile;
          if (text === undefined) files.delete('/parts-worker.js');
          else files.set('/parts-worker.js', { type, body: Buffer.from(text) });
          const names = ['cellTooMany', 'parquet'];
          expectOneThread(await run([3], names).finally(() => files.set('/parts-worker.js', script)), names);
        },
        60_000,
      );
    });
  },
);
