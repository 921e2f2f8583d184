// Zstandard: sequences of literals and matches (RFC 8878, section 3.1.1.3.2).
//
// The bits are read from the end, as those of literals are: the word at `at` has the next ones, of which `used` are
// used, from the highest on.

import { copyLiteral, copyMatch } from './copies';
import { LITERAL_LENGTHS, LOGS, MATCH_LENGTHS, OFFSETS, openTable, REPEATED } from './zstd-tables';

/** The next `count` bits; 0 for none. */
@inline function peek(word: u64, used: u32, count: u32): u32 {
  return <u32>(((word << <u64>used) >> 1) >> <u64>(63 - count));
}

/**
 * Writes the literals and matches of the sequences between `start` and `end`, and then the rest of the literals, to
 * `out`. Matches begin at
 * `first` or later. Returns the end of what was written; 0 if it is corrupt, or more than what ends at `outEnd`.
 */
export function writeSequences(
  start: usize, end: usize, count: i32, given: usize, literalsEnd: usize, scratch: usize, first: usize, out: usize, outEnd: usize,
): usize {
  if (start >= end) return 0;
  const modes = <i32>load<u8>(start);
  if ((modes & 3) != 0) return 0;
  let from = start + 1;
  for (let kind: usize = 0; kind < 3; kind++) {
    from = openTable(scratch, kind, (modes >> (6 - 2 * <i32>kind)) & 3, from, end);
    if (from == 0) return 0;
  }
  if (from >= end || load<u8>(end - 1) == 0) return 0;
  const literalTable = scratch + LITERAL_LENGTHS;
  const offsetTable = scratch + OFFSETS;
  const matchTable = scratch + MATCH_LENGTHS;
  let at = end - 8;
  let word = load<u64>(at);
  let used = <u32>clz(word) + 1;
  let bits = load<u32>(scratch + LOGS);
  let literalState = <usize>peek(word, used, bits);
  used += bits;
  bits = load<u32>(scratch + LOGS, 4);
  let offsetState = <usize>peek(word, used, bits);
  used += bits;
  bits = load<u32>(scratch + LOGS, 8);
  let matchState = <usize>peek(word, used, bits);
  used += bits;
  let recent = load<u32>(scratch + REPEATED);
  let second = load<u32>(scratch + REPEATED, 4);
  let third = load<u32>(scratch + REPEATED, 8);
  let literal = given;
  let to = out;
  for (let left = count; ; left--) {
    // After this at most 7 bits are used, and 57 are there.
    at -= <usize>(used >> 3);
    used &= 7;
    // What is read beyond the beginning is found at the end.
    if (<isize>(at - from) < -8) return 0;
    word = load<u64>(at);
    const literalEntry = load<u64>(literalTable + (literalState << 3));
    const offsetEntry = load<u64>(offsetTable + (offsetState << 3));
    const matchEntry = load<u64>(matchTable + (matchState << 3));
    const offsetBits = <u32>(offsetEntry >> 24) & 255;
    const matchBits = <u32>(matchEntry >> 24) & 255;
    const literalBits = <u32>(literalEntry >> 24) & 255;
    const value = <u32>(offsetEntry >> 32) + peek(word, used, offsetBits);
    used += offsetBits;
    const match = <usize>(<u32>(matchEntry >> 32) + peek(word, used, matchBits));
    used += matchBits;
    if (used + literalBits > 38) {
      at -= <usize>(used >> 3);
      used &= 7;
      if (<isize>(at - from) < -8) return 0;
      word = load<u64>(at);
    }
    const length = <usize>(<u32>(literalEntry >> 32) + peek(word, used, literalBits));
    used += literalBits;
    let offset: u32;
    if (value > 3) {
      offset = value - 3;
      third = second;
      second = recent;
      recent = offset;
    } else {
      // The last offsets, or without literals those after the first.
      const which = value - (length == 0 ? 0 : 1);
      if (which == 0) offset = recent;
      else {
        offset = which == 1 ? second : which == 2 ? third : recent - 1;
        if (which > 1) third = second;
        second = recent;
        recent = offset;
      }
    }
    if (length > literalsEnd - literal || <u64>length + <u64>match > <u64>(outEnd - to)) return 0;
    copyLiteral(to, literal, length);
    literal += length;
    to += length;
    if (offset == 0 || offset > <u32>(to - first)) return 0;
    copyMatch(to, offset, match);
    to += match;
    if (left == 1) break;
    bits = <u32>(literalEntry >> 16) & 255;
    literalState = <usize>((<u32>literalEntry & 0xffff) + peek(word, used, bits));
    used += bits;
    bits = <u32>(matchEntry >> 16) & 255;
    matchState = <usize>((<u32>matchEntry & 0xffff) + peek(word, used, bits));
    used += bits;
    bits = <u32>(offsetEntry >> 16) & 255;
    offsetState = <usize>((<u32>offsetEntry & 0xffff) + peek(word, used, bits));
    used += bits;
  }
  if ((<isize>(at - from) << 3) + 64 != <isize>used) return 0;
  store<u32>(scratch + REPEATED, recent);
  store<u32>(scratch + REPEATED, second, 4);
  store<u32>(scratch + REPEATED, third, 8);
  const rest = literalsEnd - literal;
  if (rest > outEnd - to) return 0;
  memory.copy(to, literal, rest);
  return to + rest;
}
