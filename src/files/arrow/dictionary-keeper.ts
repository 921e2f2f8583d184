import { type Data, DataType, Dictionary, Field, makeData, RecordBatch, Schema, type Vector } from 'apache-arrow';
import { OptionError } from '../../errors.js';
import { quickSchema } from '../../table/arrow/quick-schema.js';

/** Makes every batch of a file use the dictionaries of the first one, as an Arrow file cannot replace them. */
export class DictionaryKeeper {
  /** The schema of the file: its dictionaries are numbered anew, so that the same content gives the same bytes. */
  readonly schema: Schema;
  readonly #kept: (Vector | undefined)[] = [];

  constructor(schema: Schema) {
    this.schema = quickSchema(numbered(schema));
  }

  /**
   * The batch with the file's schema and dictionaries. Nothing is copied.
   *
   * A dictionary may have the same entries as before, or extend the previous one with chunks of new entries. Throws an
   * OptionError that names the column if it is a different one.
   */
  keep({ data, metadata }: RecordBatch): RecordBatch {
    const children = data.children.map((child, index) => {
      if (child.dictionary === undefined) return child;
      const dictionary = this.#dictionary(index, child.dictionary);
      return dictionary === child.dictionary ? child : withDictionary(child as Data<Dictionary>, dictionary);
    });
    const struct = makeData({ type: data.type, length: data.length, nullCount: 0, children });
    // Older versions of apache-arrow take no metadata here.
    return metadata?.size ? new RecordBatch(this.schema, struct, metadata) : new RecordBatch(this.schema, struct);
  }

  #dictionary(index: number, next: Vector): Vector {
    const kept = this.#kept[index];
    if (kept === next) return kept;
    if (kept === undefined || (next.data.length > kept.data.length && begins(next, kept))) {
      this.#kept[index] = next;
      return next;
    }
    if (begins(kept, next) || haveSameEntries(kept, next)) return kept;
    throw new OptionError({
      subject: `column ${this.schema.fields[index].name}`,
      problem: 'has another dictionary than in the batches before, which an Arrow file cannot hold',
      received: `${next.length} entries after ${kept.length}`,
      allowed: 'one dictionary for all batches, or a column of type Utf8',
    });
  }
}

/**
 * apache-arrow numbers dictionaries across all tables of a thread. Those within lists and structs keep their numbers.
 */
function numbered({ fields, metadata, dictionaries }: Schema): Schema {
  const nested = new Set(dictionaries.keys());
  for (const { type } of fields) if (DataType.isDictionary(type)) nested.delete(type.id);
  let next = 0;
  const own = fields.map(({ name, type, nullable, metadata: ofField }) => {
    if (!DataType.isDictionary(type)) return new Field(name, type, nullable, ofField);
    while (nested.has(next)) next++;
    return new Field(name, new Dictionary(type.dictionary, type.indices, next++, type.isOrdered), nullable, ofField);
  });
  return new Schema(own, metadata);
}

/** Whether the first chunks of `longer` are those of `shorter`. */
function begins(longer: Vector, shorter: Vector): boolean {
  return shorter.data.every((chunk, index) => chunk === longer.data[index]);
}

function haveSameEntries(one: Vector, other: Vector): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one.get(i) !== other.get(i)) return false;
  return true;
}

function withDictionary(
  { type, offset, length, nullCount, nullBitmap, values }: Data<Dictionary>,
  dictionary: Vector,
): Data<Dictionary> {
  return makeData({ type, offset, length, nullCount, nullBitmap, data: values, dictionary });
}
