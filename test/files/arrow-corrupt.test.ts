import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compressionRegistry,
  Field,
  Float64,
  List,
  Message,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableFromArrays,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { checkedFooterBlocks } from '../../src/files/arrow/flatbuffer-vectors.js';
import { readTable } from '../../src/files/index.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { bomb } from '../fuzz/bombs.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-arrow-'));
afterAll(() => rmSync(folder, { recursive: true }));

const table = tableFromArrays({
  date: Int32Array.of(20_000, 20_001, 20_002),
  name: ['rain', 'snow', 'rain'],
  precipitation: Float64Array.of(1, 2, 3),
});

/**
 * A file with bytes changed: `from` the value of a 64-bit integer, in the metadata of the first batch, `to` another.
 */
async function changed(file: Uint8Array, change: (view: DataView, footer: DataView) => void): Promise<Uint8Array> {
  const bytes = file.slice();
  const length = new DataView(bytes.buffer).getInt32(bytes.length - 10, true);
  const start = bytes.length - 10 - length;
  change(new DataView(bytes.buffer), new DataView(bytes.buffer, start, length));
  return bytes;
}

/** What reading the bytes whole and part by part says: rows, or the error. */
async function outcomes(bytes: Uint8Array): Promise<string[]> {
  const path = join(folder, 'file.arrow');
  writeFileSync(path, bytes);
  const rows = async () => {
    let count = 0;
    for await (const { numRows } of readTables(await loadCore(), path, { source: 'file' })) count += numRows;
    return count;
  };
  const reported = (error: Error & { cause?: Error }) =>
    [error.name, error.message, error.cause?.message ?? ''].join(': ');
  return [
    await readTable(bytes, { source: 'file' }).then(({ numRows }) => `${numRows} rows`, reported),
    await rows().then((count) => `${count} rows`, reported),
  ];
}

function wholeTables(count: number): Uint8Array {
  const [first, ...others] = Array.from({ length: count }, () => table);
  return tableToIPC(others.reduce((all: Table, next) => all.concat(next), first) as Table, 'file');
}

function blocks(footer: DataView) {
  return checkedFooterBlocks(new Uint8Array(footer.buffer, footer.byteOffset, footer.byteLength));
}

/** Changes the length of the name `precipitation` in the schema of the footer. */
function renamed(file: Uint8Array, length: number): Promise<Uint8Array> {
  return changed(file, (_, footer) => {
    const bytes = Buffer.from(footer.buffer, footer.byteOffset, footer.byteLength);
    footer.setUint32(bytes.indexOf('precipitation') - 4, length, true);
  });
}

describe('names of columns', () => {
  it.each([12, 14, 40])('of a wrong length of %i bytes are an error', async (length) => {
    for (const outcome of await outcomes(await renamed(wholeTables(2), length))) {
      expect(outcome).toMatch(/^FormatError: file: has a corrupt Arrow footer: a name of \d+ bytes/);
    }
  });

  it('of the right length are read', async () => {
    expect(await outcomes(await renamed(wholeTables(2), 13))).toEqual(['6 rows', '6 rows']);
  });
});

/** The places of 64-bit integers of a value in the metadata of the first record batch. */
function placesOf(view: DataView, footer: DataView, value: bigint): number[] {
  const [{ offset, metadataBytes }] = blocks(footer).recordBatches;
  const places = [];
  for (let at = offset; at + 8 <= offset + metadataBytes; at += 4)
    if (view.getBigInt64(at, true) === value) places.push(at);
  return places;
}

describe('corrupt Arrow files', () => {
  it('reads the file that the others are made of', async () => {
    expect(await outcomes(wholeTables(2))).toEqual(['6 rows', '6 rows']);
  });

  it('rejects a batch that says it has other rows than its columns', async () => {
    const bytes = await changed(wholeTables(1), (view, footer) => {
      // The first of these is the length of the batch, those behind it are of its columns.
      view.setBigInt64(placesOf(view, footer, 3n)[0], 1n, true);
    });
    for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(/does not have the rows of its batch/);
  });

  it('rejects a footer that lists one batch twice and another not at all', async () => {
    const bytes = await changed(wholeTables(2), (_, footer) => {
      const [one, two] = blocks(footer).recordBatches;
      for (let at = 0; at + 8 <= footer.byteLength; at += 4)
        if (footer.getBigInt64(at, true) === BigInt(two.offset)) footer.setBigInt64(at, BigInt(one.offset), true);
    });
    for (const outcome of await outcomes(bytes))
      expect(outcome).toMatch(/^FormatError: file: has a corrupt Arrow footer/);
  });

  it('rejects a footer that leaves out the first batch', async () => {
    const bytes = await changed(wholeTables(2), (_, footer) => {
      const [one, two] = blocks(footer).recordBatches;
      for (let at = 0; at + 8 <= footer.byteLength; at += 4) {
        if (footer.getBigInt64(at, true) !== BigInt(one.offset)) continue;
        // Its list of two batches is one of one, which begins with the second.
        footer.setUint32(at - 4, 1, true);
        footer.setBigInt64(at, BigInt(two.offset), true);
        return;
      }
    });
    for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(/^FormatError: file: /);
  });

  it('rejects an end-of-stream marker in place of a batch', async () => {
    const bytes = await changed(wholeTables(2), (view, footer) => {
      view.setUint32(blocks(footer).recordBatches[1].offset + 4, 0, true);
    });
    for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(/^FormatError: file: /);
  });

  it('rejects a footer that lists more bytes of a later batch than it can have', async () => {
    const bytes = await changed(wholeTables(3), (_, footer) => {
      const { bodyBytes, offset } = blocks(footer).recordBatches[1];
      for (let at = 0; at + 24 <= footer.byteLength; at += 4) {
        if (footer.getBigInt64(at, true) === BigInt(offset)) footer.setBigInt64(at + 16, BigInt(bodyBytes - 8), true);
      }
    });
    for (const outcome of await outcomes(bytes))
      expect(outcome).toMatch(/^FormatError: file: has a corrupt Arrow footer: record batch 2/);
  });

  it('says of files and streams alike that they have no rows', async () => {
    for (const form of ['file', 'stream'] as const) {
      for (const empty of [tableFromArrays({ n: new Float64Array(0) }), new Table()]) {
        for (const outcome of await outcomes(tableToIPC(empty, form)))
          expect(outcome).toBe('DataError: file: has no rows; allowed: at least one row: ');
      }
    }
  });

  it('rejects buffers that overlap', async () => {
    const bytes = await changed(wholeTables(1), (view, footer) => {
      const values = 24n;
      const [at] = placesOf(view, footer, values).slice(-1);
      view.setBigInt64(at - 8, view.getBigInt64(at - 8, true) - 8n, true);
    });
    for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(/overlap others/);
  });

  it('rejects a row that refers to an entry that its dictionary does not have', async () => {
    const bytes = await changed(wholeTables(1), (view, footer) => {
      const [{ offset, metadataBytes }] = blocks(footer).recordBatches;
      const head = new Uint8Array(view.buffer, offset + 8, metadataBytes - 8);
      const { buffers } = Message.decode(head).header() as { buffers: { offset: number }[] };
      view.setInt32(offset + metadataBytes + buffers[3].offset, 7, true);
    });
    for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(/column name, or contradicts itself there/);
  });

  it('stops before it takes the memory that a zstd frame of zeros would fill', async () => {
    const ZSTD = 1;
    const before = compressionRegistry.get(ZSTD);
    const rows = bomb('zstd').length / 4;
    compressionRegistry.set(ZSTD, { encode: () => bomb('zstd') });
    const bytes = tableToIPC(tableFromArrays({ precipitation: new Float64Array(rows) }), 'file', ZSTD);
    compressionRegistry.set(ZSTD, before ?? {});
    for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(/it becomes 1073741824 bytes, more than/);
  });

  it.each(['file', 'stream'] as const)(
    'names the column of an unknown type in a %s where the type of the list around it lies outside of the schema',
    async (form) => {
      const items = new Field('item', new Float64(), false);
      const schema = new Schema([new Field('values', new List(items), true)]);
      const children = [vectorFromArray([[1], [2]], new List(items)).data[0]];
      const batch = new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: 2, children }));
      const bytes = tableToIPC(new Table(schema, [batch]), form);
      const { list, item } = typesOfList(bytes, form);
      item.setType(99);
      const unknown = /^FormatError: file, column values: has a type of column .* received "number 99"/;
      for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(unknown);
      list.setOffset(0xfff0);
      for (const outcome of await outcomes(bytes)) expect(outcome).toMatch(unknown);
    },
  );
});

/** The places of the types of a list, the first column of a schema, and of its items. */
function typesOfList(bytes: Uint8Array, form: 'file' | 'stream') {
  const whole = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isFile = form === 'file';
  const length = whole.getInt32(isFile ? bytes.length - 10 : 4, true);
  const view = new DataView(bytes.buffer, bytes.byteOffset + (isFile ? bytes.length - 10 - length : 8), length);
  // As in the schemas of flatbuffers: 4 + 2 * index.
  const FIELD = { schema: isFile ? 6 : 8, fields: 6, type: 8, children: 14 };
  const slot = (table: number, field: number) => table - view.getInt32(table, true) + field;
  const place = (table: number, field: number) => table + view.getUint16(slot(table, field), true);
  const target = (at: number) => at + view.getUint32(at, true);
  const first = (table: number, field: number) => target(target(place(table, field)) + 4);
  const list = first(target(place(target(0), FIELD.schema)), FIELD.fields);
  const typeOf = (table: number) => ({
    setType: (type: number) => view.setUint8(place(table, FIELD.type), type),
    setOffset: (offset: number) => view.setUint16(slot(table, FIELD.type), offset, true),
  });
  return { list: typeOf(list), item: typeOf(first(list, FIELD.children)) };
}
