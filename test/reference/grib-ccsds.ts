import { BitReader, BitWriter } from './bit-writer.js';
import { type Scale, section5, uint } from './grib-message.js';

/** How CCSDS 121.0 codes numbers: octets 20 to 25 of template 5.42. */
export interface CcsdsLayout {
  readonly bits: number;
  readonly blockSize: number;
  readonly interval: number;
  readonly isSigned: boolean;
  readonly isFolded: boolean;
  readonly isRestricted: boolean;
  readonly isPadded: boolean;
}

/** How a block may be coded; a block for which that is not possible is stored as it is. */
export type Coding = 'plain' | 'pairs' | 'zeros' | number;

/** Section 5 for so many numbers. */
export function ccsdsSection(count: number, layout: CcsdsLayout, scale: Scale): Uint8Array {
  const { isSigned, isFolded, isRestricted, isPadded, bits, blockSize, interval } = layout;
  const flags = (isSigned ? 1 : 0) + (isFolded ? 8 : 0) + (isRestricted ? 16 : 0) + (isPadded ? 32 : 0);
  return section5(42, count, scale, bits, [flags, blockSize, ...uint(interval, 2)]);
}

function idBits({ bits, isRestricted }: CcsdsLayout): number {
  if (bits > 16) return 5;
  if (bits > 8) return 4;
  return isRestricted ? (bits > 2 ? 2 : 1) : 3;
}

/** The range of numbers, as they are coded. */
function range({ bits, isSigned }: CcsdsLayout): [number, number] {
  return isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
}

/** Codes numbers of 0 to 2^bits - 1, the blocks in turn as `codings` says; codes have at most so many zeros. */
export function writeCcsds(
  numbers: readonly number[],
  layout: CcsdsLayout,
  codings: readonly Coding[],
  maxZeros = 300,
): Uint8Array {
  const { bits, blockSize, interval, isSigned, isFolded, isPadded } = layout;
  const [lowest, highest] = range(layout);
  const writer = new BitWriter();
  const padded = [...numbers];
  while (padded.length % blockSize !== 0) padded.push(numbers.at(-1)!);
  const signed = padded.map((number) => (isSigned && number > highest ? number - 2 ** bits : number));
  const folded = signed.map((number, i) => {
    if (!isFolded || i % (blockSize * interval) === 0) return isFolded ? 0 : padded[i];
    const before = signed[i - 1];
    const both = Math.min(before - lowest, highest - before);
    const step = number - before;
    if (Math.abs(step) > both) return Math.abs(step) + both;
    return step >= 0 ? 2 * step : -2 * step - 1;
  });
  const blocks = padded.length / blockSize;
  for (let block = 0; block < blocks; block++) {
    if (isPadded && block % interval === 0) writer.align();
    const hasReference = isFolded && block % interval === 0;
    const all = folded.slice(block * blockSize, (block + 1) * blockSize);
    const coded = all.slice(hasReference ? 1 : 0);
    const coding = possible(codings[block % codings.length], all, layout, maxZeros);
    const writeReference = () => hasReference && writer.number(padded[block * blockSize], bits);
    if (coding === 'plain') {
      writer.number(2 ** idBits(layout) - 1, idBits(layout));
      writeReference();
      for (const number of coded) writer.number(number, bits);
    } else if (coding === 'zeros') {
      writer.number(0, idBits(layout) + 1);
      writeReference();
      // Zeros up to the end of the interval or of a segment of 64 blocks are one code, if they are five at least.
      const place = block % interval;
      const end = Math.min(blocks, block - place + interval, block - (place % 64) + 64);
      let behind = block + 1;
      while (behind < end && folded.slice(behind * blockSize, (behind + 1) * blockSize).every((each) => each === 0))
        behind++;
      const run = behind - block;
      const isRest = run >= 5 && (behind - block + place === interval || (place + run) % 64 === 0);
      writer.unary(isRest ? 4 : run < 5 ? run - 1 : run);
      block = behind - 1;
    } else if (coding === 'pairs') {
      writer.number(1, idBits(layout) + 1);
      writeReference();
      for (let i = 0; i < blockSize; i += 2) {
        writer.unary(pairCode(all[i], all[i + 1]));
      }
    } else {
      writer.number(coding + 1, idBits(layout));
      writeReference();
      for (const number of coded) writer.unary(Math.floor(number / 2 ** coding));
      for (const number of coded) writer.number(number % 2 ** coding, coding);
    }
  }
  return writer.bytes();
}

/** Pairs are counted by their sum, and among those of a sum by their second number. */
function pairCode(first: number, second: number): number {
  const sum = first + second;
  return (sum * (sum + 1)) / 2 + second;
}

function possible(coding: Coding, numbers: readonly number[], layout: CcsdsLayout, maxZeros: number): Coding {
  if (coding === 'zeros') return numbers.every((number) => number === 0) ? coding : 'plain';
  // Pairs of sums up to 12 have codes.
  if (coding === 'pairs') {
    const codes = numbers.flatMap((each, i) => (i % 2 === 0 ? [pairCode(each, numbers[i + 1])] : []));
    return numbers.every((each, i) => each + numbers[i ^ 1] <= 12) && Math.max(...codes) <= maxZeros ? coding : 'plain';
  }
  if (coding === 'plain') return coding;
  const isLong = numbers.some((number) => number / 2 ** coding > maxZeros);
  return isLong || coding + 1 >= 2 ** idBits(layout) - 1 ? 'plain' : coding;
}

/** The slow twin: so many numbers of a stream. Throws RangeError where it ends before or is not possible. */
export function readCcsds(bytes: Uint8Array, count: number, layout: CcsdsLayout): number[] {
  const { bits, blockSize, interval, isSigned, isFolded, isPadded } = layout;
  const [lowest, highest] = range(layout);
  const reader = new BitReader(bytes);
  const numbers: number[] = [];
  let last = 0;
  for (let block = 0; numbers.length < count; block++) {
    if (isPadded && block % interval === 0) reader.align();
    const hasReference = isFolded && block % interval === 0;
    const id = reader.number(idBits(layout));
    const isPair = id === 0 && reader.number(1) === 1;
    const folded: number[] = [];
    if (hasReference) {
      last = reader.number(bits);
      if (isSigned && last > highest) last -= 2 ** bits;
    }
    const from = hasReference ? 1 : 0;
    if (isPair) {
      for (let i = 0; i < blockSize; i += 2) {
        const code = reader.unary();
        let sum = 0;
        while (((sum + 1) * (sum + 2)) / 2 <= code) sum++;
        if (sum > 12) throw new RangeError('no such pair');
        const second = code - (sum * (sum + 1)) / 2;
        folded.push(sum - second, second);
      }
    } else if (id === 0) {
      const code = reader.unary();
      const place = block % interval;
      const rest = Math.min(interval - place, 64 - (place % 64));
      const run = code === 4 ? rest : code < 4 ? code + 1 : code;
      if (run > interval - place) throw new RangeError('zeros beyond the interval');
      folded.push(...new Array(run * blockSize).fill(0));
      block += run - 1;
    } else if (id === 2 ** idBits(layout) - 1) {
      if (hasReference) folded.push(0);
      while (folded.length < blockSize) folded.push(reader.number(bits));
    } else {
      if (hasReference) folded.push(0);
      for (let i = from; i < blockSize; i++) folded.push(reader.unary() * 2 ** (id - 1));
      for (let i = from; i < blockSize; i++) folded[i] += reader.number(id - 1);
    }
    folded.forEach((number, i) => {
      if (number > highest - lowest && !(hasReference && i === 0)) throw new RangeError('more bits');
      if (isFolded && !(hasReference && i === 0)) {
        const both = Math.min(last - lowest, highest - last);
        if (number <= 2 * both) last += number % 2 === 0 ? number / 2 : -(number + 1) / 2;
        else last = last - lowest < highest - last ? lowest + number : highest - number;
      }
      const value = isFolded ? last : number;
      numbers.push(((value % 2 ** bits) + 2 ** bits) % 2 ** bits);
    });
  }
  return numbers.slice(0, count);
}
