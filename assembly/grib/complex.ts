// Complex packing (templates 5.2 and 5.3) and second-order packing of edition 1: values in groups, each with a
// reference of its own and as many bits as its values need.
//
//   references | widths | lengths | numbers of the first group, of the second, ...
//
// Each part begins at a full byte. `bits.ts` draws the stream; parts are byte positions in it.
//
// With spatial differencing a number is a difference of order 1 to 3, less the smallest difference, of the values that
// are not missing; the first of them are given apart. In edition 2 groups have numbers in their places, which are not
// used; in edition 1 groups begin behind them. Sums are those of integers of 64 bits.
//
// A place between two values, where reading ends and is continued, is 7 integers of 64 bits:
//
//   group | values of it before | values before | bit position of numbers | first values to come | last | one before
//
// The groups from that of the place up to `groupEnd` must be in the stream. Positions of their parts are those of the
// first of all groups, which may lie before the stream.

import { bitsAt, numberAt } from './bits';
import { ComplexJob } from './generated/jobs';
import { scaled } from './scale';

/** A group has more or fewer values than are left. */
const WRONG_LENGTHS = 1;
/** A group's numbers have more than 32 bits. */
const WRONG_WIDTH = 2;
/** The numbers end behind the last byte. */
const TRUNCATED = 3;

/** `missing` is a constant wherever it is called, and without missing values `order`: a kernel for each. */
@inline function unpack(
  job: ComplexJob, order: i32, missing: bool, reference: f64, binary: f64, decimal: f64, out: usize,
): i32 {
  const stream = job.stream;
  const place = job.place;
  const end = <u64>job.bytes << 3;
  const lastGroup = job.groups - 1;
  const groupEnd = job.groupEnd;
  const referenceBits = <u64>job.referenceBits;
  const widthBits = <u64>job.widthBits;
  const lengthBits = <u64>job.lengthBits;
  const smallestWidth = <u64>job.smallestWidth;
  const smallestLength = <u64>job.smallestLength;
  const lengthStep = <u64>job.lengthStep;
  // The largest number, and with two substitutes the one before it, stand for missing values.
  const substitutes: u64 = missing ? job.missing : 0;
  const minimum = <i64>job.minimum;
  let group = <i32>load<i64>(place);
  let behindGroup = load<u64>(place, 8);
  let left = <u64>job.count - load<u64>(place, 16);
  let at = load<u64>(place, 24);
  /** Values that are given apart and not met yet. */
  let first = <i32>load<i64>(place, 32);
  let last = load<i64>(place, 40);
  let before = load<i64>(place, 48);
  let third: i64 = 0;
  let wanted = <u64>job.wanted;
  let references = (<u64><i64>job.references << 3) + <u64>group * referenceBits;
  let widths = (<u64><i64>job.widths << 3) + <u64>group * widthBits;
  let lengths = (<u64><i64>job.lengths << 3) + <u64>group * lengthBits;
  let to = out;
  if (order != 0 && job.isApart) {
    if (left < <u64>order) return WRONG_LENGTHS;
    left -= <u64>order;
    wanted -= <u64>order;
    for (let i = 0; i < order; i++) {
      third = before;
      before = last;
      last = <i64>(i == 0 ? job.first : i == 1 ? job.second : job.third);
      store<f64>(to, scaled(<f64>last, reference, binary, decimal));
      to += 8;
    }
    first = 0;
  }
  // Behind the last value groups are read on: they must not have values.
  while (group < groupEnd && (wanted != 0 || left == 0)) {
    const base = numberAt(stream, references, referenceBits);
    references += referenceBits;
    const width = numberAt(stream, widths, widthBits) + smallestWidth;
    widths += widthBits;
    let length = numberAt(stream, lengths, lengthBits) * lengthStep + smallestLength;
    lengths += lengthBits;
    if (group == lastGroup) length = <u64>job.lastLength;
    if (length < behindGroup || length - behindGroup > left) return WRONG_LENGTHS;
    const rest = length - behindGroup;
    const count = min(rest, wanted);
    left -= count;
    wanted -= count;
    if (width > 32) return WRONG_WIDTH;
    if (at + width * count > end) return TRUNCATED;
    // A group without numbers is missing as a whole if its reference is a substitute.
    const numbers = <u64>1 << (width == 0 ? referenceBits : width);
    const limit = numbers < substitutes ? 0 : numbers - substitutes;
    const behind = to + (<usize>count << 3);
    if (missing && width == 0 && base >= limit) {
      for (; to < behind; to += 8) store<f64>(to, NaN);
    } else for (; to < behind; to += 8) {
      const number = (bitsAt(stream, at) >> 1) >> (63 - width);
      at += width;
      if (missing && width != 0 && number >= limit) {
        store<f64>(to, NaN);
        continue;
      }
      let value = <i64>(number + base);
      if (order != 0) {
        if (first > 0) {
          value = <i64>(first == order ? job.first : job.second);
          first--;
        } else {
          value += minimum;
          if (order == 1) value += last;
          else if (order == 2) value += last + last - before;
          else value += 3 * (last - before) + third;
        }
        if (order == 3) third = before;
        if (order >= 2) before = last;
        last = value;
      }
      store<f64>(to, scaled(<f64>value, reference, binary, decimal));
    }
    if (count < rest) {
      behindGroup += count;
      break;
    }
    behindGroup = 0;
    group++;
  }
  store<i64>(place, group);
  store<u64>(place, behindGroup, 8);
  store<u64>(place, <u64>job.count - left, 16);
  store<u64>(place, at, 24);
  store<i64>(place, first, 32);
  store<i64>(place, last, 40);
  store<i64>(place, before, 48);
  return wanted == 0 ? 0 : WRONG_LENGTHS;
}

/**
 * Checks all groups as unpackComplex does, and writes for every `step`-th group, as two float64, the values before it
 * and the bit position of its numbers. Returns 0, or what is wrong with the groups.
 */
export function indexGroups(job: ComplexJob, step: i32, out: usize): i32 {
  const stream = job.stream;
  const end = <u64>job.bytes << 3;
  const groups = job.groups;
  const lengthBits = <u64>job.lengthBits;
  const widthBits = <u64>job.widthBits;
  let widths = <u64>job.widths << 3;
  let lengths = <u64>job.lengths << 3;
  let before: u64 = 0;
  let at = load<u64>(job.place, 24);
  for (let group = 0; group < groups; group++) {
    if (group % step == 0) {
      store<f64>(out, <f64>before);
      store<f64>(out, <f64>at, 8);
      out += 16;
    }
    const width = numberAt(stream, widths, widthBits) + <u64>job.smallestWidth;
    widths += widthBits;
    let length = numberAt(stream, lengths, lengthBits) * <u64>job.lengthStep + <u64>job.smallestLength;
    lengths += lengthBits;
    if (group == groups - 1) length = <u64>job.lastLength;
    before += length;
    if (before > <u64>job.count) return WRONG_LENGTHS;
    if (width > 32) return WRONG_WIDTH;
    at += width * length;
    if (at > end) return TRUNCATED;
  }
  return before == <u64>job.count ? 0 : WRONG_LENGTHS;
}

/**
 * Writes the values that are wanted from a place on as float64, NaN where they are missing, and moves the place behind
 * them; returns 0, or what is wrong with the groups.
 */
export function unpackComplex(job: ComplexJob, reference: f64, binary: f64, decimal: f64, out: usize): i32 {
  if (job.missing == 0) {
    if (job.order == 0) return unpack(job, 0, false, reference, binary, decimal, out);
    if (job.order == 1) return unpack(job, 1, false, reference, binary, decimal, out);
    if (job.order == 3) return unpack(job, 3, false, reference, binary, decimal, out);
    return unpack(job, 2, false, reference, binary, decimal, out);
  }
  return unpack(job, job.order, true, reference, binary, decimal, out);
}
