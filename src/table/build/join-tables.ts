import { DataType, type Data, type Dictionary, type Table, type Utf8, type Vector } from 'apache-arrow';
import { floatArray } from '../../core/number-arrays.js';
import { createTable, dates, flags, integers, type NewColumn, numbers, textDictionary, texts, moreTexts, type TextDictionary } from './create-table.js';
import { columnOf } from '../arrow/table-schema.js';

/**
 * Joins the rows of several tables with the same columns, such as the statistics of several files. Float32 and Float64
 * give Float64; metadata of tables and columns that all tables agree on are kept.
 */
export function joinTables(tables: readonly Table[]): Table {
  if (tables.length === 1) return tables[0];
  const [first, ...others] = tables;
  const metadata = sameEntries(
    first.schema.metadata,
    others.map(({ schema }) => schema.metadata),
  );
  const columns = first.schema.fields.map((field) => {
    const { name } = field;
    const column = joinColumns(
      name,
      tables.map((table) => columnOf(table, name)),
    );
    const ofOthers = others.flatMap(({ schema }) => schema.fields.find((other) => other.name === name)?.metadata ?? []);
    return { ...column, metadata: sameEntries(field.metadata, ofOthers) };
  });
  return createTable(columns, metadata);
}

type Entries = ReadonlyMap<string, string>;

function sameEntries(first: Entries, others: readonly Entries[]): Map<string, string> {
  return new Map([...first].filter(([key, value]) => others.every((other) => other.get(key) === value)));
}

function joinColumns(name: string, vectors: readonly Vector[]): NewColumn {
  const [{ type }] = vectors;
  const length = vectors.reduce((sum, vector) => sum + vector.length, 0);
  const chunks = vectors.flatMap((vector) => vector.data as readonly Data[]);
  if (DataType.isDictionary(type)) return joinTexts(name, vectors, length);
  if (DataType.isFloat(type)) {
    const single = vectors.every((vector) => DataType.isFloat(vector.type) && vector.type.precision === 1);
    // The value of a null is NaN in these tables.
    return numbers(name, gather(chunks, floatArray(single ? 'float32' : 'float64', length)));
  }
  if (DataType.isBool(type)) {
    const bits = new Uint8Array(length);
    let row = 0;
    for (const vector of vectors) for (const value of vector) bits[row++] = value ? 1 : 0;
    return flags(name, bits);
  }
  const values = gather(chunks, new Int32Array(length));
  return DataType.isDate(type) ? dates(name, values) : integers(name, values);
}

function gather<Values extends Int32Array | Float32Array | Float64Array>(chunks: readonly Data[], all: Values): Values {
  let at = 0;
  for (const { values, length } of chunks) {
    all.set(values.subarray(0, length), at);
    at += length;
  }
  return all;
}

function joinTexts(name: string, vectors: readonly Vector[], length: number): NewColumn {
  const indices = new Int32Array(length);
  const places = new Map<string | null, number>();
  let row = 0;
  for (const vector of vectors) {
    for (const value of vector as Iterable<string | null>) {
      let place = places.get(value);
      if (place === undefined) places.set(value, (place = places.size));
      indices[row++] = place;
    }
  }
  return texts(name, indices, textDictionary([...places.keys()]));
}

/**
 * Prepares tables with the same columns for one file: columns of texts get one dictionary each, which grows from table
 * to table. The metadata are those of the first table, limited to `keepMetadata`.
 */
export async function* tablesInSeries(
  tables: AsyncIterable<Table>,
  keepMetadata: readonly string[],
): AsyncGenerator<Table> {
  const columns = new Map<string, GrowingTexts>();
  let metadata: ReadonlyMap<string, string> | undefined;
  for await (const table of tables) {
    metadata ??= new Map([...table.schema.metadata].filter(([key]) => keepMetadata.includes(key)));
    for (const batch of table.batches) {
      const children = batch.schema.fields.map(({ name, type }, index): NewColumn => {
        const data = batch.data.children[index];
        if (!DataType.isDictionary(type)) return { name, data };
        const column = columns.get(name) ?? new GrowingTexts();
        columns.set(name, column);
        return column.add(name, data as Data<Dictionary<Utf8>>);
      });
      yield createTable(children, metadata);
    }
  }
}

/** The distinct texts of a column so far. */
class GrowingTexts {
  readonly #places = new Map<string | null, number>([[null, 0]]);
  #dictionary: TextDictionary = textDictionary([null]);

  add(name: string, { values, dictionary, length, nullBitmap, offset }: Data<Dictionary<Utf8>>): NewColumn {
    const known = this.#places.size;
    const place = Array.from(dictionary as Iterable<string | null>, (text) => this.#placeOf(text));
    const added = [...this.#places.keys()].slice(known) as string[];
    if (added.length > 0) this.#dictionary = moreTexts(this.#dictionary, added);
    const isNull = (row: number) =>
      nullBitmap.length > 0 && !((nullBitmap[(offset + row) >> 3] >> ((offset + row) & 7)) & 1);
    const indices = Int32Array.from({ length }, (_, row) => (isNull(row) ? 0 : place[values[row]]));
    return texts(name, indices, this.#dictionary);
  }

  #placeOf(text: string | null): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#places.size);
    return this.#places.size - 1;
  }
}

/** All tables of a source, in order. */
export async function allTables(tables: Iterable<Table> | AsyncIterable<Table>): Promise<Table[]> {
  const found: Table[] = [];
  for await (const table of tables) found.push(table);
  return found;
}
