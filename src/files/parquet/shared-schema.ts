import type { Schema } from 'apache-arrow';
import type { FileMetaData, SchemaTree } from 'hyparquet';
import type { ParquetLeaf } from './schema-columns.js';

/** What a footer says beside its row groups and their rows. */
interface FileSchema {
  readonly metadata: FileMetaData;
  readonly tree: SchemaTree;
  readonly leaves: readonly ParquetLeaf[];
}

/**
 * The schema of files that are read one after the other in the same way, such as the parts of a table: where their
 * footers have the same bytes beside row groups, it is read once.
 */
export class SharedSchema {
  #bytes: readonly Uint8Array[] = [];
  #file: FileSchema | undefined;
  /** The schema of the table, of the file that was read last. */
  table: Schema | undefined;

  /** What footers of these bytes say; undefined if the last one was another. */
  find(bytes: readonly Uint8Array[]): FileSchema | undefined {
    return bytes.every((part, i) => areEqual(part, this.#bytes[i])) ? this.#file : undefined;
  }

  keep(bytes: readonly Uint8Array[], file: FileSchema): void {
    this.#bytes = bytes;
    this.#file = file;
    this.table = undefined;
  }
}

function areEqual(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.length === other?.length && one.every((byte, i) => byte === other[i]);
}
