import { type FileHandle, open } from 'node:fs/promises';
import { Message, type Schema } from 'apache-arrow';
import { FormatError, isPlumecastError } from '../errors.js';
import { unreadable } from '../file-fault.js';
import { type ArrowFooter, HEAD_BYTES, MAGIC, readArrowFooter, TAIL_BYTES } from '../formats/arrow-footer.js';
import { assertBatchLayout } from '../formats/arrow-layout.js';
import { walkArrowMessages } from '../formats/arrow-messages.js';
import { checkVectorLengths, type MessageBlock } from '../formats/flatbuffer-vectors.js';
import { type RowLayout, rowLayout } from './batch-slices.js';
import { encapsulated } from './encapsulated.js';

/** What may stand between the last message and the footer: an end-of-stream marker. */
const MARKER_BYTES = 8;
/** One system call reads no more than 2 GiB. */
const MOST_AT_ONCE = 1 << 30;
/** A schema with its dictionaries that is longer is read with the whole file. */
const MOST_PREFIX_BYTES = 16_777_216;

/** An Arrow IPC file that is open for reading, a few batches at a time. */
export interface ArrowFile {
  readonly handle: FileHandle;
  /** Its messages of schema and dictionaries, as a stream begins with them. */
  readonly prefix: Uint8Array;
  readonly batches: readonly FileBatch[];
}

/** A record batch of a file: its place, and where its rows lie if it is too long to be read at once. */
export interface FileBatch extends MessageBlock {
  readonly rows?: RowLayout;
}

/** Opens a file for reading. Throws FileError. */
export function openFile(path: string): Promise<FileHandle> {
  return open(path).catch((cause) => Promise.reject(unreadable(path, cause, 'a readable file')));
}

/** Fills `target` with the bytes of a file from `from` on. Throws FileError, and FormatError where the file ends before. */
export async function readExactly(handle: FileHandle, target: Uint8Array, from: number, source: string): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await handle
      .read(target, done, Math.min(target.length - done, MOST_AT_ONCE), from + done)
      .catch((cause) => Promise.reject(unreadable(source, cause, 'a readable file')));
    if (bytesRead === 0) throw truncatedFile(source);
    done += bytesRead;
  }
}

/**
 * Finds the messages of an Arrow IPC file by its footer: schema and dictionaries are read, and of batches with more than `mostBytes`
 * bytes the metadata. Undefined where it is no such file, or not one whose batches follow each other: that is for readers of
 * whole files, which tell what is wrong with it. Throws FileError and FormatError.
 */
export async function arrowFile(handle: FileHandle, source: string, mostBytes: number): Promise<ArrowFile | undefined> {
  const { size } = await handle.stat();
  const footer = await readFooter(handle, size, source);
  if (footer === undefined) return undefined;
  const { schema } = footer;
  const prefix = await readPrefix(handle, footer, source);
  if (prefix === undefined) return undefined;
  const batches: FileBatch[] = [];
  for (const block of footer.recordBatches) {
    const isLong = block.bodyBytes > mostBytes;
    batches.push(isLong ? { ...block, rows: await longBatch(handle, schema, block, source) } : block);
  }
  return { handle, prefix, batches };
}

interface Footer extends ArrowFooter {
  /** The message of its schema: not every file has one, as apache-arrow leaves it to the footer. */
  readonly schemaMessage: Uint8Array;
  /** Where its messages end. */
  readonly end: number;
}

async function readFooter(handle: FileHandle, size: number, source: string): Promise<Footer | undefined> {
  if (size < HEAD_BYTES + TAIL_BYTES) return undefined;
  const bytes = async (from: number, length: number) => {
    const target = new Uint8Array(length);
    await readExactly(handle, target, from, source);
    return target;
  };
  const isMagic = (text: Uint8Array) => String.fromCharCode(...text) === MAGIC;
  if (!isMagic(await bytes(0, MAGIC.length))) return undefined;
  const tail = await bytes(size - TAIL_BYTES, TAIL_BYTES);
  const length = new DataView(tail.buffer).getInt32(0, true);
  const end = size - TAIL_BYTES - length;
  if (!isMagic(tail.subarray(4)) || length <= 0 || end < HEAD_BYTES) return undefined;
  try {
    const footer = readArrowFooter(await bytes(end, length));
    return { ...footer, schemaMessage: encapsulated(Message.encode(Message.from(footer.schema))), end };
  } catch (cause) {
    if (isPlumecastError(cause)) throw cause;
    return undefined;
  }
}

/** The messages of schema and dictionaries; undefined where messages do not follow each other. */
async function readPrefix(handle: FileHandle, footer: Footer, source: string): Promise<Uint8Array | undefined> {
  const blocks = [...footer.dictionaries, ...footer.recordBatches].sort((a, b) => a.offset - b.offset);
  if (footer.recordBatches.length === 0) return undefined;
  // apache-arrow does not write a name that is empty.
  if (footer.schema.fields.some(({ name }) => name === '')) return undefined;
  let end = blocks[0].offset;
  for (const { offset, metadataBytes, bodyBytes } of blocks) {
    if (offset !== end || metadataBytes <= 0 || bodyBytes < 0) return undefined;
    end += metadataBytes + bodyBytes;
  }
  if (end > footer.end || footer.end - end > MARKER_BYTES) return undefined;
  if (!(await holdsNoBatches(handle, HEAD_BYTES, blocks[0].offset, source))) return undefined;
  if (!(await holdsNoBatches(handle, end, footer.end, source))) return undefined;
  const { schemaMessage: first } = footer;
  const length = footer.dictionaries.reduce((sum, block) => sum + block.metadataBytes + block.bodyBytes, first.length);
  if (length > MOST_PREFIX_BYTES) return undefined;
  const prefix = new Uint8Array(length);
  prefix.set(first);
  let at = first.length;
  for (const { offset, metadataBytes, bodyBytes } of footer.dictionaries) {
    const bytes = metadataBytes + bodyBytes;
    await readExactly(handle, prefix.subarray(at, at + bytes), offset, source);
    at += bytes;
  }
  return prefix;
}

/** Whether there is a range of a file in which no message is but that of the schema and the end-of-stream marker. */
async function holdsNoBatches(handle: FileHandle, from: number, to: number, source: string): Promise<boolean> {
  if (from > to || to - from > MOST_PREFIX_BYTES) return false;
  const bytes = new Uint8Array(to - from);
  await readExactly(handle, bytes, from, source);
  try {
    const found = walkArrowMessages(bytes, { start: 0, end: to - from, hasSchema: true }, source);
    const isEnded = found.ended && from === HEAD_BYTES;
    return found.batches.length === 0 && found.dictionaries.length === 0 && !isEnded;
  } catch {
    return false;
  }
}

async function longBatch(
  handle: FileHandle,
  schema: Schema,
  { offset, metadataBytes, bodyBytes }: MessageBlock,
  source: string,
): Promise<RowLayout | undefined> {
  const bytes = new Uint8Array(metadataBytes);
  await readExactly(handle, bytes, offset, source);
  // Before the metadata stands their length, and before that, since Arrow 0.15, a marker.
  const metadata = bytes.subarray(new DataView(bytes.buffer).getUint32(0, true) === 0xffffffff ? 8 : 4);
  try {
    checkVectorLengths(metadata);
    const message = Message.decode(metadata);
    if (!message.isRecordBatch()) throw new RangeError('no record batch');
    const header = message.header();
    if (header.buffers.some((region) => !(region.offset >= 0 && region.offset + region.length <= bodyBytes))) {
      throw new RangeError('a buffer outside of its body');
    }
    const layout = rowLayout(schema, header, offset + metadataBytes, source);
    if (layout !== undefined) assertBatchLayout(bytes, { header, at: 0, start: 0, end: 0 }, schema, source);
    return layout;
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    throw new FormatError({ subject: source, problem: 'holds a corrupt Arrow message', cause });
  }
}

function truncatedFile(source: string): FormatError {
  return new FormatError({
    subject: source,
    problem: 'is a truncated Arrow file',
    allowed: 'a file that ends with its footer and ARROW1',
  });
}
