import type { Table } from 'apache-arrow';
import { assertKind, assertKnownKeys } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { FormatError, OptionError, subjectIn } from '../../errors.js';
import type { PlatformDisposable } from '../../platform.js';
import { assertBytes, type ByteSource, knownBytes, readPieces } from '../byte-source.js';
import { detectFormat } from '../open-source.js';
import { checkFile, checkStream, readNonEmptyTable, tableFromIpc } from './arrow-read.js';
import { CoreBuffer, reserveScratch, withView } from './core-buffer.js';

/** Options of `readArrowInto`. */
export interface ReadArrowOptions extends WorkOptions {
  /** The name of the file or source at the beginning of messages: `input` by default. */
  source?: string;
}

/**
 * Reads an entire Arrow IPC file or stream into the memory of `core`, where `statistics` and similar functions compute
 * the columns in place. Each piece of bytes is copied once; columns are views of the copy, except those of compressed
 * bodies.
 *
 * It holds a part of the memory until `release`, which may come in any order with that of others. Throws FormatError if the bytes are not a complete Arrow file or stream, DataError
 * if it has no rows, PackageError if a codec is not installed, CoreError if 4 GiB of memory are not enough, and what
 * the source throws.
 */
export async function readArrowInto(
  core: Core,
  bytes: ByteSource,
  options: ReadArrowOptions = {},
): Promise<ArrowInCore> {
  assertCore(core);
  assertBytes(bytes);
  const { work, others } = beginWork(options, 'bytes', knownBytes(bytes));
  assertKnownKeys(others, ['source', ...WORK_KEYS]);
  const { source = 'input' } = others;
  assertKind('source', source, 'any text');
  const buffer = new CoreBuffer(core, knownBytes(bytes) ?? 0);
  try {
    for await (const piece of work.stream(readPieces(bytes, work))) buffer.append(piece);
  } catch (error) {
    buffer.release();
    throw error;
  }
  return arrowInBuffer(core, buffer, source);
}

/** Arrow data in the core's memory, for statistics to compute in place. */
export interface ArrowInCore extends PlatformDisposable {
  /**
   * The table whose columns lie there. Compressed columns lie elsewhere, as do all columns of a file whose bodies are
   * not where its messages say. Views of the memory become invalid when it grows: get the table again before each use
   * instead of keeping it.
   */
  readonly table: Table;
  /** Gives the memory back. Does nothing the second time. */
  release(): void;
}

/**
 * The table of the bytes in a buffer. Throws FormatError if they are not a complete Arrow file or stream; then the
 * buffer is released.
 */
export async function arrowInBuffer(core: Core, held: CoreBuffer, source: string): Promise<ArrowInCore> {
  const read = async (view: Uint8Array) => {
    const bytes = await checkArrow(view, source);
    return { view, isCopy: bytes.buffer !== view.buffer, table: readNonEmptyTable(bytes, source) };
  };
  let { view, isCopy, table } = await (async () => reserveScratch(core))()
    .then(() => withView(() => held.bytes(), read))
    .catch((error) => {
      held.release();
      throw error;
    });
  let isReleased = false;
  const release = () => {
    isReleased = true;
    held.release();
  };
  return {
    get table() {
      if (isReleased) throw released(source);
      const bytes = held.bytes();
      if (bytes.buffer !== view.buffer && !isCopy) table = tableFromIpc(bytes);
      view = bytes;
      return table;
    },
    release,
    ...(Symbol.dispose && { [Symbol.dispose]: release }),
  };
}

function released(source: string): OptionError {
  return new OptionError({
    subject: subjectIn(source, 'table'),
    problem: 'its memory was released',
    allowed: 'a table that is used before `release`',
  });
}

/**
 * Checks an Arrow IPC file or stream, detected from the content, as `readArrowFile` and `readArrowStream` do. Returns
 * the bytes for apache-arrow: the same, or a copy of a file that it cannot read as it is. Throws a FormatError for any
 * other format.
 */
async function checkArrow(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  const format = detectFormat(bytes, source);
  if (format === 'arrow-file') return checkFile(bytes, source);
  if (format === 'arrow-stream') return checkStream(bytes, source);
  throw new FormatError({
    subject: source,
    problem: 'is not Arrow',
    received: format,
    allowed: 'an Arrow IPC file or stream',
  });
}
