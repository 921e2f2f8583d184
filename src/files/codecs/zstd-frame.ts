/*
 * A frame of Zstandard (RFC 8878, section 3.1.1):
 *
 *   4 bytes           magic number
 *   1                 descriptor: size of the content size (2 bits), single segment, 2 unused, checksum, size of the dictionary id (2)
 *   0 or 1            window, absent for a single segment
 *   0, 1, 2 or 4      dictionary id
 *   0, 1, 2, 4 or 8   content size
 *   blocks            3 bytes: last (1 bit), type (2), size (21); then as many bytes as the size says, one if a byte is repeated
 *   0 or 4            checksum
 */

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

/** A frame to be skipped that has no bytes. */
const MIN_FRAME_BYTES = 8;
const BLOCK_HEADER_BYTES = 3;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];

const REPEATED = 1;
const COMPRESSED = 2;
const RESERVED = 3;

/** The place of the window descriptor in a frame that has one, and the smallest window as a power of two. */
const WINDOW_AT = 5;
const MIN_WINDOW_LOG = 10;

/** The most bytes that a block becomes. */
const MAX_BLOCK_BYTES = 131_072;

/** The most bytes that frames without a stated size may become: their bound is high, as blocks need not be full. */
const UNSTATED = { times: 2, bytes: 2 ** 26 };

/**
 * How many bytes complete frames state that they become, and the most that frames become which do not state it. Throws
 * RangeError where frames are cut or contradict themselves.
 */
export function zstdSizes(bytes: Uint8Array): { readonly stated: number; readonly unstated: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let stated = 0;
  let unstated = 0;
  do {
    const { end, size, bound } = frameAt(view, at);
    at = end;
    if (size !== undefined && size > bound) throw new RangeError(`a frame of ${bound} bytes at most says ${size}`);
    stated += size ?? 0;
    unstated += size === undefined ? bound : 0;
  } while (at < bytes.length);
  if (at > bytes.length) throw new RangeError(`ends before its ${at} bytes`);
  return { stated, unstated };
}

/**
 * Throws RangeError if `bytes` are not complete frames of Zstandard, or become more than `maxBytes` bytes: a decoder
 * allocates as much memory as a frame states, and without a stated size it allocates as the bytes arrive, which the
 * number of blocks limits.
 */
export function checkZstdFrames(bytes: Uint8Array, maxBytes: number): void {
  const { stated, unstated } = zstdSizes(bytes);
  if (stated <= maxBytes && unstated <= UNSTATED.times * maxBytes + UNSTATED.bytes) return;
  throw new RangeError(`it becomes ${stated + unstated} bytes, more than the ${maxBytes} that it can have`);
}

/**
 * Limits the windows of frames to what their blocks can become, in a copy if any were larger: a decoder allocates
 * memory for the window that a frame states, up to 2 GiB, and moves all of it for each block. Throws RangeError if it
 * reads beyond the end.
 */
export function withFittingWindows(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let fitting = bytes;
  for (let at = 0, next = 0; at < bytes.length; at = next) {
    const { end, bound } = frameAt(view, at);
    next = end;
    const isSingle = (bytes[at + 4] & 32) !== 0;
    if (view.getUint32(at, true) !== MAGIC || isSingle) continue;
    const exponent = Math.max(0, Math.ceil(Math.log2(bound)) - MIN_WINDOW_LOG);
    // The descriptor of a window of 2 ** (exponent + 10) bytes, and eighths of it.
    if (bytes[at + WINDOW_AT] <= exponent << 3) continue;
    if (fitting === bytes) fitting = bytes.slice();
    fitting[at + WINDOW_AT] = exponent << 3;
  }
  return fitting;
}

/**
 * The checksum at the end of one complete frame, the low half of xxHash64 of its content; undefined if it has none, or
 * there are several frames.
 */
export function zstdChecksum(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC || (bytes[4] & 4) === 0 || frameAt(view, 0).end !== bytes.length)
    return undefined;
  return view.getUint32(bytes.length - 4, true);
}

/**
 * The end of a frame, the number of bytes that it states, and the most that its blocks can have. Throws RangeError where
 * it is cut.
 */
function frameAt(view: DataView, start: number): { end: number; size?: number; bound: number } {
  if (start + MIN_FRAME_BYTES > view.byteLength) throw cutFrame();
  const magic = view.getUint32(start, true);
  if ((magic & ~15) >>> 0 === SKIPPABLE) return { end: start + 8 + view.getUint32(start + 4, true), size: 0, bound: 0 };
  if (magic !== MAGIC) throw new RangeError('not a Zstandard frame');
  const descriptor = view.getUint8(start + 4);
  const isSingle = (descriptor & 32) !== 0;
  const contentSize = CONTENT_SIZE_BYTES[descriptor >> 6] || (isSingle ? 1 : 0);
  const sizeAt = start + 5 + (isSingle ? 0 : 1) + DICTIONARY_ID_BYTES[descriptor & 3];
  let at = sizeAt + contentSize;
  let bound = 0;
  for (let isLast = false; !isLast; ) {
    if (at + BLOCK_HEADER_BYTES > view.byteLength) throw cutFrame();
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    const type = (header >> 1) & 3;
    if (type === RESERVED) throw new RangeError('a block of an unknown type');
    const size = header >>> 3;
    bound += type === COMPRESSED ? MAX_BLOCK_BYTES : size;
    at += BLOCK_HEADER_BYTES + (type === REPEATED ? 1 : size);
  }
  return { end: at + (descriptor & 4), size: statedSize(view, sizeAt, contentSize), bound };
}

function cutFrame(): RangeError {
  return new RangeError('a Zstandard frame that is cut');
}

/** The content size, a number of `bytes` bytes; with two bytes it is stored less 256. */
function statedSize(view: DataView, at: number, bytes: number): number | undefined {
  if (bytes === 0) return undefined;
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
