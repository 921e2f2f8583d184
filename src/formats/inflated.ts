/** Decompresses bytes of gzip or zlib. Throws RangeError as soon as they become more than `most`, and where they are cut or damaged. */
export async function inflated(bytes: Uint8Array, format: CompressionFormat, most: number): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream(format);
  const writer = writable.getWriter();
  // What fails is thrown by the reader.
  const ignore = () => {};
  writer.write(bytes as Uint8Array<ArrayBuffer>).catch(ignore);
  writer.close().catch(ignore);
  const reader = readable.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new RangeError(`not whole bytes of ${format}`, { cause });
    });
    if (done) return joined(pieces, length);
    length += value.length;
    if (length > most) {
      await reader.cancel().catch(ignore);
      throw new RangeError(`it becomes more than the ${most} bytes that it can have`);
    }
    pieces.push(value);
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
