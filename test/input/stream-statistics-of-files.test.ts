import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table, tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readArrowInto } from '../../src/files/arrow/read-arrow-into.node.js';
import { readTable } from '../../src/files/read-table.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { statistics } from '../../src/statistics/statistics.js';
import { fixtures } from '../files/pyarrow-fixtures.js';
import { isFullCheck } from '../full-check.js';
import { collected, cutTable, failureOf, type LocationTableOptions, locationTable, rowsOf } from './location-tables.js';

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
const made: LocationTableOptions = {
  ...{ seed: 7, spans, gaps: 0, nulls: 0.01 },
  ...{ form: 'wide', values: 'float32', coordinates: 'float64' },
};
const large = locationTable(made);
const weekly = { granularity: 'weekly' } as const;

describe('streamStatistics of a file of Arrow', () => {
  it.each([100, 9_000, 20_000, 28_000])(
    'gives what statistics gives of the whole, in batches of %d rows',
    async (rows) => {
      const path = fileOf(tableToIPC(batchesOf(large, rows), 'file'));
      const parts = await collected(streamStatistics(core, readTables(core, path), weekly));
      expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, large, weekly)]));
    },
  );

  it('reads what pyarrow wrote, compressed or not', async () => {
    for (const name of ['LZ4_FILE', 'ZSTD_FILE'] as const) {
      const whole = await readTable(fixtures[name]);
      const parts = await collected(streamStatistics(core, readTables(core, fileOf(fixtures[name])), weekly));
      expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, whole, weekly)]));
    }
  });

  it('reads a file at once for a point, and a file that holds a stream', async () => {
    const requested = { ...weekly, point: { latitude: 37.3, longitude: -80.1 } };
    const expected = rowsOf([statistics(core, large, requested)]);
    for (const kind of ['file', 'stream'] as const) {
      const path = fileOf(tableToIPC(batchesOf(large, 300), kind));
      expect(rowsOf(await collected(streamStatistics(core, readTables(core, path), requested)))).toEqual(expected);
    }
  });

  it('keeps rows that have to be read together, where the next ones overwrite them', async () => {
    const more = { ...made, spans: Array.from({ length: 1_200 }, () => [0, 80] as const) };
    const table = locationTable(more);
    const path = fileOf(tableToIPC(batchesOf(table, 9_000), 'stream'));
    const first = { latitude: table.getChild('latitude')?.get(0), longitude: table.getChild('longitude')?.get(0) };
    const requested = { ...weekly, point: first };
    const found = rowsOf(await collected(streamStatistics(core, readTables(core, path), requested)));
    expect(found).toEqual(rowsOf([statistics(core, table, requested)]));
  });

  it('releases its memory if the caller stops early, or a value cannot be used', async () => {
    const path = fileOf(tableToIPC(batchesOf(large, 9_000), 'file'));
    const stop = async () => {
      for await (const _ of streamStatistics(core, readTables(core, path), weekly)) break;
      return core.memory.wasm.buffer.byteLength;
    };
    const bytes = await stop();
    for (let time = 0; time < 20; time++) expect(await stop()).toBe(bytes);
    expect(
      await failureOf(() => collected(streamStatistics(core, readTables(core, path), { window: 'no' as never }))),
    ).toMatch('OptionError: window');
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
      const expected = await failureOf(() => readArrowInto(core, path, { source: 'f' }));
      expect(expected).toMatch('FormatError: f: ');
      expect(
        await failureOf(() =>
          collected(streamStatistics(core, readTables(core, path, { source: 'f' }), { source: 'f' })),
        ),
        `${length}`,
      ).toBe(expected);
    }
  });

  it('gives a PlumecastError or results for a changed byte anywhere', async () => {
    const plain = tableToIPC(batchesOf(large.slice(0, 12), 4), 'file');
    for (const bytes of [fixtures.LZ4_FILE, plain]) {
      for (let at = 0; at < bytes.length; at += isFullCheck ? 3 : 31) {
        const flipped = bytes.slice();
        flipped[at] ^= 1;
        const failure = await failureOf(() => collected(streamStatistics(core, readTables(core, fileOf(flipped)))));
        expect(failure, `byte ${at}`).toMatch(/^(no error|(Format|Data|Option)Error: )/);
      }
    }
  });

  it('names a missing file', async () => {
    const path = join(folder, 'none.arrow');
    expect(await failureOf(() => collected(streamStatistics(core, readTables(core, path))))).toBe(
      `FileError: ${path}: cannot be read: there is no such file or folder; allowed: a readable file`,
    );
  });
});
