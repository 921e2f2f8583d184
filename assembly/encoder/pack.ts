// Numbers of 0 to 32 bits, one after the other; the first bit is the lowest of the first byte. Four numbers are put
// together as far as 56 bits hold them, before they join the bits that are held:
//
//   lanes      a b c d
//   in pairs   a | b << w, c | d << w
//   in one     a | b << w | c << 2w | d << 3w, of up to 14 bits each
// Up to 8 bytes behind the last number are written.

import { firstLanes } from './work';

/** Writes each of `count` numbers less `floor`, from a bit of the stream on; returns the bit behind them. */
export function pack(numbers: usize, count: u32, floor: i32, width: u32, stream: usize, bit: u32): u32 {
  if (width == 0) return bit;
  const floors = i32x4.splat(floor);
  const lower = i64x2.splat(0xffffffff);
  let to = stream + (bit >> 3);
  // Fewer than 8 bits are held.
  let count_ = bit & 7;
  let held = <u64>load<u8>(to) & ((<u64>1 << count_) - 1);
  for (let left = <i32>count; left > 0; left -= 4) {
    let lanes = i32x4.sub(v128.load(numbers), floors);
    if (left < 4) lanes = v128.and(lanes, firstLanes(left));
    numbers += 16;
    if (width > 28) {
      for (let lane = 0; lane < 4 && lane < left; lane++) {
        held |= <u64>(<u32>i32x4.extract_lane(lanes, 0)) << count_;
        lanes = v128.shuffle<i32>(lanes, lanes, 1, 2, 3, 0);
        count_ += width;
        store<u64>(to, held);
        to += count_ >> 3;
        held >>= count_ & 56;
        count_ &= 7;
      }
      continue;
    }
    const pairs = v128.or(v128.and(lanes, lower), i64x2.shl(i64x2.shr_u(lanes, 32), width));
    const first = <u64>i64x2.extract_lane(pairs, 0);
    const second = <u64>i64x2.extract_lane(pairs, 1);
    if (width <= 14) {
      held |= (first | (second << (2 * width))) << count_;
      count_ += <u32>min(left, 4) * width;
    } else {
      held |= first << count_;
      count_ += <u32>min(left, 2) * width;
      store<u64>(to, held);
      to += count_ >> 3;
      held >>= count_ & 56;
      count_ &= 7;
      held |= second << count_;
      count_ += <u32>max(min(left, 4) - 2, 0) * width;
    }
    store<u64>(to, held);
    to += count_ >> 3;
    held >>= count_ & 56;
    count_ &= 7;
  }
  return bit + count * width;
}

/** Writes a bit for each of `count` integers, 1 where it is not `base`; returns the bit behind them. */
export function packMask(integers: usize, count: u32, base: i32, stream: usize, bit: u32): u32 {
  const bases = i32x4.splat(base);
  for (let done: u32 = 0; done < count; done += 32) {
    const taken = min<u32>(32, count - done);
    let ones: u64 = 0;
    for (let i: u32 = 0; i < taken; i += 4) {
      const isOne = i32x4.ne(v128.load(integers), bases);
      ones |= <u64>(<u32>i32x4.bitmask(isOne)) << i;
      integers += 16;
    }
    ones &= (<u64>1 << taken) - 1;
    const to = stream + (bit >> 3);
    const held = <u64>load<u8>(to) & ((<u64>1 << (bit & 7)) - 1);
    store<u64>(to, held | (ones << (bit & 7)));
    bit += taken;
  }
  return bit;
}
