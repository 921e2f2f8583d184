// LZ4 (lz4_Block_format.md): a block to the bytes that it stands for.
//
//   block, out   64 bytes behind each may be read, and behind `out` written
//
// What is corrupt is left to the caller, which finds out what is wrong with it.

import { copyLiteral, copyMatch } from './copies';

/**
 * Decompresses a block into at most `size` bytes, and returns how many it has; -1 if it is corrupt. Matches may begin
 * in the `before` bytes before `out`.
 */
export function decompressLz4(block: usize, length: i32, out: usize, size: i32, before: i32): i32 {
  const end = block + <usize>length;
  const outEnd = out + <usize>size;
  const first = out - <usize>before;
  let at = block;
  let to = out;
  while (at < end) {
    const token = <u32>load<u8>(at++);
    let count = <u64>(token >> 4);
    if (count == 15) {
      let byte: u8;
      do {
        if (at >= end) return -1;
        byte = load<u8>(at++);
        count += <u64>byte;
      } while (byte == 255);
    }
    if (count > <u64>(end - at) || count > <u64>(outEnd - to)) return -1;
    copyLiteral(to, at, <usize>count);
    at += <usize>count;
    to += <usize>count;
    if (at == end) break;
    if (end - at < 2) return -1;
    const offset = <usize>load<u16>(at);
    at += 2;
    count = <u64>(token & 15);
    if (count == 15) {
      let byte: u8;
      do {
        if (at >= end) return -1;
        byte = load<u8>(at++);
        count += <u64>byte;
      } while (byte == 255);
    }
    count += 4;
    if (offset == 0 || offset > to - first || count > <u64>(outEnd - to)) return -1;
    copyMatch(to, offset, <usize>count);
    to += <usize>count;
  }
  return <i32>(to - out);
}
