/** Where bytes come from: all at once, as a file of the browser, as the body of a response, or piece by piece. */
export type ByteSource =
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Iterable<Uint8Array>;

/** The bytes in pieces. The source is closed where the caller stops early. */
export async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) yield source;
  else if (isBlob(source)) yield* piecesOf(source.stream());
  else if (Symbol.asyncIterator in source || Symbol.iterator in source) yield* source;
  else yield* readPieces(source);
}

export function isBlob(source: ByteSource): source is Blob {
  return typeof Blob !== 'undefined' && source instanceof Blob;
}

/** Not every browser can iterate over a stream. */
async function* readPieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
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
