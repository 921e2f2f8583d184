import type { Table } from 'apache-arrow';
import { assertShape } from '../../check/assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { assertBytes, type ByteSource, isBlob, readPieces } from '../byte-source.js';
import { checkArrow, tableFromIpc, tableOf } from './arrow-read.js';
import { CoreBuffer, reserveScratch } from './core-buffer.js';

/** Options of `readArrowInto`. */
export interface ReadArrowOptions {
  /** The name of the file or source, with which messages begin: `input` by default. */
  source?: string;
}

/**
 * Reads a whole Arrow IPC file or stream into the memory of `core`, where `statistics` and its like compute the columns in place. Its
 * bytes are copied once, from the pieces that they come in; columns are views of them, those of compressed bodies excepted.
 *
 * The memory's top is taken until `release`: meanwhile nothing else may be released that was allocated before, and while bytes come
 * nothing may be allocated. Throws FormatError where the bytes are no whole Arrow file or stream, DataError where it has no rows, PackageError
 * where a codec is not installed, CoreError where the 4 GiB of memory do not suffice, and what the source throws.
 */
export async function readArrowInto(
  core: Core,
  bytes: ByteSource,
  options: ReadArrowOptions = {},
): Promise<ArrowInCore> {
  assertCore(core);
  assertBytes(bytes);
  assertShape('options', options, { source: 'any text?' });
  const { source = 'input' } = options;
  const buffer = new CoreBuffer(core, knownLength(bytes));
  try {
    for await (const piece of readPieces(bytes)) buffer.append(piece);
  } catch (error) {
    buffer.release();
    throw error;
  }
  return arrowInBuffer(core, buffer, source);
}

function knownLength(bytes: ByteSource): number {
  if (bytes instanceof Uint8Array) return bytes.length;
  return isBlob(bytes) ? bytes.size : 0;
}

/** Arrow data in the core's memory, to be computed in place. */
export interface ArrowInCore {
  /**
   * The table whose columns lie there; compressed ones lie elsewhere, and all of a
   * file whose bodies are not where its messages say. Views on the memory are gone when it grows: ask for the table
   * anew before each use rather than keep it.
   */
  readonly table: Table;
  /** Gives the memory back, and all that was allocated after it. */
  release(): void;
}

/** The table of the bytes in a held. Throws FormatError where they are no complete Arrow file or stream, and releases the buffer then. */
export async function arrowInBuffer(core: Core, held: CoreBuffer, source: string): Promise<ArrowInCore> {
  let buffer: ArrayBufferLike;
  let table: Table;
  let isCopy: boolean;
  try {
    reserveScratch(core);
    ({ buffer } = held.bytes());
    const bytes = await checkArrow(held.bytes(), source);
    isCopy = bytes.buffer !== buffer;
    table = tableOf(bytes, source);
  } catch (error) {
    held.release();
    throw error;
  }
  return {
    get table() {
      const bytes = held.bytes();
      if (bytes.buffer !== buffer && !isCopy) table = tableFromIpc(bytes);
      buffer = bytes.buffer;
      return table;
    },
    release: () => held.release(),
  };
}
