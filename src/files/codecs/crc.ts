/** Bytes that are processed at a time. */
const SLICES = 8;

/**
 * A checksum of 32 bits by a polynomial whose bits are reversed. It processes eight bytes at a time with eight tables
 * (Kounavis and Berry 2005), which are made for the first checksum. `before` is the checksum of the bytes before.
 */
function reflectedCrc(polynomial: number): (bytes: Uint8Array, before?: number) => number {
  let tables: readonly Int32Array[] | undefined;
  return (bytes, before = 0) => {
    tables ??= makeTables(polynomial);
    const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
    let crc = ~before;
    let at = 0;
    for (const end = bytes.length - SLICES; at <= end; at += SLICES) {
      const low = crc ^ (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24));
      crc =
        t7[low & 255] ^
        t6[(low >>> 8) & 255] ^
        t5[(low >>> 16) & 255] ^
        t4[low >>> 24] ^
        t3[bytes[at + 4]] ^
        t2[bytes[at + 5]] ^
        t1[bytes[at + 6]] ^
        t0[bytes[at + 7]];
    }
    for (; at < bytes.length; at++) crc = t0[(crc ^ bytes[at]) & 255] ^ (crc >>> 8);
    return ~crc >>> 0;
  };
}

function makeTables(polynomial: number): readonly Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
    return crc;
  });
  const all = [first];
  while (all.length < SLICES) {
    all.push((all.at(-1) as Int32Array).map((crc) => first[crc & 255] ^ (crc >>> 8)));
  }
  return all;
}

/** The CRC-32 checksum of gzip and of Parquet's pages (RFC 1952, section 8). */
export const crc32 = /* @__PURE__ */ reflectedCrc(0xedb88320);

/** The CRC-32C checksum, by the polynomial of Castagnoli (RFC 3720, appendix B.4). */
export const crc32c = /* @__PURE__ */ reflectedCrc(0x82f63b78);
