import { unusable } from '../errors.js';

/** A source of bytes: all at once, a file in a browser, the body of a response, or piece by piece. */
export type ByteSource =
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

/** The bytes in pieces. The source is closed if the caller stops early. */
export async function* readPieces(source: ByteSource): AsyncGenerator<Uint8Array> {
  assertBytes(source);
  if (source instanceof Uint8Array) yield source;
  else if (isBlob(source)) yield* readStream(source.stream());
  else if (Symbol.asyncIterator in source || Symbol.iterator in source) {
    for await (const piece of source) {
      if (!(piece instanceof Uint8Array)) throw unusable('piece of the bytes', piece, 'a Uint8Array');
      yield piece;
    }
  } else yield* readStream(source);
}

/** Throws OptionError unless `source` is a source of bytes. */
export function assertBytes(source: unknown): asserts source is ByteSource {
  const isSource =
    typeof source === 'object' &&
    source !== null &&
    (Symbol.asyncIterator in source || Symbol.iterator in source || 'getReader' in source || isBlob(source));
  if (!isSource)
    throw unusable('bytes', source, 'a Uint8Array, a Blob, a ReadableStream, or an iterable of Uint8Arrays');
}

export function isBlob(source: unknown): source is Blob {
  return typeof Blob !== 'undefined' && source instanceof Blob;
}

/** Not every browser can iterate over a stream. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    isDone = true;
  } finally {
    if (!isDone) await reader.cancel();
    reader.releaseLock();
  }
}
