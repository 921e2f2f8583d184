// Snappy (format_description.txt of google/snappy): bytes to a block, by a table of the places where four bytes were
// seen last.
//
//   bytes   16 bytes behind them may be read
//   out     at most `length + length / 6 + 32` bytes
//   table   2^14 places, u16 each, of a fragment

/** Copies reach back within a fragment alone. */
const FRAGMENT = 1 << 16;
const TABLE_BITS = 14;
/** No copy begins within the last bytes of a fragment, so that four bytes can be read. */
const MARGIN = 15;

@inline function placeOf(four: u32): usize {
  return <usize>((four * 0x1e35a7bd) >> (32 - TABLE_BITS)) << 1;
}

function writeLiteral(from: usize, length: u32, given: usize): usize {
  let out = given;
  const n = length - 1;
  if (n < 60) store<u8>(out++, n << 2);
  else if (n < 256) {
    store<u8>(out, 60 << 2);
    store<u8>(out, n, 1);
    out += 2;
  } else {
    store<u8>(out, 61 << 2);
    store<u16>(out, n, 1);
    out += 3;
  }
  memory.copy(out, from, length);
  return out + length;
}

/** A copy of `given` bytes, of 64 at most each. */
function writeCopy(offset: u32, given: u32, at: usize): usize {
  let length = given;
  let out = at;
  // The last of several has at least four bytes.
  while (length >= 68) {
    store<u8>(out, (63 << 2) | 2);
    store<u16>(out, offset, 1);
    out += 3;
    length -= 64;
  }
  if (length > 64) {
    store<u8>(out, (59 << 2) | 2);
    store<u16>(out, offset, 1);
    out += 3;
    length -= 60;
  }
  if (length < 12 && offset < 2048) {
    store<u8>(out, ((offset >> 8) << 5) | ((length - 4) << 2) | 1);
    store<u8>(out, offset, 1);
    return out + 2;
  }
  store<u8>(out, ((length - 1) << 2) | 2);
  store<u16>(out, offset, 1);
  return out + 3;
}

/** Writes one fragment, and returns the end of what it wrote. */
function writeFragment(start: usize, length: u32, given: usize, table: usize): usize {
  let out = given;
  const end = start + length;
  let literal = start;
  if (length > <u32>MARGIN) {
    memory.fill(table, 0, <usize>2 << TABLE_BITS);
    const limit = end - MARGIN;
    let at = start + 1;
    let skip: u32 = 32;
    while (at < limit) {
      const four = load<u32>(at);
      const place = table + placeOf(four);
      const from = start + load<u16>(place);
      store<u16>(place, <u32>(at - start));
      if (load<u32>(from) != four) {
        // The longer nothing is found, the fewer bytes are looked at.
        at += skip++ >> 5;
        continue;
      }
      if (literal < at) out = writeLiteral(literal, <u32>(at - literal), out);
      let next = at + 4;
      let same = from + 4;
      while (next + 8 <= end) {
        const other = load<u64>(next) ^ load<u64>(same);
        if (other != 0) {
          next += <usize>(ctz(other) >> 3);
          break;
        }
        next += 8;
        same += 8;
      }
      if (next + 8 > end) {
        same = from + (next - at);
        while (next < end && load<u8>(next) == load<u8>(same)) {
          next++;
          same++;
        }
      }
      out = writeCopy(<u32>(at - from), <u32>(next - at), out);
      at = next;
      literal = next;
      skip = 32;
    }
  }
  return literal < end ? writeLiteral(literal, <u32>(end - literal), out) : out;
}

/** Compresses bytes, and returns the length of the block. */
export function compressSnappy(bytes: usize, length: i32, out: usize, table: usize): i32 {
  let to = out;
  let left = <u32>length;
  for (; left > 127; left >>= 7) store<u8>(to++, <u8>left | 128);
  store<u8>(to++, <u8>left);
  for (let at = 0; at < length; at += FRAGMENT) {
    to = writeFragment(bytes + <usize>at, <u32>min(FRAGMENT, length - at), to, table);
  }
  return <i32>(to - out);
}
