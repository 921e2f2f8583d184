import { Message } from 'apache-arrow';
import { FormatError } from '../errors.js';
import { checkVectorLengths } from './flatbuffer-vectors.js';

/** What a run of Arrow IPC messages holds, told without reading any column. */
export interface ArrowMessages {
  /** Whether the end-of-stream marker was met. */
  ended: boolean;
  /** The first byte after the marker, or after the last message. */
  end: number;
  hasSchema: boolean;
  batchCount: number;
  /** Where each message begins. */
  starts: Set<number>;
  /** Types of compression of the bodies, as Arrow numbers them: 0 is LZ4_FRAME, 1 is ZSTD. */
  compressions: Set<number>;
}

const CONTINUATION = 0xffffffff;

/**
 * Walks over the encapsulated messages in `bytes` from `start` to `end`, to the end-of-stream marker.
 *
 * `hasSchema` says that the schema is known already, as it is in a file, whose footer holds it.
 * Throws a FormatError that begins with `source` where a message, or the buffers it names, do not lie in the bytes.
 */
export function walkArrowMessages(
  bytes: Uint8Array,
  { start, end, hasSchema }: { start: number; end: number; hasSchema: boolean },
  source: string,
): ArrowMessages {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: ArrowMessages = {
    ended: false,
    end: start,
    hasSchema,
    batchCount: 0,
    starts: new Set(),
    compressions: new Set(),
  };
  let at = start;
  while (end - at >= 4) {
    const messageStart = at;
    let length = view.getUint32(at, true);
    at += 4;
    if (length === CONTINUATION) {
      if (end - at < 4) throw truncated(source, found);
      length = view.getUint32(at, true);
      at += 4;
    }
    if (length === 0) {
      found.ended = true;
      found.end = at;
      return found;
    }
    if (length > end - at) throw truncated(source, found);
    const bodyStart = at + length;
    const bodyLength = readMessage(bytes.subarray(at, bodyStart), found, source);
    if (!(bodyLength >= 0 && bodyLength <= end - bodyStart)) throw truncated(source, found);
    found.starts.add(messageStart);
    at = bodyStart + bodyLength;
    found.end = at;
  }
  if (at < end) throw truncated(source, found);
  return found;
}

/** The FormatError for Arrow bytes that end too early. */
export function truncated(source: string, { batchCount }: { batchCount: number }): FormatError {
  return new FormatError({
    subject: source,
    problem: 'is a truncated Arrow stream',
    received: `${batchCount} whole record ${batchCount === 1 ? 'batch' : 'batches'} and no end-of-stream marker`,
    allowed: 'a stream up to its end-of-stream marker',
  });
}

/** Notes what the message is, and returns the length of its body. */
function readMessage(metadata: Uint8Array, found: ArrowMessages, source: string): number {
  const corrupt = (problem: string, cause?: unknown) => new FormatError({ subject: source, problem, cause });
  try {
    checkVectorLengths(metadata);
    const message = Message.decode(metadata);
    if (message.isSchema()) {
      found.hasSchema = true;
      return message.bodyLength;
    }
    if (!found.hasSchema) throw corrupt('is an Arrow stream that does not begin with its schema');
    const header = message.isDictionaryBatch() ? message.header().data : message.isRecordBatch() && message.header();
    if (!header) throw corrupt('holds an Arrow message of an unknown kind');
    if (message.isRecordBatch()) found.batchCount++;
    if (header.compression != null) found.compressions.add(header.compression.type);
    for (const { offset, length } of header.buffers) {
      if (!(offset >= 0 && length >= 0 && offset + length <= message.bodyLength)) {
        throw corrupt('holds an Arrow message whose buffers lie outside its body');
      }
    }
    return message.bodyLength;
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    throw corrupt('holds a corrupt Arrow message', cause);
  }
}
