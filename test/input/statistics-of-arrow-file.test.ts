import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table, tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readArrowFileInto } from '../../src/files/arrow/read-arrow-file-into.node.js';
import { readTable } from '../../src/files/read-table.js';
import { statisticsOfArrowFile } from '../../src/input/statistics-of-arrow-file.node.js';
import { statistics } from '../../src/statistics/statistics.js';
import { fixtures } from '../files/pyarrow-fixtures.js';
import { isFullCheck } from '../full-check.js';
import { collected, cutTable, failureOf, locationTable, rowsOf } from './location-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-stream-'));
afterAll(() => rmSync(folder, { recursive: true }));
let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

let count = 0;
function fileOf(bytes: Uint8Array): string {
  const path = join(folder, `${count++}.arrow`);
  writeFileSync(path, bytes);
  return path;
}

function batchesOf(table: Table, rows: number): Table {
  const at = Array.from({ length: Math.floor(table.numRows / rows) }, (_, i) => (i + 1) * rows);
  return new Table(cutTable(table, at).flatMap(({ batches }) => batches));
}

const spans = Array.from({ length: 700 }, () => [0, 40] as const);
const large = locationTable({
  seed: 7,
  spans,
  form: 'wide',
  values: 'float32',
  coordinates: 'float64',
  gaps: 0,
  nulls: 0.01,
});
const weekly = { granularity: 'weekly' } as const;

describe('statisticsOfArrowFile', () => {
  it.each([100, 9_000, 20_000, 28_000])(
    'gives what statistics gives of the whole, in batches of %d rows',
    async (rows) => {
      const path = fileOf(tableToIPC(batchesOf(large, rows), 'file'));
      const mark = core.memory.mark();
      const parts = await collected(statisticsOfArrowFile(core, path, weekly));
      expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, large, weekly)]));
      expect(core.memory.mark()).toBe(mark);
    },
  );

  it('reads what pyarrow wrote, compressed or not', async () => {
    for (const name of ['LZ4_FILE', 'ZSTD_FILE'] as const) {
      const whole = await readTable(fixtures[name]);
      const parts = await collected(statisticsOfArrowFile(core, fileOf(fixtures[name]), weekly));
      expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, whole, weekly)]));
    }
  });

  it('reads a file at once for a point, and a file that holds a stream', async () => {
    const requested = { ...weekly, point: { latitude: 37.3, longitude: -80.1 } };
    const expected = rowsOf([statistics(core, large, requested)]);
    const mark = core.memory.mark();
    for (const kind of ['file', 'stream'] as const) {
      const path = fileOf(tableToIPC(large, kind));
      expect(rowsOf(await collected(statisticsOfArrowFile(core, path, requested)))).toEqual(expected);
      expect(core.memory.mark()).toBe(mark);
    }
  });

  it('releases its memory if the caller stops early, or a value cannot be used', async () => {
    const mark = core.memory.mark();
    const path = fileOf(tableToIPC(batchesOf(large, 9_000), 'file'));
    for await (const _ of statisticsOfArrowFile(core, path, weekly)) break;
    expect(core.memory.mark()).toBe(mark);
    expect(await failureOf(() => collected(statisticsOfArrowFile(core, path, { window: 'no' as never })))).toMatch(
      'OptionError: window',
    );
  });

  it('throws for a file that is cut off anywhere, as readers of complete files do', async () => {
    const bytes = tableToIPC(
      batchesOf(
        locationTable({
          seed: 1,
          spans: spans.slice(0, 3),
          form: 'wide',
          values: 'float32',
          coordinates: 'float64',
          gaps: 0,
          nulls: 0,
        }),
        50,
      ),
      'file',
    );
    for (let length = 0; length < bytes.length; length += 211) {
      const cut = bytes.slice(0, length);
      const path = fileOf(cut);
      const expected = await failureOf(() => readArrowFileInto(core, path, { source: 'f' }));
      expect(expected).toMatch('FormatError: f: ');
      expect(await failureOf(() => collected(statisticsOfArrowFile(core, path, { source: 'f' }))), `${length}`).toBe(
        expected,
      );
    }
  });

  it('gives a PlumecastError or results for a changed byte anywhere', async () => {
    const plain = tableToIPC(batchesOf(large.slice(0, 12), 4), 'file');
    for (const bytes of [fixtures.LZ4_FILE, plain]) {
      for (let at = 0; at < bytes.length; at += isFullCheck ? 3 : 31) {
        const flipped = bytes.slice();
        flipped[at] ^= 1;
        const failure = await failureOf(() => collected(statisticsOfArrowFile(core, fileOf(flipped))));
        expect(failure, `byte ${at}`).toMatch(/^(no error|(Format|Data|Option)Error: )/);
      }
    }
  });

  it('names a missing file', async () => {
    const path = join(folder, 'none.arrow');
    expect(await failureOf(() => collected(statisticsOfArrowFile(core, path)))).toBe(
      `FileError: ${path}: cannot be read: there is no such file or folder; allowed: a readable file`,
    );
  });
});
