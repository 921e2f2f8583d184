// CCSDS 121.0-B-3, lossless data compression (template 5.42; libaec writes it): numbers in blocks, blocks in intervals.
//
//   interval   up to `intervalBlocks` blocks; with preprocessing its first number is stored as it is (the reference),
//              and all others as differences to the one before, folded to numbers without a sign
//   block      an identifier of `idBits` bits, which says how its numbers are coded:
//              0 and a bit 0      this block and some after it are zeros
//              0 and a bit 1      second extension: each code stands for two numbers
//              all ones           numbers as they are
//              k + 1              split: the high bits of all numbers, each as so many zeros and a one, then the k
//                                 low bits of each
//
// `bits.ts` draws the stream.

import { bitsAt, numberAt } from './bits';
import { CcsdsJob } from './generated/jobs';
import { scaled, scaledPair } from './scale';

/** The stream ends within a block. */
const TRUNCATED = 1;
/** Blocks of zeros beyond the interval, a code that stands for no pair of numbers, or a number of more bits. */
const INCONSISTENT = 2;

/** The code for zeros up to the end of a segment of 64 blocks, or of the interval. */
const REST_OF_SEGMENT = 5;
const SEGMENT_BLOCKS = 64;
/** Sums of the pairs of the second extension. */
const MAX_PAIR_CODE = 90;

/** The numbers of a block, at most 255, and what is read behind them. */
const block: usize = memory.data(1088);

/** Where the bits have been read up to. */
let position: u64 = 0;

/** The last number before those that are read. */
let previous: i64 = 0;

/** The zeros before the next one; -1 if the bits end before. Moves `position` behind the one. */
function longUnary(stream: usize, end: u64): i64 {
  const start = position;
  let at = start;
  for (;;) {
    const word = bitsAt(stream, at);
    if (word != 0) {
      at += clz(word);
      break;
    }
    at += 64 - (at & 7);
    if (at >= end) return -1;
  }
  position = at + 1;
  return at < end ? <i64>(at - start) : -1;
}

/** Reads the codes of pairs: the second extension. */
function readPairs(stream: usize, end: u64, from: i32, size: i32, width: u64): i32 {
  for (let i = from; i < size; i++) {
    const code = longUnary(stream, end);
    if (code < 0) return TRUNCATED;
    if (code > MAX_PAIR_CODE) return INCONSISTENT;
    // Pairs are counted by their sum, and among those of a sum by their second number.
    let sum: i64 = 0;
    let first: i64 = 0;
    while (first + sum + 1 <= code) first += ++sum;
    const second = code - first;
    // With the reference in place of the first number, only the second is there.
    if (max((i & 1) == 0 ? sum - second : 0, second) >> width != 0) return INCONSISTENT;
    if ((i & 1) == 0) {
      store<u32>(block + (<usize>i << 2), <u32>(sum - second));
      i++;
    }
    store<u32>(block + (<usize>i << 2), <u32>second);
  }
  return 0;
}

/**
 * The number that a folded difference to the one before stands for. A difference d alternates between below and above
 * as long as both are in the range from `lowest` to `highest`; what is further away lies on one side only.
 */
@inline function unfold(folded: i64, last: i64, lowest: i64, highest: i64): i64 {
  const below = last - lowest;
  const above = highest - last;
  if (folded <= min(below, above) << 1) return last + ((folded >> 1) ^ -(folded & 1));
  return below < above ? lowest + folded : highest - folded;
}

/** Replaces the folded differences of a block by numbers, and returns the last one. */
function unfoldBlock(from: i32, size: i32, start: i64, lowest: i64, highest: i64): i64 {
  let last = start;
  for (let to = block + (<usize>from << 2); to < block + (<usize>size << 2); to += 4) {
    last = unfold(<i64>load<u32>(to), last, lowest, highest);
    store<u32>(to, <u32>last);
  }
  return last;
}

/**
 * Reads numbers that are split into high and low bits; those that are folded are unfolded. `isFolded` is a constant.
 */
@inline function readSplit(
  stream: usize, end: u64, from: i32, size: i32, low: u64, width: u64, isFolded: bool, lowest: i64, highest: i64,
): i32 {
  let at = position;
  let all: u64 = 0;
  const first = block + (<usize>from << 2);
  const behind = block + (<usize>size << 2);
  let word: u64 = 0;
  for (let to = first; to < behind; to += 4) {
    if (word == 0) word = bitsAt(stream, at);
    let high: u64;
    if (word != 0) {
      high = clz(word);
      word = word << high << 1;
      at += high + 1;
    } else {
      position = at;
      const zeros = longUnary(stream, end);
      if (zeros < 0) return TRUNCATED;
      high = <u64>zeros;
      at = position;
    }
    high <<= low;
    all |= high;
    store<u32>(to, <u32>high);
  }
  if (at + <u64>(size - from) * low > end) return TRUNCATED;
  let last = previous;
  for (let to = first; to < behind; to += 4) {
    const bits = numberAt(stream, at, low);
    at += low;
    all |= bits;
    const number = <u64>load<u32>(to) | bits;
    last = isFolded ? unfold(<i64>number, last, lowest, highest) : <i64>number;
    store<u32>(to, <u32>last);
  }
  position = at;
  previous = last;
  return all >> width == 0 ? 0 : INCONSISTENT;
}

/** Reads numbers that are split into high and low bits as they are coded. */
function readSplitAsCoded(stream: usize, end: u64, from: i32, size: i32, low: u64, width: u64): i32 {
  return readSplit(stream, end, from, size, low, width, false, 0, 0);
}

/** Moves `position` behind numbers that are split into high and low bits. */
function skipSplit(stream: usize, end: u64, from: i32, size: i32, low: u64, width: u64): i32 {
  const start = position;
  const count = <u64>(size - from);
  let at = start;
  let ones = count;
  let word = bitsAt(stream, at);
  for (let found = popcnt(word); found < ones; found = popcnt(word)) {
    ones -= found;
    at += 64 - (at & 7);
    if (at >= end) return TRUNCATED;
    word = bitsAt(stream, at);
  }
  // The place of the last one that is needed.
  for (let half: u64 = 32; half > 0; half >>= 1) {
    const found = popcnt(word >> (64 - half));
    if (found >= ones) continue;
    ones -= found;
    at += half;
    word <<= half;
  }
  at++;
  position = at + count * low;
  if (position > end) return TRUNCATED;
  // Only with so many zeros can a number have too many bits.
  const zeros = at - start - count;
  if (low < width && (zeros << low) >> width == 0) return 0;
  position = start;
  return readSplitAsCoded(stream, end, from, size, low, width);
}

/** Reads numbers as they are. */
@inline function readPlain(stream: usize, end: u64, size: i32, width: u64): i32 {
  let at = position;
  if (at + <u64>size * width > end) return TRUNCATED;
  for (let to = block; to < block + (<usize>size << 2); to += 4) {
    store<u32>(to, <u32>numberAt(stream, at, width));
    at += width;
  }
  position = at;
  return 0;
}

/** The blocks of zeros that a code stands for, behind so many blocks of their interval. */
@inline function zeroBlocks(code: i64, done: i32, intervalBlocks: i32): i64 {
  const blocks = code + 1;
  if (blocks == REST_OF_SEGMENT) return min(intervalBlocks - done, SEGMENT_BLOCKS - (done % SEGMENT_BLOCKS));
  return blocks > REST_OF_SEGMENT ? code : blocks;
}

/** Writes values as float64, from the start of an interval on; returns 0, or what is wrong with the stream. */
export function unpackCcsds(job: CcsdsJob, reference: f64, binary: f64, decimal: f64, out: usize): i32 {
  const stream = job.stream;
  const end = <u64>job.bytes << 3;
  const width = <u64>job.width;
  const idBits = <u64>job.idBits;
  const plainId = (<u64>1 << idBits) - 1;
  const size = job.blockSize;
  const intervalBlocks = job.intervalBlocks;
  const isFolded = job.isFolded != 0;
  const isPadded = job.isPadded != 0;
  const mask = <u32>((<u64>1 << width) - 1);
  const lowest: i64 = job.isSigned ? -(<i64>1 << (width - 1)) : 0;
  const highest = lowest + <i64>mask;
  const masks = i32x4.splat(<i32>mask);
  const references = f64x2.splat(reference);
  const binaries = f64x2.splat(binary);
  const decimals = f64x2.splat(decimal);
  const outEnd = out + (<usize>job.count << 3);
  position = job.start;
  previous = 0;
  let to = out;
  let done = 0;
  while (to < outEnd) {
    if (done == intervalBlocks) {
      done = 0;
      if (isPadded) position = (position + 7) & ~7;
    }
    // 1 if the block begins with the reference of its interval.
    const from = i32(isFolded && done == 0);
    const id = numberAt(stream, position, idBits);
    position += idBits;
    const isPair = id == 0 && numberAt(stream, position, 1) != 0;
    position += u64(id == 0);
    if (from != 0 && id != plainId) {
      previous = <i64>numberAt(stream, position, width);
      position += width;
      store<u32>(block, <u32>previous);
      if (previous > highest) previous -= <i64>1 << width;
    }
    if (position > end) return TRUNCATED;
    if (id == 0 && !isPair) {
      const code = longUnary(stream, end);
      if (code < 0) return TRUNCATED;
      const blocks = zeroBlocks(code, done, intervalBlocks);
      if (blocks > intervalBlocks - done) return INCONSISTENT;
      const value = scaled(<f64>(isFolded ? <u32>previous & mask : 0), reference, binary, decimal);
      const bytes = <u64>blocks * size << 3;
      const behind = bytes > <u64>(outEnd - to) ? outEnd : to + <usize>bytes;
      for (; to < behind; to += 8) store<f64>(to, value);
      done += <i32>blocks;
      continue;
    }
    let problem: i32;
    if (id != 0 && id != plainId) {
      if (isFolded) problem = readSplit(stream, end, from, size, id - 1, width, true, lowest, highest);
      else problem = readSplitAsCoded(stream, end, from, size, id - 1, width);
    } else {
      problem = isPair ? readPairs(stream, end, from, size, width) : readPlain(stream, end, size, width);
      if (isFolded) {
        if (from != 0) {
          previous = <i64>load<u32>(block);
          if (previous > highest) previous -= <i64>1 << width;
        }
        previous = unfoldBlock(from, size, previous, lowest, highest);
      }
    }
    if (problem != 0) return problem;
    const left = min(<usize>size << 3, outEnd - to);
    const behind = to + left;
    let number = block;
    for (; to + 16 <= behind; to += 16) {
      v128.store(to, scaledPair(v128.and(v128.load64_zero(number), masks), references, binaries, decimals));
      number += 8;
    }
    if (to < behind) {
      store<f64>(to, scaled(<f64>(load<u32>(number) & mask), reference, binary, decimal));
      to += 8;
    }
    done++;
  }
  return 0;
}

/**
 * Checks the codes of all numbers as unpackCcsds does, and writes for every `step`-th interval its bit position as
 * float64. Returns 0, or what is wrong with the stream.
 */
export function indexIntervals(job: CcsdsJob, step: i32, out: usize): i32 {
  const stream = job.stream;
  const end = <u64>job.bytes << 3;
  const width = <u64>job.width;
  const idBits = <u64>job.idBits;
  const plainId = (<u64>1 << idBits) - 1;
  const size = job.blockSize;
  const intervalBlocks = job.intervalBlocks;
  let left = <i64>job.count;
  let interval = 0;
  let done = 0;
  position = 0;
  while (left > 0) {
    if (done == intervalBlocks) {
      done = 0;
      if (job.isPadded) position = (position + 7) & ~7;
    }
    if (done == 0) {
      if (interval % step == 0) {
        store<f64>(out, <f64>position);
        out += 8;
      }
      interval++;
    }
    const from = i32(job.isFolded != 0 && done == 0);
    const id = numberAt(stream, position, idBits);
    position += idBits;
    const isPair = id == 0 && numberAt(stream, position, 1) != 0;
    position += u64(id == 0);
    if (from != 0 && id != plainId) position += width;
    if (position > end) return TRUNCATED;
    if (id == 0 && !isPair) {
      const code = longUnary(stream, end);
      if (code < 0) return TRUNCATED;
      const blocks = zeroBlocks(code, done, intervalBlocks);
      if (blocks > intervalBlocks - done) return INCONSISTENT;
      left -= <i64>blocks * size;
      done += <i32>blocks;
      continue;
    }
    let problem = 0;
    if (isPair) problem = readPairs(stream, end, from, size, width);
    else if (id != plainId) problem = skipSplit(stream, end, from, size, id - 1, width);
    else {
      position += <u64>size * width;
      if (position > end) problem = TRUNCATED;
    }
    if (problem != 0) return problem;
    left -= size;
    done++;
  }
  return 0;
}
