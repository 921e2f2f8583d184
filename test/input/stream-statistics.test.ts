import { PassThrough } from 'node:stream';
import { Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readTable } from '../../src/files/read-table.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { statistics } from '../../src/statistics/statistics.js';
import { fixtures } from '../files/pyarrow-fixtures.js';
import { isFullCheck } from '../full-check.js';
import { collected, cutTable, failureOf, locationTable, rowsOf } from './location-tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const spans = Array.from({ length: 700 }, () => [0, 40] as const);
const made = {
  seed: 3,
  spans,
  form: 'wide',
  values: 'float32',
  coordinates: 'float64',
  gaps: 0.1,
  nulls: 0.05,
} as const;
const large = locationTable(made);
const small = locationTable({ ...made, spans: spans.slice(0, 4) });
const weekly = { granularity: 'weekly' } as const;
const expected = () => rowsOf([statistics(core, large, weekly)]);

function batched(table: Table, rows: number): Table {
  const at = Array.from({ length: Math.floor(table.numRows / rows) }, (_, i) => (i + 1) * rows);
  return new Table(cutTable(table, at).flatMap(({ batches }) => batches));
}

function* readPieces(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** The rows of a table day by day. */
function byDay(days: number, cells: number): Table {
  const of = (pick: (day: number, cell: number) => number) =>
    Float64Array.from({ length: days * cells }, (_, i) => pick(Math.floor(i / cells), i % cells));
  const whole = locationTable({ ...made, spans: Array.from({ length: cells }, () => [0, days] as const), gaps: 0 });
  const order = of((day, cell) => cell * days + day);
  const rows = Array.from(order, (row) => whole.slice(row, row + 1).batches).flat();
  return tableFromIPC(tableToIPC(new Table(rows), 'stream'));
}

it('an abort destroys a stream of Node that is waited for, so that the process can end', async () => {
  const pipe = new PassThrough();
  pipe.write(tableToIPC(small, 'stream').subarray(0, 100));
  const stop = new AbortController();
  const reading = collected(streamStatistics(core, pipe, { ...weekly, signal: stop.signal }));
  setTimeout(() => stop.abort('enough'), 20);
  await expect(reading).rejects.toBe('enough');
  expect(pipe.destroyed).toBe(true);
});

describe('streamStatistics of batches', () => {
  it.each([30, 5_000, 12_345])('gives what statistics gives for all rows, in batches of %d rows', async (rows) => {
    const { batches } = batched(large, rows);
    expect(rowsOf(await collected(streamStatistics(core, batches, weekly)))).toEqual(expected());
  });

  it('gives statistics of a location before the stream ends', async () => {
    let given = 0;
    const { batches } = batched(large, 9_000);
    function* counted() {
      for (const batch of batches) {
        given++;
        yield batch;
      }
    }
    const found = streamStatistics(core, counted(), weekly);
    expect((await found.next()).done).toBe(false);
    expect(given).toBe(1);
    await found.return(undefined);
  });

  it('collects rows that go day by day, and all rows for a point', async () => {
    const days = byDay(15, 3);
    const ofDays = await collected(streamStatistics(core, batched(days, 9).batches, weekly));
    expect(rowsOf(ofDays)).toEqual(rowsOf([statistics(core, days, weekly)]));
    const requested = { ...weekly, point: { latitude: 37.2, longitude: -80.1 } };
    const atPoint = await collected(streamStatistics(core, large.batches, requested));
    expect(rowsOf(atPoint)).toEqual(rowsOf([statistics(core, large, requested)]));
  });

  it('throws for a stream without rows, and for batches with other columns', async () => {
    expect(await failureOf(() => collected(streamStatistics(core, [], { source: 'a' })))).toBe(
      'DataError: a: has no rows; allowed: at least one row',
    );
    const other = locationTable({ ...made, values: 'float64', spans: [[0, 3]] });
    expect(await failureOf(() => collected(streamStatistics(core, [...small.batches, ...other.batches])))).toMatch(
      'OptionError: table 2: differs from the first table in column 4',
    );
  });
});

describe('streamStatistics of the bytes of an Arrow stream', () => {
  it.each([7_001, 65_536, 10_000_000])(
    'gives what statistics gives of the whole, in pieces of %d bytes',
    async (length) => {
      const mark = core.memory.mark();
      const bytes = tableToIPC(batched(large, 3_000), 'stream');
      const parts = await collected(streamStatistics(core, readPieces(bytes, length), weekly));
      expect(rowsOf(parts)).toEqual(expected());
      expect(core.memory.mark()).toBe(mark);
    },
  );

  it('accepts bytes, a Blob, and a web stream', async () => {
    const bytes = tableToIPC(small, 'stream');
    const whole = rowsOf([statistics(core, small, weekly)]);
    for (const source of [bytes, new Blob([bytes.slice()]), new Blob([bytes.slice()]).stream()]) {
      expect(rowsOf(await collected(streamStatistics(core, source, weekly)))).toEqual(whole);
    }
  });

  it('reads what pyarrow wrote, compressed or of an older form, a byte at a time', async () => {
    for (const name of ['LZ4_STREAM', 'ZSTD_STREAM', 'LEGACY_STREAM'] as const) {
      const whole = rowsOf([statistics(core, await readTable(fixtures[name]), weekly)]);
      const parts = await collected(streamStatistics(core, readPieces(fixtures[name], 1), weekly));
      expect(rowsOf(parts)).toEqual(whole);
    }
  });

  it('collects rows that go day by day, although their bytes are overwritten', async () => {
    const days = byDay(15, 3);
    const bytes = tableToIPC(batched(days, 9), 'stream');
    const parts = await collected(streamStatistics(core, readPieces(bytes, 500), weekly));
    expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, days, weekly)]));
  });

  it('throws for a stream that is cut off anywhere, or continues after its end, and releases its memory', async () => {
    const mark = core.memory.mark();
    const bytes = tableToIPC(batched(small, 50), 'stream');
    const failure = (some: Uint8Array) =>
      failureOf(() => collected(streamStatistics(core, readPieces(some, 333), { source: 's' })));
    expect(await failureOf(() => collected(streamStatistics(core, bytes.slice(0, 0), { source: 's' })))).toMatch(
      'FormatError: s: is a truncated Arrow stream',
    );
    for (let length = 1; length < bytes.length; length += 40) {
      expect(await failure(bytes.slice(0, length)), `${length}`).toMatch('FormatError: s: is a truncated Arrow stream');
    }
    expect(await failure(Uint8Array.of(...bytes, 0, 0))).toBe('no error');
    expect(await failure(Uint8Array.of(...bytes, 1, 0))).toBe(
      'FormatError: s: goes on after the end of its Arrow stream; received "2 more bytes"; allowed: one stream a file',
    );
    expect(core.memory.mark()).toBe(mark);
  });

  it('gives a PlumecastError or results for a changed byte anywhere', async () => {
    const plain = tableToIPC(batched(small.slice(0, 12), 4), 'stream');
    for (const bytes of [fixtures.ZSTD_STREAM, plain]) {
      for (let at = 0; at < bytes.length; at += isFullCheck ? 3 : 23) {
        const flipped = bytes.slice();
        flipped[at] ^= 1;
        const failure = await failureOf(() => collected(streamStatistics(core, flipped)));
        expect(failure, `byte ${at}`).toMatch(/^(no error|(Format|Data|Option)Error: )/);
      }
    }
  });
});
