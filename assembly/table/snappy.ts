// Snappy (format_description.txt of google/snappy): a block to the bytes that it stands for.
//
//   block, out   64 bytes behind each may be read, and behind `out` written
//
// What is corrupt is left to the caller, which finds out what is wrong with it.

/** Decompresses a block into exactly `size` bytes, and returns whether it has as many and is valid. */
export function decompressSnappy(block: usize, length: i32, out: usize, size: i32): bool {
  const end = block + <usize>length;
  const outEnd = out + <usize>size;
  let at = block;
  let declared: u64 = 0;
  for (let shift: u64 = 0; ; shift += 7) {
    if (at >= end || shift > 28) return false;
    const byte = load<u8>(at++);
    declared |= <u64>(byte & 127) << shift;
    if (byte < 128) break;
  }
  if (declared != <u64>size) return false;
  let to = out;
  while (at < end) {
    const tag = <u32>load<u8>(at++);
    const kind = tag & 3;
    if (kind == 0) {
      let count: u64 = tag >> 2;
      if (count >= 60) {
        const extra = <i32>count - 59;
        if (end - at < <usize>extra) return false;
        count = load<u32>(at) & (<u32>-1 >> ((4 - extra) << 3));
        at += extra;
      }
      count++;
      if (count > <u64>(end - at) || count > <u64>(outEnd - to)) return false;
      if (count <= 16) v128.store(to, v128.load(at));
      else memory.copy(to, at, <usize>count);
      at += <usize>count;
      to += <usize>count;
      continue;
    }
    let count: u32;
    let offset: usize;
    if (kind == 1) {
      count = ((tag >> 2) & 7) + 4;
      offset = <usize>(((tag >> 5) << 8) | load<u8>(at));
      at++;
    } else {
      count = (tag >> 2) + 1;
      if (kind == 2) {
        offset = <usize>load<u16>(at);
        at += 2;
      } else {
        offset = <usize>load<u32>(at);
        at += 4;
      }
    }
    if (at > end || offset == 0 || offset > to - out || <usize>count > outEnd - to) return false;
    const from = to - offset;
    const last = to + count;
    if (offset >= 16) {
      // Bytes behind the last one are written again, or not used.
      for (let i: usize = 0; i < count; i += 16) v128.store(to + i, v128.load(from + i));
    } else if (offset >= 8) {
      for (let i: usize = 0; i < count; i += 8) store<u64>(to + i, load<u64>(from + i));
    } else {
      for (let i: usize = 0; i < count; i++) store<u8>(to + i, load<u8>(from + i));
    }
    to = last;
  }
  return to == outEnd;
}
