/*
 * A frame of Zstandard (RFC 8878, section 3.1.1):
 *
 *   4 bytes           magic number
 *   1                 descriptor: size of the content size (2 bits), single segment, 2 unused, checksum, size of the dictionary id (2)
 *   0 or 1            window, absent for a single segment
 *   0, 1, 2 or 4      dictionary id
 *   0, 1, 2, 4 or 8   content size
 *   blocks            3 bytes: last (1 bit), type (2), size (21); then as many bytes as the size tells, one where a byte is repeated
 *   0 or 4            checksum
 */

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];

const REPEATED = 1;
const RESERVED = 3;

/**
 * Throws RangeError where `bytes` are not whole frames of Zstandard. zarrita's decoder leaks a megabyte for each chunk that it refuses,
 * and in the end refuses all: what is cut does not get there.
 */
export function checkZstdFrames(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  do at = frameEnd(view, at);
  while (at < bytes.length);
  if (at > bytes.length) throw new RangeError(`ends before its ${at} bytes`);
}

/** Throws RangeError too where it reads beyond the end. */
function frameEnd(view: DataView, start: number): number {
  const magic = view.getUint32(start, true);
  if ((magic & ~15) >>> 0 === SKIPPABLE) return start + 8 + view.getUint32(start + 4, true);
  if (magic !== MAGIC) throw new RangeError('no Zstandard frame');
  const descriptor = view.getUint8(start + 4);
  const isSingle = (descriptor & 32) !== 0;
  const contentSize = CONTENT_SIZE_BYTES[descriptor >> 6] || (isSingle ? 1 : 0);
  let at = start + 5 + (isSingle ? 0 : 1) + DICTIONARY_ID_BYTES[descriptor & 3] + contentSize;
  for (let isLast = false; !isLast; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    const type = (header >> 1) & 3;
    if (type === RESERVED) throw new RangeError('a block of an unknown type');
    at += 3 + (type === REPEATED ? 1 : header >>> 3);
  }
  return at + (descriptor & 4);
}
