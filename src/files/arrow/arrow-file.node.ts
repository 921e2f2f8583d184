import type { FileHandle } from 'node:fs/promises';
import { Message, type Schema } from 'apache-arrow';
import { unreadable } from '../../disk/file-fault.js';
import { openRegularFile } from '../../disk/regular-file.node.js';
import { FormatError, isPlumecastError } from '../../errors.js';
import { findBatch } from './arrow-file-messages.js';
import { type ArrowFooter, HEAD_BYTES, MAGIC, readArrowFooter, TAIL_BYTES } from './arrow-footer.js';
import { assertBatchLayout } from './arrow-layout.js';
import { encapsulate, messagePrefix } from './arrow-messages.js';
import { truncatedFile } from './arrow-read.js';
import { type RowLayout, rowLayout } from './batch-slices.js';
import { checkVectorLengths, type MessageBlock, messageKind } from './flatbuffer-vectors.js';

/** Messages are read together if all of them begin and end at multiples of this. */
const ALIGNMENT = 8;
/** One system call reads no more than 2 GiB. */
const MAX_AT_ONCE = 1 << 30;
/** With a longer schema and dictionaries, the file is read at once. */
const MAX_PREFIX_BYTES = 16_777_216;

/** An Arrow IPC file that is open for reading, a few batches at a time. */
export interface ArrowFile {
  readonly handle: FileHandle;
  /** The messages of its schema and dictionaries, as at the beginning of a stream. */
  readonly prefix: Uint8Array;
  readonly batches: readonly FileBatch[];
}

/** A record batch of a file: its place, and the places of its rows if it is too long to be read at once. */
export interface FileBatch extends MessageBlock {
  readonly rows?: RowLayout;
}

/** Opens a file for reading; `source` is its name in messages. Throws FileError. */
export async function openFile(path: string, source = path): Promise<FileHandle> {
  try {
    return await openRegularFile(path, source);
  } catch (cause) {
    throw unreadable(source, cause, 'a readable file');
  }
}

/**
 * Fills `target` with the bytes of a file from `from` on. Throws FileError, and FormatError if the file ends before.
 */
export async function readExactly(handle: FileHandle, target: Uint8Array, from: number, source: string): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await handle
      .read(target, done, Math.min(target.length - done, MAX_AT_ONCE), from + done)
      .catch((cause) => Promise.reject(unreadable(source, cause, 'a readable file')));
    if (bytesRead === 0) throw truncatedFile(source);
    done += bytesRead;
  }
}

/**
 * Finds the messages of an Arrow IPC file by its footer. It reads the schema and the dictionaries, and the metadata of
 * batches longer than `maxBytes`. Undefined if it is not such a file, or cannot be read in parts: the reader of entire
 * files then reads it, or reports what is wrong. Throws FileError and FormatError.
 */
export async function openArrowFile(
  handle: FileHandle,
  source: string,
  maxBytes: number,
): Promise<ArrowFile | undefined> {
  const { size } = await handle.stat();
  const footer = await readFooter(handle, size, source);
  if (footer === undefined) return undefined;
  const { schema } = footer;
  const prefix = await readPrefix(handle, footer, source);
  if (prefix === undefined) return undefined;
  const batches: FileBatch[] = [];
  for (const block of footer.recordBatches) {
    const isLong = block.bodyBytes > maxBytes;
    batches.push(isLong ? { ...block, rows: await readRowLayout(handle, schema, block, source) } : block);
  }
  return { handle, prefix, batches };
}

interface Footer extends ArrowFooter {
  /** The message of its schema, made from the footer: not every file has one, as apache-arrow does not write it. */
  readonly schemaMessage: Uint8Array;
  /** The end of its messages. */
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
    return { ...footer, schemaMessage: encapsulate(Message.encode(Message.from(footer.schema))), end };
  } catch (cause) {
    if (isPlumecastError(cause)) throw cause;
    return undefined;
  }
}

/**
 * The messages of schema and dictionaries; undefined if the file can only be read at once: if messages are not aligned,
 * differ from what the footer says, overlap or are not listed. The reader of entire files reports these.
 */
async function readPrefix(handle: FileHandle, footer: Footer, source: string): Promise<Uint8Array | undefined> {
  const { dictionaries, recordBatches, schemaMessage: first } = footer;
  if (recordBatches.length === 0) return undefined;
  // apache-arrow does not write empty names.
  if (footer.schema.fields.some(({ name }) => name === '')) return undefined;
  if (![...dictionaries, ...recordBatches].every(isAligned)) return undefined;
  if (!(await areAllListed(handle, footer, source))) return undefined;
  for (const block of recordBatches) {
    if (!(await isAsListed(handle, block, 'batch', source))) return undefined;
  }
  const length = dictionaries.reduce((sum, block) => sum + block.metadataBytes + block.bodyBytes, first.length);
  if (length > MAX_PREFIX_BYTES) return undefined;
  const prefix = new Uint8Array(length);
  prefix.set(first);
  let at = first.length;
  for (const block of dictionaries) {
    if (!(await isAsListed(handle, block, 'dictionary', source))) return undefined;
    const bytes = block.metadataBytes + block.bodyBytes;
    await readExactly(handle, prefix.subarray(at, at + bytes), block.offset, source);
    at += bytes;
  }
  return prefix;
}

function isAligned({ offset, metadataBytes, bodyBytes }: MessageBlock): boolean {
  const areMultiples = [offset, metadataBytes, bodyBytes].every((bytes) => bytes % ALIGNMENT === 0);
  return areMultiples && offset >= HEAD_BYTES && metadataBytes > 0 && bodyBytes >= 0;
}

/** Whether messages do not overlap, with no other batch or dictionary between them. */
async function areAllListed(handle: FileHandle, footer: Footer, source: string): Promise<boolean> {
  const blocks = [...footer.dictionaries, ...footer.recordBatches].sort((a, b) => a.offset - b.offset);
  let at = HEAD_BYTES;
  for (const { offset, metadataBytes, bodyBytes } of [
    ...blocks,
    { offset: footer.end, metadataBytes: 0, bodyBytes: 0 },
  ]) {
    if (offset < at || offset - at > MAX_PREFIX_BYTES) return false;
    if (offset > at) {
      const between = new Uint8Array(offset - at);
      await readExactly(handle, between, at, source);
      if (findBatch(between, 0, between.length) !== undefined) return false;
    }
    at = offset + metadataBytes + bodyBytes;
  }
  return true;
}

/** Whether a message has the kind and the lengths that the footer states. */
async function isAsListed(
  handle: FileHandle,
  block: MessageBlock,
  kind: 'dictionary' | 'batch',
  source: string,
): Promise<boolean> {
  const bytes = new Uint8Array(block.metadataBytes);
  await readExactly(handle, bytes, block.offset, source);
  const { prefix, length } = messagePrefix(bytes, 0);
  if (prefix + length !== block.metadataBytes) return false;
  try {
    const metadata = bytes.subarray(prefix);
    return messageKind(metadata) === kind && Message.decode(metadata).bodyLength === block.bodyBytes;
  } catch {
    return false;
  }
}

async function readRowLayout(
  handle: FileHandle,
  schema: Schema,
  { offset, metadataBytes, bodyBytes }: MessageBlock,
  source: string,
): Promise<RowLayout | undefined> {
  const bytes = new Uint8Array(metadataBytes);
  await readExactly(handle, bytes, offset, source);
  const metadata = bytes.subarray(messagePrefix(bytes, 0).prefix);
  try {
    checkVectorLengths(metadata);
    const message = Message.decode(metadata);
    if (!message.isRecordBatch()) throw new RangeError('not a record batch');
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
