import { FormatError } from '../../errors.js';
import { endsEarly, type RandomAccess } from '../array/random-access.js';

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** The longest superblock before what is not looked at here. */
const SUPERBLOCK_BYTES = 96;
const FIRST_PLACE_AFTER_START = 512;

/**
 * Checks that an HDF5 file is whole: its superblock, which begins at byte 0, 512, 1024, 2048 and so on, says where the file ends
 * (HDF5 File Format Specification, section II.A). Throws FormatError where there is none, or where the file ends before.
 */
export async function checkSuperblock(access: RandomAccess): Promise<void> {
  const { size, source } = access;
  for (let at = 0; at + SIGNATURE.length <= size; at = at === 0 ? FIRST_PLACE_AFTER_START : at * 2) {
    const bytes = new Uint8Array(Math.min(SUPERBLOCK_BYTES, size - at));
    await access.read(at, bytes);
    if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) continue;
    const end = endOfFile(bytes);
    if (end === undefined) throw endsEarly(source, size, at + SUPERBLOCK_BYTES);
    if (end > size) throw endsEarly(source, size, end);
    return;
  }
  throw new FormatError({ subject: source, problem: 'is no HDF5 file: it has no superblock' });
}

/** The end-of-file address of a superblock; undefined where its bytes are cut before. */
function endOfFile(bytes: Uint8Array): number | undefined {
  const version = bytes[8];
  const isOld = version < 2;
  const width = bytes[isOld ? 13 : 9];
  const firstAddress = isOld ? (version === 0 ? 24 : 28) : 12;
  // Before it stand the base address and one more.
  const at = firstAddress + 2 * width;
  if (at + width > bytes.length) return undefined;
  let end = 0;
  for (let i = width - 1; i >= 0; i--) end = end * 256 + bytes[at + i];
  return end;
}
