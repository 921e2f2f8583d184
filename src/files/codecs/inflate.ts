import { loadPackage } from '../load-package.js';

/** `deflate` is that of zlib, with its header and checksum. */
export type InflateCodec = 'gzip' | 'deflate' | 'brotli';

/**
 * Decompresses bytes, all members of gzip. Throws RangeError as soon as they become more than `maxBytes`, and if they
 * are truncated or damaged, or a checksum or length is wrong.
 */
export type Inflate = (codec: InflateCodec, bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;

/** Decompresses with the platform's own streams, or with hyparquet-compressors if these do not support Brotli. */
export const inflate: Inflate = async (codec, bytes, maxBytes) => {
  if (codec === 'gzip') return gunzip(bytes, maxBytes);
  try {
    new DecompressionStream(codec as CompressionFormat);
  } catch {
    const { decompressBrotli } = await loadPackage(
      'hyparquet-compressors',
      'Brotli',
      () => import('hyparquet-compressors'),
    );
    return decompressBrotli(bytes, maxBytes);
  }
  return joined(await pieces(codec, bytes, maxBytes));
};

/**
 * The streams of browsers accept one member of gzip, and do not report its end: each is tried up to the next possible
 * beginning of another.
 */
async function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let length = 0;
  for (let start = 0; start < bytes.length; ) {
    for (let end = nextMember(bytes, start + 1); ; end = nextMember(bytes, end + 1)) {
      const member = await pieces('gzip', bytes.subarray(start, end), maxBytes - length).catch((error: RangeError) => {
        if (end === bytes.length || !isCut(error)) throw error;
        return undefined;
      });
      if (member === undefined) continue;
      for (const piece of member) {
        all.push(piece);
        length += piece.length;
      }
      start = end;
      break;
    }
  }
  return joined(all);
}

/** The next possible place of a gzip header: RFC 1952, section 2.3. */
function nextMember(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x1f, from); at >= 0; at = bytes.indexOf(0x1f, at + 1)) {
    if (bytes[at + 1] === 0x8b && bytes[at + 2] === 8 && bytes[at + 3] < 32) return at;
  }
  return bytes.length;
}

function isCut({ cause }: RangeError): boolean {
  return cause !== undefined;
}

async function pieces(codec: InflateCodec, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array[]> {
  const { readable, writable } = new DecompressionStream(codec as CompressionFormat);
  const writer = writable.getWriter();
  // The reader throws the errors.
  const ignore = () => {};
  writer.write(bytes as Uint8Array<ArrayBuffer>).catch(ignore);
  writer.close().catch(ignore);
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  const found: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new RangeError(`incomplete or damaged bytes of ${codec}`, { cause });
    });
    if (done) return found;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel().catch(ignore);
      throw new RangeError(`it becomes more than the ${maxBytes} bytes that it can have`);
    }
    found.push(value);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
