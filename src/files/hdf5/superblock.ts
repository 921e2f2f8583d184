import { FormatError } from '../../errors.js';
import { endsEarly, type RandomAccess } from '../array/random-access.js';
import { ByteWriter } from './byte-writer.js';
import { checksum } from './checksum.js';

/** The bytes of the superblock that is written. */
export const SUPERBLOCK_BYTES = 48;
const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

/** The beginning of a file of `fileBytes` bytes (superblock version 2), whose root group has its header at `root`. */
export function superblock(root: number, fileBytes: number): Uint8Array {
  const out = new ByteWriter().bytes(SIGNATURE).uint8(2).uint8(8).uint8(8).uint8(0);
  out.uint64(0).bytes(new Uint8Array(8).fill(255)).uint64(fileBytes).uint64(root);
  return out.uint32(checksum(out.written())).written();
}

/** A superblock that is read has no more bytes up to its end-of-file address. */
const MAX_SUPERBLOCK_BYTES = 96;
const FIRST_PLACE_AFTER_START = 512;

/**
 * Checks that an HDF5 file is complete: its superblock, which begins at byte 0, 512, 1024, 2048 and so on, says where
 * the file ends (HDF5 File Format Specification, section II.A). Returns where the superblock is: addresses count from
 * there. Throws FormatError if there is no superblock, or if the file ends earlier.
 */
export async function checkSuperblock(access: RandomAccess): Promise<number> {
  const { size, source } = access;
  for (let at = 0; at + SIGNATURE.length <= size; at = at === 0 ? FIRST_PLACE_AFTER_START : at * 2) {
    const bytes = new Uint8Array(Math.min(MAX_SUPERBLOCK_BYTES, size - at));
    await access.read(at, bytes);
    if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) continue;
    const end = endOfFile(bytes);
    if (end === undefined) throw endsEarly(source, size, at + MAX_SUPERBLOCK_BYTES);
    if (end > size) throw endsEarly(source, size, end);
    return at;
  }
  throw new FormatError({ subject: source, problem: 'is not an HDF5 file: it has no superblock' });
}

/** The end-of-file address in a superblock; undefined if the bytes end before it. */
function endOfFile(bytes: Uint8Array): number | undefined {
  const version = bytes[8];
  const isOld = version < 2;
  const width = bytes[isOld ? 13 : 9];
  const firstAddress = isOld ? (version === 0 ? 24 : 28) : 12;
  // The base address and one more address come before it.
  const at = firstAddress + 2 * width;
  if (at + width > bytes.length) return undefined;
  let end = 0;
  for (let i = width - 1; i >= 0; i--) end = end * 256 + bytes[at + i];
  return end;
}
