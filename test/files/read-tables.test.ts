import { gzipSync } from 'node:zlib';
import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { encodeTables } from '../../src/files/encode-tables.js';
import { readTable } from '../../src/files/read-table.js';
import type { ReadTablesOptions } from '../../src/files/read-tables.js';
import { readTables } from '../../src/files/read-tables.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { statistics } from '../../src/statistics/statistics.js';
import { collected } from '../input/location-tables.js';
import { columnsOf } from './table-rows.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const CSV = [
  'latitude,longitude,date,member_0,member_1',
  ...Array.from({ length: 3000 }, (_, row) => {
    const day = new Date(Date.UTC(2026, 2, 2 + (row % 30))).toISOString().slice(0, 10);
    return `${50 - Math.floor(row / 30) / 4},8.5,${day},${(row * 7) % 31},${row % 5 === 0 ? '' : (row * 3) % 17}.5`;
  }),
].join('\n');

/** The bytes of the table in each form. */
async function forms(): Promise<[string, Uint8Array][]> {
  const table = await readTable(new TextEncoder().encode(CSV));
  const write = async (format: 'csv' | 'arrow' | 'arrow-stream' | 'parquet') =>
    new Uint8Array(Buffer.concat(await collected(encodeTables([table], format))));
  const csv = await write('csv');
  return [
    ['CSV', csv],
    ['gzipped CSV', new Uint8Array(gzipSync(csv))],
    ['an Arrow file', await write('arrow')],
    ['an Arrow stream', await write('arrow-stream')],
    ['Parquet', await write('parquet')],
  ];
}

/** The body of a response. */
const body = (bytes: Uint8Array) => new Response(bytes.slice()).body as ReadableStream<Uint8Array>;

/** Pieces that fit nothing. */
function* pieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 4099) yield bytes.subarray(at, at + 4099);
}

/** The columns of all tables, each read before the next one is requested. */
async function readColumns(tables: AsyncIterable<Table>) {
  const columns: Record<string, unknown[]> = {};
  for await (const table of tables) {
    for (const [name, values] of Object.entries(columnsOf(table)))
      columns[name] = [...(columns[name] ?? []), ...values];
  }
  return columns;
}

const readRows = (source: Parameters<typeof readTables>[1], options?: ReadTablesOptions) =>
  readColumns(readTables(core, source, options));

describe('readTables', () => {
  it('gives the rows of readTable from a body, a Blob, pieces and bytes of every format', async () => {
    const expected = columnsOf(await readTable(new TextEncoder().encode(CSV)));
    for (const [form, bytes] of await forms()) {
      for (const source of [body(bytes), new Blob([bytes.slice()]), pieces(bytes), bytes]) {
        expect(await readRows(source), form).toEqual(expected);
      }
    }
  });

  it('gives streamStatistics what statistics computes of all rows', async () => {
    const options = { variable: 'precipitation', granularity: 'weekly', quantiles: [0.1, 0.9] } as const;
    const expected = columnsOf(statistics(core, await readTable(new TextEncoder().encode(CSV)), options));
    for (const [form, bytes] of await forms()) {
      const tables = streamStatistics(core, readTables(core, body(bytes)), options);
      expect(await readColumns(tables), form).toEqual(expected);
    }
  });

  it('gives the rows of a body where a Blob of CSV is long enough for slices', async () => {
    const filler = 'a long text '.padEnd(900, '-');
    const header = 'name,date,member_0,text\n';
    const rows = Array.from(
      { length: 19_000 },
      (_, row) => `n${row % 7},2026-03-0${1 + (row % 9)},${row / 8},${filler}`,
    );
    const bytes = new TextEncoder().encode(header + rows.join('\n'));
    expect(bytes.length).toBeGreaterThan(16_777_216);
    const expected = await readRows(body(bytes));
    expect(expected.member_0).toHaveLength(19_000);
    for (const threads of [1, 3]) expect(await readRows(new Blob([bytes]), { threads })).toEqual(expected);
  });

  it('is an error where bytes are cut or damaged', async () => {
    for (const [form, bytes] of (await forms()).slice(1)) {
      const cut = bytes.slice(0, bytes.length - 40);
      await expect(readRows(body(cut), { source: 'rain' }), form).rejects.toThrow(/^rain/);
    }
  });

  it.each([
    [new Uint8Array(0), {}, 'input: is empty'],
    [new TextEncoder().encode('no table'), {}, 'input: is text, but not a table'],
    [new TextEncoder().encode('a,b\n1,2,3\n'), { source: 'x.csv' }, 'x.csv, row 1: has 3 cells'],
    [7 as never, {}, 'bytes: cannot be used; received 7'],
    [new Uint8Array(1), { sourse: 'x' } as never, 'sourse'],
    [new Uint8Array(1), { decimal: ';' } as never, 'decimal'],
    [new Uint8Array(1), { threads: 0 }, 'threads: cannot be used; received 0; allowed: a whole number from 1'],
    [new Uint8Array(1), { threads: 1.5 }, 'threads'],
  ])('names what is wrong: %s', async (source, options, message) => {
    await expect(readRows(source, options)).rejects.toThrow(message);
  });

  it('closes the source where the caller stops early', async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield* pieces(new TextEncoder().encode(CSV));
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of readTables(core, source())) break;
    expect(isClosed).toBe(true);
  });
});
