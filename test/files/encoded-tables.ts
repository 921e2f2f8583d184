import { Bool, DateDay, Dictionary, Float32, Float64, Int32, Schema, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { encodeTables, type TableFormat } from '../../src/files/index.js';

/** The blocks that encodeTables gives. */
export async function blocksOf(
  tables: Iterable<Table> | AsyncIterable<Table>,
  format: TableFormat,
): Promise<Uint8Array[]> {
  const blocks: Uint8Array[] = [];
  for await (const block of encodeTables(tables, format)) blocks.push(block);
  return blocks;
}

/** The file that encodeTables writes. */
export const encoded = async (tables: Iterable<Table> | AsyncIterable<Table>, format: TableFormat) =>
  new Uint8Array(Buffer.concat(await blocksOf(tables, format)));

/** Rows of every kind that all formats hold, some of them null. */
export function weather(rows: number, metadata?: Map<string, string>): Table {
  const column = <T>(value: (row: number) => T) =>
    Array.from({ length: rows }, (_, row) => (row % 11 === 5 ? null : value(row)));
  const { schema, batches } = new Table({
    name: vectorFromArray(
      column((row) => ['rain', 'snow, "wet"'][row % 2]),
      new Dictionary(new Utf8(), new Int32()),
    ),
    place: vectorFromArray(
      column((row) => `cell ${row} é`),
      new Utf8(),
    ),
    day: vectorFromArray(
      column((row) => new Date((row % 400) * 86_400_000)),
      new DateDay(),
    ),
    complete: vectorFromArray(
      column((row) => row % 3 === 0),
      new Bool(),
    ),
    mean: vectorFromArray(
      column((row) => Math.fround(row / 7)),
      new Float32(),
    ),
    q50: vectorFromArray(
      column((row) => row / 3),
      new Float64(),
    ),
  });
  return new Table(new Schema(schema.fields, metadata), batches);
}
