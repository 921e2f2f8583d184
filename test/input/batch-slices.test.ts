import { Dictionary, Int16, Message, Table, tableToIPC, Utf8, Vector, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FilePart } from '../../src/files/arrow/batch-slices.js';
import { rowLayout, slices } from '../../src/files/arrow/batch-slices.js';
import { MessageReader } from '../../src/files/arrow/message-reader.js';
import { columnsOf, typesOf } from '../files/table-rows.js';
import { locationTable, locationTables } from './location-tables.js';

/** The schema of a stream with one batch, and where its batch begins. */
function messagesOf(table: Table): { bytes: Uint8Array; batchAt: number; bodyAt: number } {
  const bytes = tableToIPC(table, 'stream');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 0; ; ) {
    const bodyAt = at + 8 + view.getUint32(at + 4, true);
    const message = Message.decode(bytes.subarray(at + 8, bodyAt));
    if (message.isRecordBatch()) return { bytes, batchAt: at, bodyAt };
    at = bodyAt + message.bodyLength;
  }
}

function layoutOf(table: Table) {
  const { bytes, batchAt, bodyAt } = messagesOf(table);
  const message = Message.decode(bytes.subarray(batchAt + 8, bodyAt));
  if (!message.isRecordBatch()) throw new Error('no batch');
  return { bytes, prefix: bytes.subarray(0, batchAt), layout: rowLayout(table.schema, message.header(), bodyAt, 'f') };
}

/** What is read for a part. */
function filled(prefix: Uint8Array, { head, bytes, reads }: FilePart, file: Uint8Array): Uint8Array {
  const part = new Uint8Array(prefix.length + bytes);
  part.set(prefix);
  part.set(head ?? [], prefix.length);
  for (const { from, to, length } of reads) part.set(file.subarray(from, from + length), prefix.length + to);
  return part;
}

async function slicesOf(table: Table, bytes: number): Promise<Table[]> {
  const { bytes: file, prefix, layout } = layoutOf(table);
  if (layout === undefined) return [];
  const parts = [...slices(layout, bytes)].map((part) => filled(prefix, part, file));
  const reader = new MessageReader('f');
  const tables: Table[] = [];
  for (const part of parts) tables.push(...(await reader.tables(part)));
  return tables;
}

/** All cells, those of lists as arrays. */
function cellsOf(table: Table): unknown[][] {
  return Object.values(columnsOf(table)).map((cells) =>
    cells.map((cell) => (cell instanceof Vector ? Array.from(cell) : cell)),
  );
}

describe('slices of a batch', () => {
  it('contain all rows, a multiple of 64 each except for the last, for any size', async () => {
    const many = locationTables.map((made) =>
      locationTable({ ...made, spans: made.spans.map(([a, b]) => [a, 12 * b]) }),
    );
    await fc.assert(
      fc.asyncProperty(many, fc.integer({ min: 1, max: 12_000 }), async (table, bytes) => {
        const parts = await slicesOf(table, bytes);
        expect(parts.slice(0, -1).every(({ numRows }) => numRows % 64 === 0)).toBe(true);
        expect(parts.length).toBeGreaterThan(0);
        const whole = new Table(parts.flatMap(({ batches }) => batches));
        expect(typesOf(whole)).toEqual(typesOf(table));
        expect(cellsOf(whole)).toEqual(cellsOf(table));
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  });

  it('keep dictionaries, booleans and 64-bit integers', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => i);
    const table = new Table({
      name: vectorFromArray(
        rows.map((i) => (i % 7 === 0 ? null : `t${i % 5}`)),
        new Dictionary(new Utf8(), new Int16()),
      ),
      flag: vectorFromArray(rows.map((i) => (i % 11 === 3 ? null : i % 3 === 0))),
      big: vectorFromArray(rows.map((i) => BigInt(i) * 10n ** 12n)),
    });
    const parts = await slicesOf(table, 500);
    expect(parts.map(({ numRows }) => numRows)).toEqual([64, 64, 64, 64, 44]);
    expect(columnsOf(new Table(parts.flatMap(({ batches }) => batches)))).toEqual(columnsOf(table));
  });

  it('do not exist for rows without a fixed width', async () => {
    expect(layoutOf(new Table({ name: vectorFromArray(['a', 'bc'], new Utf8()) })).layout).toBeUndefined();
  });

  it('throw if a column has too few bytes', () => {
    const table = locationTable({
      seed: 1,
      spans: [[0, 100]],
      form: 'wide',
      values: 'float32',
      coordinates: 'float64',
      gaps: 0,
      nulls: 0,
    });
    const { bytes, batchAt, bodyAt } = messagesOf(table);
    const message = Message.decode(bytes.subarray(batchAt + 8, bodyAt));
    if (!message.isRecordBatch()) throw new Error('no batch');
    const header = message.header();
    header.buffers[5].length = 8;
    expect(() => rowLayout(table.schema, header, bodyAt, 'f')).toThrow('f: has too few bytes for the column date');
  });
});
