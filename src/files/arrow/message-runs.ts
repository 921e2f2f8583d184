import { Message } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { CoreError, FormatError } from '../../errors.js';
import { ByteFeed, type Pieces } from '../byte-source.js';
import { MAGIC } from './arrow-footer.js';
import { truncated } from './arrow-messages.js';
import { CoreBuffer, reserveScratch } from './core-buffer.js';
import { checkVectorLengths } from './flatbuffer-vectors.js';

/** Bytes of messages that make up a run. */
const RUN_BYTES = 4_194_304;
/** Bytes that are read at once: what a pipe holds at most. */
const READ_BYTES = 1_048_576;
const CONTINUATION = 0xffffffff;

/** A view of messages in the core's memory, made when it is needed: the memory may grow. */
export type MessageRun = () => Uint8Array;

/** The beginning of a message, its length and metadata, and the number of bytes of the body that follows. */
interface MessageHead {
  readonly bytes: Uint8Array;
  readonly bodyBytes: number;
  readonly kind: 'schema' | 'dictionary' | 'batch';
}

/**
 * The record batches of an Arrow IPC stream in the core's memory, some megabytes at a time: each run begins with the
 * stream's schema and all dictionaries so far, and is valid until the next one is requested. Throws FormatError as
 * readers of entire streams do, except for errors inside a message.
 */
export async function* messageRuns(core: Core, pieces: Pieces, source: string): AsyncGenerator<MessageRun> {
  const feed = new ByteFeed(pieces);
  const scratch = new CoreBuffer(core);
  let prefixBytes = 0;
  let batchCount = 0;
  const hasBatches = () => scratch.length > prefixBytes;
  const run = (): MessageRun => {
    reserveScratch(core);
    return () => scratch.bytes();
  };
  try {
    if (await feed.has(MAGIC.length)) assertStream(feed.peek(MAGIC.length), source);
    for (;;) {
      const head = await nextHead(feed, batchCount, source);
      if (head === undefined) break;
      if (head.kind === 'schema' ? prefixBytes > 0 : prefixBytes === 0) throw misplacedSchema(head, source);
      if (head.kind !== 'batch' && hasBatches()) {
        yield run();
        scratch.truncate(prefixBytes);
      }
      scratch.append(head.bytes);
      await fill(scratch, feed, head.bodyBytes, () => truncated(source, { batches: { length: batchCount } }));
      if (head.kind === 'batch') batchCount++;
      else prefixBytes = scratch.length;
      if (scratch.length - prefixBytes < RUN_BYTES) continue;
      yield run();
      scratch.truncate(prefixBytes);
    }
    if (prefixBytes === 0) throw new FormatError({ subject: source, problem: 'is an Arrow stream without a schema' });
    await assertNoTrailingBytes(feed, source);
    // A stream without batches is checked, too.
    if (hasBatches() || batchCount === 0) yield run();
  } finally {
    scratch.release();
    await feed.close();
  }
}

/** Throws FormatError for the first bytes of files of other formats, which would be a message of more than 16 MiB. */
function assertStream(head: Uint8Array, source: string): void {
  const [, , , high] = head;
  if (high === 0 || high === 0xff) return;
  const problem = String.fromCharCode(...head) === MAGIC ? 'is an Arrow file, not a stream' : 'is not an Arrow stream';
  throw new FormatError({ subject: source, problem, allowed: 'an Arrow stream; readTables reads all formats' });
}

/** The next message without its body; undefined at the end-of-stream marker. */
async function nextHead(feed: ByteFeed, batchCount: number, source: string): Promise<MessageHead | undefined> {
  const prefix = async (bytes: number) => {
    if (!(await feed.has(bytes))) throw truncated(source, { batches: { length: batchCount } });
    const first = feed.peek(bytes);
    return new DataView(first.buffer, first.byteOffset).getUint32(bytes - 4, true);
  };
  let prefixBytes = 4;
  let length = await prefix(prefixBytes);
  // Streams older than Arrow 0.15 begin with the length alone.
  if (length === CONTINUATION) length = await prefix((prefixBytes = 8));
  if (length === 0) {
    feed.take(prefixBytes);
    return undefined;
  }
  if (!(await feed.has(prefixBytes + length))) throw truncated(source, { batches: { length: batchCount } });
  const bytes = feed.take(prefixBytes + length);
  return { bytes, ...describeMessage(bytes.subarray(prefixBytes), source) };
}

function describeMessage(metadata: Uint8Array, source: string): Pick<MessageHead, 'bodyBytes' | 'kind'> {
  try {
    checkVectorLengths(metadata);
    const message = Message.decode(metadata);
    const kind = message.isSchema() ? 'schema' : message.isDictionaryBatch() ? 'dictionary' : 'batch';
    return { kind, bodyBytes: message.bodyLength };
  } catch (cause) {
    throw new FormatError({ subject: source, problem: 'holds a corrupt Arrow message', cause });
  }
}

/**
 * Appends the next bytes of the feed to the scratch buffer, some at a time: a corrupt length allocates no memory before
 * the bytes arrive.
 */
async function fill(scratch: CoreBuffer, feed: ByteFeed, bytes: number, tooShort: () => Error): Promise<void> {
  if (!(bytes >= 0)) throw tooShort();
  for (let left = bytes; left > 0; ) {
    if (!feed.isDirect) {
      if (!(await feed.has(1))) throw tooShort();
      const piece = feed.takeUpTo(Math.min(left, READ_BYTES));
      scratch.append(piece);
      left -= piece.length;
      continue;
    }
    const target = scratch.extend(Math.min(left, READ_BYTES));
    const wanted = target.length;
    const count = await feed.readInto(target);
    // Memory that grows takes away what it was, and the source does not give the same bytes again.
    if (target.length < wanted) throw otherMemory();
    if (count === 0) throw tooShort();
    scratch.truncate(scratch.length - wanted + count);
    left -= count;
  }
}

function otherMemory(): CoreError {
  return new CoreError({
    subject: 'core memory',
    problem: 'other memory was allocated while Arrow data were being read',
    allowed: 'a separate core for each stream that is read',
  });
}

function misplacedSchema({ kind }: MessageHead, source: string): FormatError {
  const problem =
    kind === 'schema' ? 'holds a second Arrow schema' : 'is an Arrow stream that does not begin with its schema';
  return new FormatError({ subject: source, problem });
}

async function assertNoTrailingBytes(feed: ByteFeed, source: string): Promise<void> {
  let bytes = 0;
  let isZero = true;
  while (await feed.has(1)) {
    const piece = feed.takeUpTo(Number.POSITIVE_INFINITY);
    bytes += piece.length;
    isZero &&= piece.every((byte) => byte === 0);
  }
  if (isZero) return;
  throw new FormatError({
    subject: source,
    problem: 'goes on after the end of its Arrow stream',
    received: `${bytes} more bytes`,
    allowed: 'one stream a file',
  });
}
