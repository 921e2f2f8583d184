import { ByteWriter } from './byte-writer.js';
import { checksum } from './checksum.js';

/** The bytes of a superblock. */
export const SUPERBLOCK_BYTES = 48;
const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);

/** The beginning of a file of `fileBytes` bytes (superblock version 2), whose root group has its header at `root`. */
export function superblock(root: number, fileBytes: number): Uint8Array {
  const out = new ByteWriter().bytes(SIGNATURE).uint8(2).uint8(8).uint8(8).uint8(0);
  out.uint64(0).bytes(new Uint8Array(8).fill(255)).uint64(fileBytes).uint64(root);
  return out.uint32(checksum(out.written())).written();
}
