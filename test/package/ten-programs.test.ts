import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { type DemoTableOptions, demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';
import { chromiumAbsent, evaluateInChromium, type PageFile } from '../runtimes/chromium.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/programs.md'), 'utf8');
/** The programs by their number: their scripts, and what they print. */
const programs = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('.')[0], section] as const),
);
const scriptsOf = (section = '') => [...section.matchAll(/```js\n([^`]*)```/g)].map(([, code]) => code);
const printedBy = (number: string) =>
  /```text\n([^`]*)```/
    .exec(programs.get(number) ?? '')?.[1]
    .trim()
    .split('\n');

const folder = mkdtempSync(join(tmpdir(), 'plumecast-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const rain = (options: DemoTableOptions) => demoTable('precipitation', options);
const line = (count: number, at: (n: number) => { latitude: number; longitude: number }) =>
  Array.from({ length: count }, (_, n) => at(n));
const TABLES = {
  point: rain({ locations: line(9, (n) => ({ latitude: 50 + Math.floor(n / 3), longitude: 5 + (n % 3) })) }),
  stream: rain({ locations: line(40, (n) => ({ latitude: 50, longitude: n })) }),
  page: rain({ days: 21 }),
  short: demoTable('temp_mean', { days: 15 }),
  long: demoTable('temp_mean', { days: 42, seed: 2 }),
  years: demoTable('temp_mean', { initDate: 8401, days: 10_957, members: 1 }),
  months: demoTable('temp_mean'),
  threads: rain({ locations: line(60, (n) => ({ latitude: 50 + n / 10, longitude: 5 })) }),
};

const byNumpy = hasPython('numpy')
  ? await Promise.all(
      Object.entries(TABLES).map(async ([name, table]) =>
        writeFileSync(join(folder, `${name}.csv`), await encodeTable(table, 'csv')),
      ),
    ).then(() => JSON.parse(pythonFile(join(import.meta.dirname, 'ten-programs.py'), [folder])))
  : undefined;

describe('the ten programs of the docs', () => {
  it('are ten, of at most 25 lines each, whole and narrow enough to read', () => {
    expect([...programs.keys()]).toEqual(Array.from({ length: 10 }, (_, n) => `${n + 1}`));
    for (const section of programs.values()) {
      const lines = scriptsOf(section).join('').trim().split('\n');
      expect(lines.length, section.split('\n')[0]).toBeLessThanOrEqual(25);
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
    }
  });

  it.skipIf(byNumpy === undefined).each(['1', '2', '3', '6', '10'])('%s prints what numpy computes', (number) => {
    const printed = printedBy(number)?.filter((text) => !/^\w+: /.test(text));
    expect(printed).toEqual(byNumpy[number]);
  });

  it.skipIf(byNumpy === undefined)('5 prints what numpy computes, outside of the days of the seam', () => {
    expect(byNumpy['5']).toHaveLength(4);
    expect(printedBy('5')).toEqual(expect.arrayContaining(byNumpy['5']));
  });

  it.skipIf(byNumpy === undefined || chromiumAbsent !== undefined)(
    `4 shows in Chromium what numpy computes${chromiumAbsent ? ` (skipped: ${chromiumAbsent})` : ''}`,
    async () => {
      mkdirSync(join(folder, 'node_modules'));
      symlinkSync(root, join(folder, 'node_modules/plumecast'), 'junction');
      symlinkSync(join(root, 'node_modules/apache-arrow'), join(folder, 'node_modules/apache-arrow'), 'junction');
      const [worker, script] = scriptsOf(programs.get('4'));
      writeFileSync(join(folder, 'worker.js'), worker);
      writeFileSync(join(folder, 'page.js'), script);
      const { outputFiles } = await build({
        entryPoints: [join(folder, 'worker.js'), join(folder, 'page.js')],
        ...{ bundle: true, splitting: true, write: false, format: 'esm', platform: 'browser', logLevel: 'error' },
        ...{ outdir: 'out', external: ['node:*'] },
      });
      const files = new Map<string, PageFile>(
        outputFiles.map(({ path, contents }) => [
          `/${path.slice(dirname(outputFiles[0].path).length + 1)}`,
          { type: 'text/javascript', body: Buffer.from(contents) },
        ]),
      );
      const csv = new TextDecoder().decode(await encodeTable(TABLES.page, 'csv'));
      const shown = await evaluateInChromium<string>(
        files,
        `(async () => {
          document.body.innerHTML = '<input type="file">';
          await import('/page.js');
          const chosen = new DataTransfer();
          chosen.items.add(new File([${JSON.stringify(csv)}], 'rain.csv'));
          const input = document.querySelector('input');
          input.files = chosen.files;
          input.dispatchEvent(new Event('change'));
          while (document.querySelector('input') !== null) await new Promise((later) => setTimeout(later, 20));
          return document.body.textContent;
        })()`,
      );
      expect(shown).toBe(byNumpy['4'][0]);
    },
    60_000,
  );
});
