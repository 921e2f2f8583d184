import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table, tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { checkedFooterBlocks, footerWithBlocks, type MessageBlock } from '../../src/files/arrow/flatbuffer-vectors.js';
import { readArrowInto } from '../../src/files/arrow/read-arrow-into.js';
import { readTable } from '../../src/files/index.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { statistics } from '../../src/index.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { cutTable, locationTable } from '../input/location-tables.js';
import { hasPython, python } from '../reference/foreign-programs.js';
import { columnsOf } from './table-rows.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-layouts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const core = await loadCore();

const made = locationTable({
  seed: 3,
  spans: Array.from({ length: 9 }, () => [0, 40] as const),
  form: 'wide',
  values: 'float32',
  coordinates: 'float64',
  gaps: 0,
  nulls: 0.1,
});
/** Three batches, and dictionaries of units and variables where there are such columns. */
const table = new Table(
  cutTable(statistics(core, made, { granularity: 'daily' }), [100, 220]).flatMap((t) => t.batches),
);
const rain = new Table(cutTable(made, [100, 220]).flatMap(({ batches }) => batches));

interface Layout {
  /** What stands before the first message; by default the schema's message. */
  readonly head?: (schema: Uint8Array) => Uint8Array;
  /** The places of messages in the file, as numbers of the original order. */
  readonly order?: (messages: number[]) => number[];
  /** Bytes before each message. */
  readonly gap?: Uint8Array;
  /** The bytes of a message's beginning, made of its metadata. */
  readonly prefix?: (metadata: Uint8Array, index: number) => Uint8Array;
  /** What the footer says of a message that it lists. */
  readonly listed?: (block: MessageBlock, index: number) => MessageBlock;
  readonly tail?: Uint8Array;
}

const bytes = (length: number, byte = 0) => new Uint8Array(length).fill(byte);
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const lengthOf = (word: number) => new Uint8Array(Uint32Array.of(word).buffer);
const modern = (metadata: Uint8Array) => joined(lengthOf(0xffffffff), lengthOf(metadata.length), metadata);
const END_OF_STREAM = joined(lengthOf(0xffffffff), lengthOf(0));

/** An Arrow file with its messages laid out anew. */
function laidOut(file: Uint8Array, layout: Layout): Uint8Array {
  const { head = (schema) => schema, order = (all) => all, gap = bytes(0), prefix = modern, listed, tail } = layout;
  const view = new DataView(file.buffer, file.byteOffset);
  const length = view.getInt32(file.length - 10, true);
  const footer = file.slice(file.length - 10 - length, file.length - 10);
  const { dictionaries, recordBatches } = checkedFooterBlocks(footer);
  const blocks = [...dictionaries, ...recordBatches];
  let out = joined(file.subarray(0, 8), head(file.subarray(8, Math.min(...blocks.map(({ offset }) => offset)))));
  const moved: MessageBlock[] = [];
  for (const index of order([...blocks.keys()])) {
    const { offset, metadataBytes, bodyBytes } = blocks[index];
    out = joined(out, gap);
    const start = prefix(file.subarray(offset + 8, offset + metadataBytes), index);
    const block = { offset: out.length, metadataBytes: start.length, bodyBytes };
    moved[index] = listed === undefined ? block : listed(block, index);
    const bodyAt = offset + metadataBytes;
    out = joined(out, start, file.subarray(bodyAt, bodyAt + bodyBytes));
  }
  const split = dictionaries.length;
  const lists = { dictionaries: moved.slice(0, split), recordBatches: moved.slice(split) };
  const magic = new TextEncoder().encode('ARROW1');
  return joined(out, tail ?? END_OF_STREAM, footerWithBlocks(footer, lists), lengthOf(length), magic);
}

const layouts: Record<string, Layout> = {
  'as apache-arrow writes it': {},
  'without a message of the schema': { head: () => bytes(0) },
  'with a schema that is no message, as Polars writes it': { head: (schema) => joined(schema.subarray(8)) },
  'without an end-of-stream marker': { tail: bytes(0) },
  'with padding before each message': { gap: bytes(64) },
  'with padding that is no multiple of eight': { gap: bytes(20) },
  'with bytes of no meaning before each message': { gap: bytes(24, 0xab) },
  'with batches in another order than the footer': { order: (all) => all.reverse() },
  'with dictionaries behind the batches': { order: ([...all]) => [...all.slice(-3), ...all.slice(0, -3)] },
  'with lengths alone before messages, as before Arrow 0.15': {
    prefix: (metadata) => joined(lengthOf(metadata.length + 4), metadata, bytes(4)),
  },
  'whose footer leaves out the padding of metadata': {
    listed: (block) => ({ ...block, metadataBytes: block.metadataBytes - 8 }),
  },
  'whose footer alone counts the padding of metadata': {
    prefix: (metadata) => joined(modern(metadata), bytes(56)),
  },
  'whose footer alone counts the padding of all metadata but the first': {
    prefix: (metadata, index) => joined(modern(metadata), bytes(index === 0 ? 0 : 56)),
  },
  'whose footer leaves out the padding of all metadata but the first': {
    listed: (block, index) => (index === 0 ? block : { ...block, metadataBytes: block.metadataBytes - 8 }),
  },
};

async function rowsOfFile(path: string): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for await (const part of readTables(core, path)) {
    for (const [name, cells] of Object.entries(columnsOf(part))) all[name] = [...(all[name] ?? []), ...cells];
  }
  return all;
}

describe.each(Object.entries(layouts))('an Arrow file %s', (_, layout) => {
  it.each([
    ['texts', table],
    ['numbers', rain],
  ] as const)('of %s is read by its footer, whole, in parts and into the memory of the core', async (_kind, given) => {
    const file = laidOut(tableToIPC(given, 'file'), layout);
    const path = join(folder, 'file.arrow');
    writeFileSync(path, file);
    const expected = columnsOf(given);
    expect(columnsOf(await readTable(file))).toEqual(expected);
    expect(await rowsOfFile(path)).toEqual(expected);
    const inCore = await readArrowInto(core, file);
    core.memory.allocate(40_000_000);
    expect(columnsOf(inCore.table)).toEqual(expected);
    inCore.release();
    if (given !== rain) return;
    const found = [];
    for await (const part of streamStatistics(core, readTables(core, path), { granularity: 'weekly' }))
      found.push(part);
    const weekly = statistics(core, rain, { granularity: 'weekly' });
    expect(columnsOf(new Table(found.flatMap(({ batches }) => batches)))).toEqual(columnsOf(weekly));
  });
});

it('a batch that the footer leaves out is an error, wherever it lies', async () => {
  for (const layout of [{}, { gap: bytes(64) }, { head: (schema: Uint8Array) => joined(schema.subarray(8)) }]) {
    for (const left of [0, 1, 2]) {
      const all = laidOut(tableToIPC(rain, 'file'), layout);
      const length = new DataView(all.buffer).getInt32(all.length - 10, true);
      const footer = all.subarray(all.length - 10 - length, all.length - 10);
      const { recordBatches } = checkedFooterBlocks(footer);
      // The list of three is one of two.
      const at = footer.findIndex((_, i) => {
        return (
          i + 12 < footer.length &&
          new DataView(footer.buffer, footer.byteOffset + i).getBigInt64(4, true) === BigInt(recordBatches[0].offset)
        );
      });
      const kept = recordBatches.filter((_, i) => i !== left);
      new DataView(footer.buffer, footer.byteOffset).setUint32(at, 2, true);
      footer.set(footerWithBlocks(footer, { dictionaries: [], recordBatches: kept }));
      await expect(readTable(all, { source: 'f' })).rejects.toThrow(
        `f: has a corrupt Arrow footer: it leaves out what lies at byte ${recordBatches[left].offset}`,
      );
    }
  }
});

it('a type that apache-arrow does not know is named', async () => {
  const file = tableToIPC(tableFromArrays({ n: BigInt64Array.of(1n, 2n) }), 'file').slice();
  const length = new DataView(file.buffer).getInt32(file.length - 10, true);
  const footer = new DataView(file.buffer, file.length - 10 - length, length);
  // Integers of 64 bits become some of 128, as Polars has them.
  for (let at = 0; at + 4 <= length; at++) if (footer.getInt32(at, true) === 64) footer.setInt32(at, 128, true);
  await expect(readTable(file, { source: 'f' })).rejects.toThrow(
    'f, column n: has a type of column that the installed apache-arrow does not read; received "Int128"',
  );
});

describe.runIf(hasPython('polars'))('what Polars writes', () => {
  const code = `
import datetime, json, sys, polars as pl
days = [datetime.date(2026, 3, 2) + datetime.timedelta(i) for i in range(14)]
wide = pl.DataFrame({'date': days, 'm01': [float(i) for i in range(14)], 'm02': [2. * i for i in range(14)]})
long = pl.DataFrame([{'date': d, 'member': f'member number {m}', 'value': float(i * m)} for i, d in enumerate(days) for m in (1, 2)])
members = ['member number 1', 'member number 2']
frames = {
  'wide': wide,
  'text': wide.with_columns(pl.col('date').cast(pl.String) + 'T00:00:00'),
  'time': wide.with_columns(pl.col('date').cast(pl.Datetime('us', 'UTC'))),
  'long': long,
  'categories': long.with_columns(pl.col('member').cast(pl.Categorical)),
  'enum': long.with_columns(pl.col('member').cast(pl.Enum(members))),
  'list': wide.select('date', precipitation=pl.concat_list('m01', 'm02')),
  'array': wide.select('date', precipitation=pl.concat_list('m01', 'm02').cast(pl.Array(pl.Float64, 2))),
}
for name, frame in frames.items():
    for compression in ('uncompressed', 'lz4', 'zstd'):
        for level in ('newest', 'oldest'):
            frame.write_ipc(f'{sys.argv[1]}/{name}-{compression}-{level}.arrow', compression=compression, compat_level=getattr(pl.CompatLevel, level)())
print(json.dumps(list(frames)))
`;
  it('gives the same statistics in each form, type of text, compression and level of compatibility', async () => {
    const options = { granularity: 'weekly', variable: 'precipitation' } as const;
    const names = JSON.parse(python(code, { args: [folder] })) as string[];
    const expected = [31.5, 105];
    for (const name of names) {
      for (const compression of ['uncompressed', 'lz4', 'zstd']) {
        for (const level of ['newest', 'oldest']) {
          const path = join(folder, `${name}-${compression}-${level}.arrow`);
          const means = [];
          for await (const part of streamStatistics(core, readTables(core, path), options))
            means.push(...columnsOf(part).mean);
          expect([path, means]).toEqual([path, expected]);
        }
      }
    }
  });
});

it('flags that are all null may have no values, as apache-arrow before version 21 writes them', async () => {
  const { Bool, Table: Older, tableToIPC: write, vectorFromArray } = await import('apache-arrow-15');
  const bytesOfOlder = write(
    new Older({ n: vectorFromArray([1, 2]), flag: vectorFromArray([null, null], new Bool()) }),
    'file',
  );
  expect(columnsOf(await readTable(bytesOfOlder)).flag).toEqual([null, null]);
  expect(tableFromIPC(bytesOfOlder).numRows).toBe(2);
});
