import type { DataType, Schema, Utf8, Vector } from 'apache-arrow';

/**
 * What files have in common that are read one after the other in the same way, such as the parts of a table: their
 * schema is read once where their footers have the same bytes beside row groups, and so are dictionaries of texts.
 */
export class SharedSchema {
  #bytes: readonly Uint8Array[] = [];
  #read: object | undefined;
  /** The schema of the table, of the file that was read last. */
  table: Schema | undefined;
  /** How many files there are. */
  readonly files: number;
  readonly #types = new Map<string, DataType>();
  readonly #texts = new Map<number, LastTexts>();

  constructor(files = 1) {
    this.files = files;
  }

  /** What `read` makes of a footer of these bytes, or has made of the last one where it had the same. */
  of<T extends object>(bytes: readonly Uint8Array[], read: () => T): T {
    const isSame = this.#read !== undefined && bytes.every((part, i) => areEqual(part, this.#bytes[i]));
    if (isSame) return this.#read as T;
    const found = read();
    this.#bytes = bytes;
    this.#read = found;
    this.table = undefined;
    return found;
  }

  /** The type of a column of coded texts, which `make` has made for the first file. */
  codedType(column: string, make: () => DataType): DataType {
    const type = this.#types.get(column) ?? make();
    this.#types.set(column, type);
    return type;
  }

  /** The dictionary of the column with this index among the stored ones. */
  textsOf(column: number): LastTexts {
    const texts = this.#texts.get(column) ?? new LastTexts();
    this.#texts.set(column, texts);
    return texts;
  }
}

/** The dictionary of texts of a column that was read last, and the bytes that it is stored as. */
export class LastTexts {
  #stored: Uint8Array | undefined;
  #codec = '';
  #texts: Vector<Utf8> | undefined;

  /** The dictionary that is stored as these bytes of a codec, if it is the last one. */
  find(stored: Uint8Array, codec: string): Vector<Utf8> | undefined {
    return codec === this.#codec && areEqual(stored, this.#stored) ? this.#texts : undefined;
  }

  keep(stored: Uint8Array, codec: string, texts: Vector<Utf8>): void {
    this.#stored = stored.slice();
    this.#codec = codec;
    this.#texts = texts;
  }
}

function areEqual(one: Uint8Array, other: Uint8Array | undefined): boolean {
  if (one.length !== other?.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
