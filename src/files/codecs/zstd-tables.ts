import { ReversedBits } from './reversed-bits.js';

/** A decoding table of finite state entropy: for each state its symbol, and the bits and base of the next state. */
export interface FseTable {
  /** The number of bits of the first state. */
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** A table in which every state has the same symbol. */
export function repeatedSymbol(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: Uint8Array.of(0), bases: Uint16Array.of(0) };
}

/**
 * Creates a table from the share of `2 ** log` states of each symbol; -1 for shares less than one (RFC 8878, section
 * 4.1.1).
 */
export function createFseTable(shares: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  let high = size;
  for (const [symbol, share] of shares.entries()) if (share === -1) symbols[--high] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let state = 0;
  for (const [symbol, share] of shares.entries()) {
    for (let i = 0; i < share; i++) {
      symbols[state] = symbol;
      do state = (state + step) & (size - 1);
      while (state >= high);
    }
  }
  if (state !== 0) throw new RangeError('a Zstandard table that does not add up');
  const next = shares.map(Math.abs);
  for (let i = 0; i < size; i++) {
    const value = next[symbols[i]]++;
    bits[i] = log - (31 - Math.clz32(value));
    bases[i] = (value << bits[i]) - size;
  }
  return { log, symbols, bits, bases };
}

/**
 * Reads the description of a table from `at` on, of at most `maxLog` and with symbols of at most `maxSymbol`; returns
 * the table and its end. Throws a RangeError if it ends after `end`.
 */
export function readFseTable(
  bytes: Uint8Array,
  at: number,
  end: number,
  maxLog: number,
  maxSymbol: number,
): { table: FseTable; end: number } {
  const log = (bytes[at] & 15) + 5;
  if (at >= end || log > maxLog) throw new RangeError('a Zstandard table that is too large');
  let bit = at * 8 + 4;
  const peek = (count: number) => {
    const first = bit >> 3;
    const word = bytes[first] | (bytes[first + 1] << 8) | (bytes[first + 2] << 16);
    return (word >> (bit & 7)) & ((1 << count) - 1);
  };
  const shares: number[] = [];
  let left = 1 << log;
  while (left > 0) {
    if (shares.length > maxSymbol || bit > end * 8) throw new RangeError('a Zstandard table that does not end');
    const count = 32 - Math.clz32(left + 1);
    const low = (1 << (count - 1)) - 1;
    const short = (1 << count) - 2 - left;
    let value = peek(count);
    bit += count;
    if ((value & low) < short) {
      value &= low;
      bit--;
    } else if (value > low) value -= short;
    const share = value - 1;
    left -= Math.abs(share);
    shares.push(share);
    if (share !== 0) continue;
    let repeats: number;
    do {
      repeats = peek(2);
      bit += 2;
      for (let i = 0; i < repeats; i++) shares.push(0);
      if (shares.length > maxSymbol + 1) throw new RangeError('a Zstandard table with too many symbols');
    } while (repeats === 3);
  }
  const last = (bit + 7) >> 3;
  if (last > end || left !== 0) throw new RangeError('a Zstandard table that does not add up');
  return { table: createFseTable(shares, log), end: last };
}

/**
 * A decoding table of Huffman codes: for each value of `log` bits the symbol, times 16, plus the length of its code.
 */
export interface HuffmanTable {
  readonly log: number;
  readonly entries: Uint16Array;
}

const MAX_HUFFMAN_LOG = 11;
const MAX_WEIGHT_LOG = 6;
const MAX_WEIGHTS = 255;

/** Reads the description of Huffman codes from `at` on (RFC 8878, section 4.2.1); returns the table and its end. */
export function readHuffmanTable(bytes: Uint8Array, at: number, end: number): { table: HuffmanTable; end: number } {
  const header = bytes[at];
  const length = header < 128 ? header : (header - 126) >> 1;
  const last = at + 1 + length;
  if (!(last <= end)) throw new RangeError('a Zstandard table that does not end');
  const weights = header < 128 ? decodeWeights(bytes, at + 1, last) : plainWeights(bytes, at + 1, header - 127);
  return { table: createHuffmanTable(weights), end: last };
}

function plainWeights(bytes: Uint8Array, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => (bytes[at + (i >> 1)] >> (i % 2 === 0 ? 4 : 0)) & 15);
}

/** Decodes weights with two alternating states until the bits end. */
function decodeWeights(bytes: Uint8Array, at: number, end: number): number[] {
  const { table, end: start } = readFseTable(bytes, at, end, MAX_WEIGHT_LOG, MAX_WEIGHTS);
  const stream = new ReversedBits(bytes, start, end);
  const weights: number[] = [];
  let state = stream.read(table.log);
  let other = stream.read(table.log);
  while (stream.left >= 0) {
    if (weights.length >= MAX_WEIGHTS) throw new RangeError('too many Zstandard weights');
    weights.push(table.symbols[state]);
    const next = table.bases[state] + stream.read(table.bits[state]);
    state = other;
    other = next;
  }
  weights.push(table.symbols[state]);
  return weights;
}

function createHuffmanTable(weights: number[]): HuffmanTable {
  let sum = 0;
  for (const weight of weights) sum += weight === 0 ? 0 : 2 ** (weight - 1);
  const log = 32 - Math.clz32(sum);
  const rest = 2 ** log - sum;
  if (sum === 0 || log > MAX_HUFFMAN_LOG || weights.length > MAX_WEIGHTS || (rest & (rest - 1)) !== 0) {
    throw new RangeError('Zstandard weights that do not add up');
  }
  weights.push(32 - Math.clz32(rest));
  const entries = new Uint16Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; weight++) {
    for (const [symbol, own] of weights.entries()) {
      if (own !== weight) continue;
      const count = 1 << (weight - 1);
      entries.fill((symbol << 4) | (log + 1 - weight), at, at + count);
      at += count;
    }
  }
  return { log, entries };
}
