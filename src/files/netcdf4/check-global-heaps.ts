import { FormatError } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';

/** The beginning of a collection: `GCOL`, version 1, and three zero bytes. */
const SIGNATURE = [0x47, 0x43, 0x4f, 0x4c, 1, 0, 0, 0];
const HEADER_BYTES = 16;
/** The bytes at each end of a file that are searched for collections: writers put the descriptions of arrays there. */
const SCANNED_BYTES = 8_388_608;

/**
 * Checks the global heap collections of an HDF5 file, where texts of any length are stored: the HDF5 library steps from
 * object to object by their sizes, and never gets past one of size 0. Throws FormatError that names the offset. Source:
 * HDF5 File Format Specification, III.E.
 */
export async function checkGlobalHeaps(access: RandomAccess): Promise<void> {
  const { size } = access;
  const first = Math.min(size, SCANNED_BYTES);
  await checkPart(access, 0, first);
  if (size > first) {
    const from = Math.max(first, size - SCANNED_BYTES);
    await checkPart(access, from, size - from);
  }
}

async function checkPart(access: RandomAccess, from: number, length: number): Promise<void> {
  const bytes = new Uint8Array(length);
  await access.read(from, bytes);
  for (let at = bytes.indexOf(SIGNATURE[0]); at >= 0; at = bytes.indexOf(SIGNATURE[0], at + 1)) {
    if (SIGNATURE.every((byte, i) => bytes[at + i] === byte)) checkCollection(bytes, at, from, access.source);
  }
}

/** Checks a collection, as far as it lies in `bytes`. */
function checkCollection(bytes: Uint8Array, start: number, from: number, source: string): void {
  if (start + HEADER_BYTES > bytes.length) return;
  const view = new DataView(bytes.buffer);
  const lengthAt = (at: number) => Number(view.getBigUint64(at, true));
  const end = start + lengthAt(start + 8);
  for (let at = start + HEADER_BYTES; at + HEADER_BYTES <= Math.min(end, bytes.length); ) {
    const index = view.getUint16(at, true);
    const size = lengthAt(at + 8);
    // Object 0 is the free space, and its size includes the header.
    const total = index === 0 ? size : HEADER_BYTES + Math.ceil(size / 8) * 8;
    if (total < HEADER_BYTES || at + total > end) {
      throw new FormatError({
        subject: source,
        problem: `has a corrupt global heap: object ${index} at offset ${from + at} has an impossible size`,
        received: size,
        allowed: `${index === 0 ? HEADER_BYTES : 0} to ${end - at} bytes`,
      });
    }
    at += total;
  }
}
