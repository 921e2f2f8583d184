const MAGIC = 0x184d2204;
const FLAG = { version: 0xc0, blockChecksums: 0x10, contentSize: 0x08, contentChecksum: 0x04, dictionary: 0x01 };
const VERSION_1 = 0x40;
const UNCOMPRESSED_BIT = 0x80000000;

/**
 * Throws a RangeError where `bytes` are no whole LZ4 frame (version 1), or one with block checksums or a dictionary,
 * which lz4js does not understand and no Arrow writer is known to set.
 *
 * lz4js itself believes every size in a frame, and would loop over billions of bytes of a corrupt one.
 */
export function checkLz4Frame(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = view.getUint8(4);
  if (view.getUint32(0, true) !== MAGIC || (flags & FLAG.version) !== VERSION_1) throw new RangeError('no LZ4 frame');
  if ((flags & (FLAG.blockChecksums | FLAG.dictionary)) !== 0) {
    throw new RangeError('LZ4 frames with block checksums or dictionaries are not read');
  }
  const maxBlock = 1 << (8 + 2 * ((view.getUint8(5) >> 4) & 7));
  const hasSize = (flags & FLAG.contentSize) !== 0;
  let at = hasSize ? 15 : 7;
  let limit = 0;
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    at += size & ~UNCOMPRESSED_BIT;
    limit += maxBlock;
  }
  if (hasSize && view.getBigUint64(6, true) > BigInt(limit)) throw new RangeError('an LZ4 frame of impossible size');
}

/** The checksum at the end of a whole LZ4 frame, xxHash32 of its content; undefined where it has none. lz4js does not look at it. */
export function lz4Checksum(frame: Uint8Array): number | undefined {
  if ((frame[4] & FLAG.contentChecksum) === 0) return undefined;
  return new DataView(frame.buffer, frame.byteOffset, frame.length).getUint32(frame.length - 4, true);
}
