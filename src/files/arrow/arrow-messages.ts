import { Message, type MessageHeader, type Schema } from 'apache-arrow';
import { FormatError } from '../../errors.js';
import { noCompression } from '../codecs/compression.js';
import { checkVectorLengths } from './flatbuffer-vectors.js';
import { unknownType } from './unknown-type.js';

/** The metadata of a record batch, as apache-arrow decodes it. */
export type BatchHeader = ReturnType<Message<MessageHeader.RecordBatch>['header']>;

/** The place of a record batch, or of the batch that holds a dictionary. */
export interface BatchPlace {
  readonly header: BatchHeader;
  /** The beginning of its message, and the beginning and end of its body. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** The entries of a dictionary among messages. */
interface DictionaryPlace extends BatchPlace {
  readonly id: number;
}

/** The content of a run of Arrow IPC messages, found without reading any column. */
export interface ArrowMessages {
  /** Whether there was an end-of-stream marker. */
  ended: boolean;
  /** The first byte after the marker, or after the last message. */
  end: number;
  hasSchema: boolean;
  /** The schema, if it is among the messages. */
  schema?: Schema;
  dictionaries: DictionaryPlace[];
  batches: BatchPlace[];
  /** Types of compression of the bodies, as Arrow numbers them: 0 is LZ4_FRAME, 1 is ZSTD. */
  compressions: Set<number>;
}

/** Marks the beginning of a message since Arrow 0.15; its length follows. */
export const CONTINUATION = 0xffffffff;
/** The bytes of the marker and the length. */
export const PREFIX_BYTES = 8;
/** Messages and buffers are written at multiples of this, as Arrow recommends. */
const ALIGNMENT = 64;

export function noMessages(start: number): ArrowMessages {
  return { ended: false, end: start, hasSchema: false, dictionaries: [], batches: [], compressions: new Set() };
}

/**
 * The bytes before the metadata of the message at a place, and the length of the metadata: since Arrow 0.15 a marker
 * precedes it.
 */
export function messagePrefix(bytes: Uint8Array, at: number): { prefix: 4 | 8; length: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(at, true);
  return length === CONTINUATION ? { prefix: 8, length: view.getUint32(at + 4, true) } : { prefix: 4, length };
}

/**
 * Walks over the encapsulated messages of a stream in `bytes`, to the end-of-stream marker.
 *
 * Throws a FormatError that begins with `source` if a message, or the buffers that it names, do not lie in the bytes.
 */
export function walkArrowMessages(bytes: Uint8Array, source: string): ArrowMessages {
  const end = bytes.length;
  const found = noMessages(0);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (end - at >= 4) {
    const messageAt = at;
    if (end - at < 8 && view.getUint32(at, true) === CONTINUATION) throw truncated(source, found);
    const { prefix, length } = messagePrefix(bytes, at);
    at += prefix;
    if (length === 0) {
      found.ended = true;
      found.end = at;
      return found;
    }
    if (length > end - at) throw truncated(source, found);
    const bodyStart = at + length;
    const { bodyLength, header, dictionary } = readMessage(bytes.subarray(at, bodyStart), found, source);
    if (!(bodyLength >= 0 && bodyLength <= end - bodyStart)) throw truncated(source, found);
    at = bodyStart + bodyLength;
    if (header !== undefined) {
      const place = { header, at: messageAt, start: bodyStart, end: at };
      if (dictionary === undefined) found.batches.push(place);
      else found.dictionaries.push({ ...place, id: dictionary });
    }
    found.end = at;
  }
  if (at < end) throw truncated(source, found);
  return found;
}

/** The FormatError for Arrow bytes that end too early. */
export function truncated(source: string, { batches }: { batches: { length: number } }): FormatError {
  const count = `${batches.length} complete record ${batches.length === 1 ? 'batch' : 'batches'}`;
  return new FormatError({
    subject: source,
    problem: 'is a truncated Arrow stream',
    received: `${count} and no end-of-stream marker`,
    allowed: 'a stream up to its end-of-stream marker',
  });
}

/** The content of a message other than a schema: a record batch, or entries of the dictionary with that number. */
interface MessageContent {
  readonly bodyLength: number;
  readonly header?: BatchHeader;
  readonly dictionary?: number;
}

/**
 * Reads the metadata of a message, and adds what applies to all messages to `found`. Throws FormatError if it is
 * corrupt.
 */
export function readMessage(metadata: Uint8Array, found: ArrowMessages, source: string): MessageContent {
  const corrupt = (problem: string, cause?: unknown) => new FormatError({ subject: source, problem, cause });
  try {
    checkVectorLengths(metadata);
    const message = Message.decode(metadata);
    const { bodyLength } = message;
    if (message.isSchema()) {
      if (found.schema !== undefined || found.batches.length > 0) throw corrupt('holds a second Arrow schema');
      found.hasSchema = true;
      found.schema = message.header();
      return { bodyLength };
    }
    if (!found.hasSchema) throw corrupt('is an Arrow stream that does not begin with its schema');
    const dictionary = message.isDictionaryBatch() ? message.header() : undefined;
    const header = message.isRecordBatch() ? message.header() : dictionary?.data;
    if (header === undefined) throw corrupt('holds an Arrow message of an unknown kind');
    if (header.compression != null) found.compressions.add(header.compression.type);
    for (const { offset, length } of header.buffers) {
      if (!(offset >= 0 && length >= 0 && offset + length <= bodyLength)) {
        throw corrupt('holds an Arrow message whose buffers lie outside its body');
      }
    }
    return { bodyLength, header, dictionary: dictionary?.id };
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    if (cause instanceof Error && /compression/.test(cause.message)) throw noCompression(source, cause);
    throw unknownType(cause, source, { metadata, form: 'message' }) ?? corrupt('holds a corrupt Arrow message', cause);
  }
}

/** The smallest multiple of 64 that is at least `bytes`. */
export function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** An Arrow message as streams have it: a marker, the length of the metadata, and the metadata padded with zeros. */
export function encapsulate(metadata: Uint8Array): Uint8Array {
  const message = new Uint8Array(aligned(PREFIX_BYTES + metadata.length));
  const view = new DataView(message.buffer);
  view.setUint32(0, CONTINUATION, true);
  view.setUint32(4, message.length - PREFIX_BYTES, true);
  message.set(metadata, PREFIX_BYTES);
  return message;
}
