// Numbers of 0 to 32 bits, one after the other; the first bit is the lowest of the first byte. Four numbers of up to 25
// bits lie in 16 bytes:
//
//   bytes      b0 b1 b2 b3 b4 ...        from the byte that the first number begins in
//   swizzled   4 bytes in each lane      from the byte that the lane's number begins in
//   multiplied by 2^(32 - width - shift) the number is in the highest bits of its lane
//   shifted    right by 32 - width
//
// tables:
//   26 x 8 x 32 bytes   for each width and place of the first bit in its byte: the bytes to take, and the factors
//   16 x 16 bytes       for each four bits: the bytes that move the next numbers to the lanes whose bits are 1
// Up to 16 bytes behind the numbers are read, and up to 12 behind their lanes are written.

const MAX_WIDTH: u32 = 25;
const EXPANSIONS: usize = 26 * 8 * 32;

/** The bytes of the tables. */
export function tableBytes(): usize {
  return EXPANSIONS + 16 * 16;
}

/** Fills the tables. */
export function fillTables(tables: usize): void {
  for (let width: u32 = 0; width <= MAX_WIDTH; width++) {
    for (let bit: u32 = 0; bit < 8; bit++) {
      const entry = entryOf(tables, width, bit);
      for (let lane: u32 = 0; lane < 4; lane++) {
        const from = bit + lane * width;
        const bytes = from >> 3;
        store<u32>(entry + (lane << 2), bytes | ((bytes + 1) << 8) | ((bytes + 2) << 16) | ((bytes + 3) << 24));
        // Of width 0 there are no numbers; a shift by 32 would be none.
        store<u32>(entry + 16 + (lane << 2), width == 0 ? 0 : <u32>1 << (32 - width - (from & 7)));
      }
    }
  }
  for (let mask: u32 = 0; mask < 16; mask++) {
    let next: u32 = 0x03020100;
    for (let lane: u32 = 0; lane < 4; lane++) {
      const isSet = (mask >> lane) & 1;
      store<u32>(tables + EXPANSIONS + (mask << 4) + (lane << 2), isSet ? next : 0xffffffff);
      next += 0x04040404 * isSet;
    }
  }
}

@inline function entryOf(tables: usize, width: u32, bit: u32): usize {
  return tables + (((width << 3) | (bit & 7)) << 5);
}

@inline function four(at: usize, bytes: v128, factors: v128, shift: i32, floors: v128): v128 {
  return i32x4.add(i32x4.shr_u(i32x4.mul(i8x16.swizzle(v128.load(at), bytes), factors), shift), floors);
}

/** Writes `floor` plus each of `count` numbers as i32, the first number from a bit of the stream on. */
export function unpack(
  tables: usize, stream: usize, bit: u32, count: u32, width: u32, floor: i32, out: usize,
): void {
  const end = out + (<usize>count << 2);
  const floors = i32x4.splat(floor);
  if (width == 0) {
    for (; out < end; out += 16) v128.store(out, floors);
  } else if (width <= MAX_WIDTH) {
    const step = width << 2;
    const first = entryOf(tables, width, bit);
    const second = entryOf(tables, width, bit + step);
    const firstBytes = v128.load(first);
    const firstFactors = v128.load(first, 16);
    const secondBytes = v128.load(second);
    const secondFactors = v128.load(second, 16);
    const shift = <i32>(32 - width);
    for (; out < end; out += 32) {
      v128.store(out, four(stream + (bit >> 3), firstBytes, firstFactors, shift, floors));
      bit += step;
      if (out + 16 >= end) break;
      v128.store(out, four(stream + (bit >> 3), secondBytes, secondFactors, shift, floors), 16);
      bit += step;
    }
  } else {
    const mask = ((<u64>1) << width) - 1;
    for (; out < end; out += 4) {
      store<i32>(out, <i32>((load<u64>(stream + (bit >> 3)) >> (bit & 7)) & mask) + floor);
      bit += width;
    }
  }
}

/** How many of `count` bits are 1, from a bit of the stream on. */
export function countOnes(stream: usize, bit: u32, count: u32): u32 {
  let ones: u32 = 0;
  for (; count > 0; ) {
    const taken = min<u32>(count, 56);
    const bits = (load<u64>(stream + (bit >> 3)) >> (bit & 7)) & ((<u64>1 << taken) - 1);
    ones += <u32>popcnt(bits);
    bit += taken;
    count -= taken;
  }
  return ones;
}

/** Writes the next one of the `packed` i32 for each of `count` bits that is 1, and 0 for the others. */
export function expand(tables: usize, stream: usize, bit: u32, count: u32, packed: usize, out: usize): void {
  const expansions = tables + EXPANSIONS;
  for (const end = out + (<usize>count << 2); out < end; out += 16) {
    const mask = (load<u32>(stream + (bit >> 3)) >> (bit & 7)) & 15;
    v128.store(out, i8x16.swizzle(v128.load(packed), v128.load(expansions + (mask << 4))));
    packed += <usize>popcnt(mask) << 2;
    bit += 4;
  }
}
