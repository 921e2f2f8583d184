// What kernels keep of the block that is encoded, one after the other; count is members x days:
//
//   head      64 bytes: what the block begins with: its first 22 bytes, the quantum (f64) and the origin (f64)
//   counts    64 bytes: see below
//   before    members of i32: the base, as the day before the first one
//   integers  count of i32, day after day
//   numbers   count of i32: what is packed of these
//   gaps      count of u32: the indexes, member after member, of values without an integer
//   spans     9 x days of i32: of each group, the least number, then the greatest ones, with a coefficient of 0, with the
//             one that is fitted, and with 16; then, of what is not 0, the least, the greatest and how many
//   codes     days of i32: what the width of each group follows from
//   floors    days of i32
//   64 bytes that are read and written
// Up to 16 bytes behind each part are read.

/** So many numbers have no integer: the sum of the next two. */
export const GAPS: usize = 64;
/** How many of these are missing values, and how many are exceptions. */
export const MISSING: usize = 68;
export const EXCEPTIONS: usize = 72;
/** How many values are 0, and the integer of 0. */
export const ZEROS: usize = 76;
export const ZERO: usize = 80;
/** The bytes of quantum and origin in the block: 0, 8 or 16. */
export const GRID_BYTES: usize = 84;

const COUNTS_END: usize = 128;
const SPANS: u32 = 9;

/** The bytes of so many numbers. */
@inline export function words(count: u32): usize {
  return <usize>count << 2;
}

/** The bytes of all. */
export function workBytes(members: u32, days: u32): usize {
  return codesAt(0, members, days) + words(2 * days) + 64;
}

@inline export function integersAt(work: usize, members: u32): usize {
  return work + COUNTS_END + words(members);
}

@inline export function numbersAt(work: usize, members: u32, days: u32): usize {
  return integersAt(work, members) + words((members * days));
}

@inline export function gapsAt(work: usize, members: u32, days: u32): usize {
  return numbersAt(work, members, days) + words((members * days));
}

@inline export function spansAt(work: usize, members: u32, days: u32): usize {
  return gapsAt(work, members, days) + words((members * days));
}

@inline export function codesAt(work: usize, members: u32, days: u32): usize {
  return spansAt(work, members, days) + words(SPANS * days);
}

/** The first `count` lanes. */
@inline export function firstLanes(count: u32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(<i32>count));
}
