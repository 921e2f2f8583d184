import { assertKind } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';

/** The content codings of RFC 9110 that answers may have. */
export type ContentCoding = 'gzip' | 'zstd';

/** How answers are compressed: `streamCompression`, `nodeCompression`, or an object of your own. */
export interface ResponseCompression {
  /** The available codings, the best first. */
  readonly codings: readonly ContentCoding[];
  /** Shorter answers are sent as they are. */
  readonly minBytes: number;
  /** Compresses all bytes. */
  compress(coding: ContentCoding, bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Compresses pieces as they come; where the result is returned early, the pieces are, too. */
  compressPieces(coding: ContentCoding, pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Options of `streamCompression` and `nodeCompression`. */
export interface CompressionOptions {
  /**
   * Shorter answers are sent as they are. Default 14,600 bytes, which a new connection sends without waiting for the
   * client (ten segments, RFC 6928): up to there compression costs time and saves none.
   */
  readonly minBytes?: number;
}

const MIN_BYTES = 14_600;

/** Returns a size. Throws OptionError where it is none. */
export function checkMinBytes(options: CompressionOptions = {}): number {
  assertKind('options', options, 'object');
  const { minBytes = MIN_BYTES } = options;
  if (Number.isSafeInteger(minBytes) && minBytes >= 0) return minBytes;
  const allowed = 'a whole number of bytes';
  throw new OptionError({ subject: 'minBytes', problem: 'is not a size', received: minBytes, allowed });
}

/**
 * Compresses by the `CompressionStream` of the platform, in every runtime: gzip, and zstd where the platform has it.
 * Throws OptionError where `minBytes` is not a size.
 */
export function streamCompression(options?: CompressionOptions): ResponseCompression {
  const compressPieces: ResponseCompression['compressPieces'] = (coding, pieces) =>
    read(toStream(pieces).pipeThrough(createStream(coding)));
  return {
    get codings() {
      // Found again each time, since Workers make no streams until there is a request. It is read for new headers only.
      return (['zstd', 'gzip'] as const).filter(isSupported);
    },
    minBytes: checkMinBytes(options),
    compress: async (coding, bytes) => {
      const compressed = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(createStream(coding));
      return new Uint8Array(await new Response(compressed).arrayBuffer());
    },
    compressPieces,
  };
}

function createStream(coding: ContentCoding): ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new CompressionStream(coding as 'gzip');
}

function isSupported(coding: ContentCoding): boolean {
  try {
    createStream(coding);
    return true;
  } catch {
    return false;
  }
}

function toStream(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Not every runtime iterates over a stream itself. */
async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
