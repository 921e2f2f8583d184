// Rows of f32 become text: each number, rounded, after a text of its own.
//
//   texts    a pair of u32 for each number, in the order in which they are written: the address and the length of the text before it;
//            up to 15 bytes behind a text are read
//   columns  rows x f32 for each column, columnBytes apart; the numbers of a row follow one another
//   out      up to 15 bytes behind the last text or number are written
import { TextJob } from './generated/jobs';

/** The word `null`, as a little-endian store writes it. */
const NULL: u32 = 0x6c6c756e;
const ZEROS: u32 = 0x303030;
/** Rounding up a number below this one does not overflow 32 bits. */
const MAX_ROUNDED: f64 = 2_147_000_000;

/** The numbers below 1,000 as digits, the first in the lowest byte, without leading zeros; their length in the highest. */
const WHOLE = memory.data(4000);
/** The same as decimals, without trailing zeros; their length with the point, or 0. */
const FRACTION = memory.data(4000);
let hasDigits = false;

/** Fills the tables: lengths vary from number to number, so that branches on them are mispredicted every other time. */
function makeDigits(): void {
  hasDigits = true;
  for (let k: u32 = 0; k < 1000; k++) {
    const digits = digits3(k);
    const leading: u32 = k < 10 ? 2 : k < 100 ? 1 : 0;
    store<u32>(WHOLE + (k << 2), (digits >> (8 * leading)) | ((3 - leading) << 24));
    const length: u32 = k == 0 ? 0 : k % 10 != 0 ? 4 : k % 100 != 0 ? 3 : 2;
    store<u32>(FRACTION + (k << 2), digits | (length << 24));
  }
}

/** The three digits of a number below 1,000, the first in the lowest byte. */
@inline function digits3(value: u32): u32 {
  const hundreds = (value * 5243) >> 19;
  const rest = value - 100 * hundreds;
  const tens = (rest * 103) >> 10;
  return ZEROS + (hundreds | (tens << 8) | ((rest - 10 * tens) << 16));
}

/** Writes an integer and returns where it ends. */
function putWhole(at: usize, value: u32): usize {
  if (value < 1000) {
    const digits = load<u32>(WHOLE + (value << 2));
    store<u32>(at, digits);
    return at + <usize>(digits >> 24);
  }
  const thousands = value / 1000;
  const end = putWhole(at, thousands);
  store<u32>(end, digits3(value - 1000 * thousands));
  return end + 3;
}

/** Writes a number of thousandths without trailing zeros, and returns where it ends. */
@inline function putThousandths(at: usize, value: u32): usize {
  const whole = value / 1000;
  let end: usize;
  if (whole < 1000) {
    const digits = load<u32>(WHOLE + (whole << 2));
    store<u32>(at, digits);
    end = at + <usize>(digits >> 24);
  } else end = putWhole(at, whole);
  const digits = load<u32>(FRACTION + ((value - 1000 * whole) << 2));
  store<u32>(end, 46 | (digits << 8));
  return end + <usize>(digits >> 24);
}

/**
 * Writes each number rounded to a job's decimals, of two nearest the one farther from zero, without trailing zeros;
 * NaN is null, and what rounds to -0 is 0. Returns where the last one ends, or 0 where one is too large for 32 bits, or
 * infinite.
 */
export function writeNumbersF32(address: usize): usize {
  if (!hasDigits) makeDigits();
  const job = changetype<TextJob>(address);
  const columns = job.columns;
  const columnBytes = job.columnBytes;
  const end = columns + <usize>job.columnCount * columnBytes;
  // Thousandths = units of the last decimal x rest.
  let scale: f64 = 1;
  let rest: u32 = 1000;
  for (let k = job.decimals; k > 0; k--) {
    scale *= 10;
    rest /= 10;
  }
  const limit = MAX_ROUNDED / <f64>rest;
  let text = job.texts;
  let out = job.out;
  for (let row: usize = 0, rowEnd = <usize>job.rows << 2; row < rowEnd; row += 4) {
    for (let column = columns; column < end; column += columnBytes, text += 8) {
      const from = <usize>load<u32>(text);
      const length = <usize>load<u32>(text, 4);
      for (let i: usize = 0; i < length; i += 16) v128.store(out + i, v128.load(from + i));
      out += length;
      const value = <f64>load<f32>(column + row);
      if (value != value) {
        store<u32>(out, NULL);
        out += 4;
        continue;
      }
      const scaled = abs(value) * scale;
      if (!(scaled < limit)) return 0;
      // Of a f32 the product and the sum are exact.
      const thousandths = <u32>(scaled + 0.5) * rest;
      store<u8>(out, 45);
      out += <usize>(<i32>(value < 0) & <i32>(thousandths != 0));
      out = putThousandths(out, thousandths);
    }
  }
  return out;
}
