import { Message, type Schema } from 'apache-arrow';
import { type HeldBlock, HeldBlocks } from '../../core/held-blocks.js';
import type { Core } from '../../core/load.js';
import { FormatError, isPlumecastError } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import { findBatch } from './arrow-file-messages.js';
import { type ArrowFooter, HEAD_BYTES, MAGIC, readArrowFooter, TAIL_BYTES } from './arrow-footer.js';
import { assertBatchLayout } from './arrow-layout.js';
import { encapsulate, messagePrefix } from './arrow-messages.js';
import { type FilePart, type FileRead, type RowLayout, rowLayout, slices } from './batch-slices.js';
import { reserveScratch, withView } from './core-buffer.js';
import { checkVectorLengths, type MessageBlock, messageKind } from './flatbuffer-vectors.js';
import type { MessageRun } from './message-runs.js';

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
interface FileBatch extends MessageBlock {
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

/** Bytes of a file that are read at a time: long enough that reads cost little, short enough for the caches. */
export const PART_BYTES = 16_777_216;

/**
 * Reads a file part by part into the core's memory and yields each part as messages of an Arrow stream, schema first. A
 * part is valid until the next one is requested. While one is processed, the next is read to a second buffer. The
 * buffers are released at the end.
 *
 * Throws FileError, FormatError if the file ends early, and CoreError if there is not enough memory.
 */
export async function* doubleBufferedParts(core: Core, file: ArrowFile): AsyncGenerator<MessageRun> {
  const { memory } = core;
  const held = HeldBlocks.of(memory);
  const longest = longestPart(file, PART_BYTES);
  const bytes = file.prefix.length + longest;
  // A batch that can only be read at once may be as long as half the memory: then there is one buffer.
  const buffers = longest > 4 * PART_BYTES ? 1 : 2;
  const blocks: HeldBlock[] = [];
  const parts = fileParts(file, PART_BYTES);
  let turn = 0;
  const readNext = () => {
    const { value: part } = parts.next();
    const read = part && readPart(core, file, part, blocks[turn++ % buffers].address);
    // It may fail before it is awaited; this keeps the runtime from reporting an unhandled rejection.
    read?.catch(() => undefined);
    return read;
  };
  let reading: ReturnType<typeof readNext>;
  try {
    while (blocks.length < buffers) blocks.push(held.hold(bytes));
    reserveScratch(core);
    reading = readNext();
    while (reading !== undefined) {
      const buffer = await reading;
      reading = buffers > 1 ? readNext() : undefined;
      yield () => memory.bytes(buffer.address, buffer.length);
      reading ??= readNext();
    }
  } finally {
    // A read in progress still writes to its buffer.
    await reading?.catch(() => undefined);
    for (const block of blocks) held.release(block);
  }
}

async function readPart(
  { memory }: Core,
  { access, prefix }: ArrowFile,
  { head, bytes, reads }: FilePart,
  address: number,
): Promise<{ address: number; length: number }> {
  const length = prefix.length + bytes;
  await withView(
    () => memory.bytes(address, length),
    async (buffer) => {
      buffer.set(prefix);
      if (head !== undefined) buffer.set(head, prefix.length);
      const all = await Promise.allSettled(
        reads.map(({ from, to, length: count }) => {
          const start = prefix.length + to;
          return access.read(from, buffer.subarray(start, start + count));
        }),
      );
      for (const read of all) if (read.status === 'rejected') throw read.reason;
    },
  );
  return { address, length };
}

/**
 * The parts in which a file is read, of up to `bytes` bytes if its batches allow: neighbours together, long ones in
 * slices.
 */
function* fileParts({ batches }: ArrowFile, bytes: number): Generator<FilePart> {
  for (let i = 0; i < batches.length; ) {
    const { rows } = batches[i];
    if (rows !== undefined) {
      yield* slices(rows, bytes);
      i++;
      continue;
    }
    const reads: FileRead[] = [];
    let length = 0;
    do {
      const block = batches[i++];
      const more = bytesOf(block);
      const last = reads.at(-1);
      // Neighbouring bytes are read at once.
      if (last !== undefined && last.from + last.length === block.offset) {
        reads[reads.length - 1] = { ...last, length: last.length + more };
      } else {
        reads.push({ from: block.offset, to: length, length: more });
      }
      length += more;
    } while (i < batches.length && batches[i].rows === undefined && length + bytesOf(batches[i]) <= bytes);
    yield { bytes: length, reads };
  }
}

/** The bytes of the longest part. */
function longestPart(file: ArrowFile, bytes: number): number {
  let longest = 0;
  for (const part of fileParts(file, bytes)) longest = Math.max(longest, part.bytes);
  return longest;
}

function bytesOf({ metadataBytes, bodyBytes }: FileBatch): number {
  return metadataBytes + bodyBytes;
}
