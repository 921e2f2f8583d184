import { xxhash64 } from '../table/xxhash64';

/** The checksum of the bytes of a block: the lower half of their xxHash64. */
export function blockChecksum(bytes: usize, length: u32): u32 {
  return <u32>xxhash64(bytes, length);
}
