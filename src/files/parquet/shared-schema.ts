import type { Schema } from 'apache-arrow';

/**
 * The schema of files that are read one after the other in the same way, such as the parts of a table: where their
 * footers have the same bytes beside row groups, it is read once.
 */
export class SharedSchema {
  #bytes: readonly Uint8Array[] = [];
  #read: object | undefined;
  /** The schema of the table, of the file that was read last. */
  table: Schema | undefined;

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
}

function areEqual(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.length === other?.length && one.every((byte, i) => byte === other[i]);
}
