import { Message, type Schema } from 'apache-arrow';
import { FormatError, isPlumecastError } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import { findBatch } from './arrow-file-messages.js';
import { type ArrowFooter, HEAD_BYTES, MAGIC, readArrowFooter, TAIL_BYTES } from './arrow-footer.js';
import { assertBatchLayout } from './arrow-layout.js';
import { encapsulate, messagePrefix } from './arrow-messages.js';
import { type RowLayout, rowLayout } from './batch-slices.js';
import { checkVectorLengths, type MessageBlock, messageKind } from './flatbuffer-vectors.js';

/** Messages are read together if all of them begin and end at multiples of this. */
const ALIGNMENT = 8;
/** With a longer schema and dictionaries, the file is read at once. */
const MAX_PREFIX_BYTES = 16_777_216;

/** An Arrow IPC file that is open for reading, a few batches at a time. */
export interface ArrowFile {
  readonly access: RandomAccess;
  /** The messages of its schema and dictionaries, as at the beginning of a stream. */
  readonly prefix: Uint8Array;
  readonly batches: readonly FileBatch[];
}

/** A record batch of a file: its place, and the places of its rows if it is too long to be read at once. */
export interface FileBatch extends MessageBlock {
  readonly rows?: RowLayout;
}

/**
 * Finds the messages of an Arrow IPC file by its footer. It reads the schema and the dictionaries, and the metadata of
 * batches longer than `maxBytes`. Undefined if it is not such a file, or cannot be read in parts: the reader of entire
 * files then reads it, or reports what is wrong. Throws FileError and FormatError.
 */
export async function openArrowFile(access: RandomAccess, maxBytes: number): Promise<ArrowFile | undefined> {
  const footer = await readFooter(access);
  if (footer === undefined) return undefined;
  const { schema } = footer;
  const prefix = await readPrefix(access, footer);
  if (prefix === undefined) return undefined;
  const batches: FileBatch[] = [];
  for (const block of footer.recordBatches) {
    const isLong = block.bodyBytes > maxBytes;
    batches.push(isLong ? { ...block, rows: await readRowLayout(access, schema, block) } : block);
  }
  return { access, prefix, batches };
}

interface Footer extends ArrowFooter {
  /** The message of its schema, made from the footer: not every file has one, as apache-arrow does not write it. */
  readonly schemaMessage: Uint8Array;
  /** The end of its messages. */
  readonly end: number;
}

async function readFooter(access: RandomAccess): Promise<Footer | undefined> {
  const { size } = access;
  if (size < HEAD_BYTES + TAIL_BYTES) return undefined;
  const bytes = async (from: number, length: number) => {
    const target = new Uint8Array(length);
    await access.read(from, target);
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
async function readPrefix(access: RandomAccess, footer: Footer): Promise<Uint8Array | undefined> {
  const { dictionaries, recordBatches, schemaMessage: first } = footer;
  if (recordBatches.length === 0) return undefined;
  // apache-arrow does not write empty names.
  if (footer.schema.fields.some(({ name }) => name === '')) return undefined;
  if (![...dictionaries, ...recordBatches].every(isAligned)) return undefined;
  if (!(await areAllListed(access, footer))) return undefined;
  for (const block of recordBatches) {
    if (!(await isAsListed(access, block, 'batch'))) return undefined;
  }
  const length = dictionaries.reduce((sum, block) => sum + block.metadataBytes + block.bodyBytes, first.length);
  if (length > MAX_PREFIX_BYTES) return undefined;
  const prefix = new Uint8Array(length);
  prefix.set(first);
  let at = first.length;
  for (const block of dictionaries) {
    if (!(await isAsListed(access, block, 'dictionary'))) return undefined;
    const bytes = block.metadataBytes + block.bodyBytes;
    await access.read(block.offset, prefix.subarray(at, at + bytes));
    at += bytes;
  }
  return prefix;
}

function isAligned({ offset, metadataBytes, bodyBytes }: MessageBlock): boolean {
  const areMultiples = [offset, metadataBytes, bodyBytes].every((bytes) => bytes % ALIGNMENT === 0);
  return areMultiples && offset >= HEAD_BYTES && metadataBytes > 0 && bodyBytes >= 0;
}

/** Whether messages do not overlap, with no other batch or dictionary between them. */
async function areAllListed(access: RandomAccess, footer: Footer): Promise<boolean> {
  const blocks = [...footer.dictionaries, ...footer.recordBatches].sort((a, b) => a.offset - b.offset);
  let at = HEAD_BYTES;
  for (const { offset, metadataBytes, bodyBytes } of [
    ...blocks,
    { offset: footer.end, metadataBytes: 0, bodyBytes: 0 },
  ]) {
    if (offset < at || offset - at > MAX_PREFIX_BYTES) return false;
    if (offset > at) {
      const between = new Uint8Array(offset - at);
      await access.read(at, between);
      if (findBatch(between, 0, between.length) !== undefined) return false;
    }
    at = offset + metadataBytes + bodyBytes;
  }
  return true;
}

/** Whether a message has the kind and the lengths that the footer states. */
async function isAsListed(access: RandomAccess, block: MessageBlock, kind: 'dictionary' | 'batch'): Promise<boolean> {
  const bytes = new Uint8Array(block.metadataBytes);
  await access.read(block.offset, bytes);
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
  access: RandomAccess,
  schema: Schema,
  { offset, metadataBytes, bodyBytes }: MessageBlock,
): Promise<RowLayout | undefined> {
  const { source } = access;
  const bytes = new Uint8Array(metadataBytes);
  await access.read(offset, bytes);
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
