import { assertShape } from '../../check/assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { assertBytes, type ByteSource, isBlob, readPieces } from '../byte-source.js';
import { type ArrowInCore, arrowInBuffer } from './arrow-in-core.js';
import { CoreBuffer } from './core-buffer.js';

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
