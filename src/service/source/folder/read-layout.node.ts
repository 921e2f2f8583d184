import type { FileHandle } from 'node:fs/promises';
import { FormatError, isPlumecastError } from '../../../errors.js';
import { checkedFooterBlocks } from '../../../files/arrow/flatbuffer-vectors.js';
import { checkSeriesSchema, readBatchLayout, SeriesLayout } from './series-layout.js';
import type { SeriesHead } from './series-schema.js';

const MAGIC = 'ARROW1';
const HEAD_BYTES = 8;
const TAIL_BYTES = 4 + MAGIC.length;
const CONTINUATION = 0xffffffff;

/** The bytes of a footer or of a message's metadata that are read first; more are read where that is too little. */
const FIRST_READ_BYTES = 4096;

/** A file that is open for reading, its path, and its length in bytes. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly path: string;
  readonly size: number;
}

/**
 * Finds where the values lie in the file of a variable. Reads only its footer and the metadata of its batches. Throws
 * FormatError where the file is cut short, or does not hold the expected variable.
 */
export async function readSeriesLayout(file: OpenFile, head: SeriesHead): Promise<SeriesLayout> {
  try {
    const { ending, end } = await readEnding(file);
    const { dictionaries, recordBatches } = checkedFooterBlocks(ending.subarray(0, -TAIL_BYTES));
    checkSeriesSchema(ending, head, file.path);
    const batches = [];
    for (const { offset } of [...dictionaries, ...recordBatches]) {
      const { metadata, bodyAt } = await readMessage(file, offset);
      batches.push(readBatchLayout(metadata, head, { bodyAt, end }, file.path));
    }
    return new SeriesLayout(head, batches);
  } catch (cause) {
    if (isPlumecastError(cause) || 'syscall' in (cause as Error)) throw cause;
    throw new FormatError({ subject: file.path, problem: 'is a corrupt Arrow file', cause });
  }
}

/** Reads bytes of a file from `at` on. Throws FormatError where the file ends before. */
export async function readBytes(
  { handle, path }: OpenFile,
  at: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  if (at < 0) throw cutShort(path);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw cutShort(path);
    done += bytesRead;
  }
  return bytes;
}

/** The FormatError for a file that ends before it should. */
export function cutShort(path: string): FormatError {
  return new FormatError({
    subject: path,
    problem: 'is cut short',
    allowed: 'a complete Arrow file, as it was written',
  });
}

/** Reads the end of a file, from the footer on, and where it begins. */
async function readEnding(file: OpenFile): Promise<{ ending: Uint8Array; end: number }> {
  const tailBytes = Math.min(FIRST_READ_BYTES, file.size);
  if (tailBytes < TAIL_BYTES) throw cutShort(file.path);
  const tail = await readBytes(file, file.size - tailBytes, tailBytes);
  const footerEnd = tailBytes - TAIL_BYTES;
  const magic = String.fromCharCode(...tail.subarray(footerEnd + 4));
  const length = new DataView(tail.buffer).getInt32(footerEnd, true);
  const end = file.size - TAIL_BYTES - length;
  if (magic !== MAGIC || length <= 0 || end < HEAD_BYTES) throw cutShort(file.path);
  const bytes = length + TAIL_BYTES;
  return { ending: bytes <= tailBytes ? tail.subarray(-bytes) : await readBytes(file, end, bytes), end };
}

/** Reads the metadata of the message at `at`, and where its body begins. */
async function readMessage(file: OpenFile, at: number): Promise<{ metadata: Uint8Array; bodyAt: number }> {
  const first = await readBytes(file, at, Math.min(FIRST_READ_BYTES, file.size - at));
  const view = new DataView(first.buffer);
  if (first.length < 8 || view.getUint32(0, true) !== CONTINUATION) throw cutShort(file.path);
  const length = view.getUint32(4, true);
  const bodyAt = at + 8 + length;
  if (bodyAt > file.size) throw cutShort(file.path);
  const metadata = 8 + length <= first.length ? first.subarray(8, 8 + length) : await readBytes(file, at + 8, length);
  return { metadata, bodyAt };
}
