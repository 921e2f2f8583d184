import { type Data, DataType, type Dictionary, type Table, type Utf8 } from 'apache-arrow';
import { createTable, moreTexts, type NewColumn, type TextDictionary, textDictionary, texts } from './create-table.js';

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
