import { copyLiteral, copyMatch } from './copy-bytes.js';
import { ReversedBits } from './reversed-bits.js';
import {
  createFseTable,
  type FseTable,
  type HuffmanTable,
  readFseTable,
  readHuffmanTable,
  repeatedSymbol,
} from './zstd-tables.js';

const MAX_BLOCK = 131_072;
const LITERALS = { raw: 0, repeated: 1, compressed: 2 };
const MODE = { predefined: 0, repeated: 1, described: 2 };

/** The tables for lengths of literals, offsets and lengths of matches: their limits, and the predefined shares. */
const KINDS: { maxLog: number; maxSymbol: number; log: number; shares: number[]; table?: FseTable }[] = [
  {
    maxLog: 9,
    maxSymbol: 35,
    log: 6,
    shares: [
      4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
    ],
  },
  {
    maxLog: 8,
    maxSymbol: 31,
    log: 5,
    shares: [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
  },
  {
    maxLog: 9,
    maxSymbol: 52,
    log: 6,
    shares: [
      1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
  },
];

/** The number of bits that follow the code of a length, and the base length of each code. */
const LITERAL_BITS = withZeros(16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MATCH_BITS = withZeros(32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const LITERAL_BASES = createBases(LITERAL_BITS, 0);
const MATCH_BASES = createBases(MATCH_BITS, 3);

/** Decodes the blocks of a frame one after the other (RFC 8878, section 3.1.1.3) to `output`, and never beyond it. */
export class ZstdBlocks {
  written: number;
  readonly #bytes: Uint8Array;
  readonly #output: Uint8Array;
  readonly #first: number;
  readonly #offsets = [1, 4, 8];
  #huffman: HuffmanTable | undefined;
  #tables: readonly FseTable[] = [];

  constructor(bytes: Uint8Array, output: Uint8Array, first: number) {
    this.#bytes = bytes;
    this.#output = output;
    this.#first = first;
    this.written = first;
  }

  raw(at: number, length: number): void {
    this.#assertSpace(length);
    copyLiteral(this.#bytes, at, this.#output, this.written, length);
    this.written += length;
  }

  repeated(byte: number, length: number): void {
    this.#assertSpace(length);
    this.#output.fill(byte, this.written, this.written + length);
    this.written += length;
  }

  /** A compressed block from `start` up to, not including, `end`. */
  compressed(start: number, end: number): void {
    const { literals, at } = this.#literals(start, end);
    const bytes = this.#bytes;
    if (at >= end) throw new RangeError('a Zstandard block that is cut');
    let next = at + 1;
    let count = bytes[at];
    if (count === 255) {
      count = bytes[at + 1] + (bytes[at + 2] << 8) + 0x7f00;
      next += 2;
    } else if (count > 127) count = ((count - 128) << 8) + bytes[next++];
    const used = count === 0 ? 0 : this.#sequences(literals, next, end, count);
    const rest = literals.length - used;
    this.#assertSpace(rest);
    copyLiteral(literals, used, this.#output, this.written, rest);
    this.written += rest;
  }

  #assertSpace(length: number): void {
    if (length <= this.#output.length - this.written) return;
    throw new RangeError(`Zstandard frames of more than ${this.#output.length} bytes`);
  }

  #literals(start: number, end: number): { literals: Uint8Array; at: number } {
    const bytes = this.#bytes;
    const kind = bytes[start] & 3;
    const format = (bytes[start] >> 2) & 3;
    const isPlain = kind === LITERALS.raw || kind === LITERALS.repeated;
    const headerBytes = isPlain ? [1, 2, 1, 3][format] : [3, 3, 4, 5][format];
    let at = start + headerBytes;
    if (at > end) throw new RangeError('a Zstandard block that is cut');
    let header = 0;
    for (let i = headerBytes - 1; i >= 0; i--) header = header * 256 + bytes[start + i];
    if (isPlain) {
      const size = headerBytes === 1 ? header >> 3 : header >> 4;
      const stored = kind === LITERALS.raw ? size : 1;
      if (size > MAX_BLOCK || stored > end - at) throw new RangeError('Zstandard literals that are cut');
      const literals = kind === LITERALS.raw ? bytes.subarray(at, at + size) : new Uint8Array(size).fill(bytes[at]);
      return { literals, at: at + stored };
    }
    const sizeBits = [10, 10, 14, 18][format];
    const size = Math.floor(header / 16) % 2 ** sizeBits;
    const last = at + Math.floor(header / 2 ** (4 + sizeBits));
    if (size > MAX_BLOCK || last > end) throw new RangeError('Zstandard literals that are cut');
    if (kind === LITERALS.compressed) {
      const { table, end: next } = readHuffmanTable(bytes, at, last);
      this.#huffman = table;
      at = next;
    }
    const table = this.#huffman;
    if (table === undefined) throw new RangeError('Zstandard literals without codes');
    const literals = new Uint8Array(size);
    if (format === 0) decodeLiterals(bytes, at, last, table, literals);
    else this.#fourStreams(at, last, table, literals);
    return { literals, at: last };
  }

  #fourStreams(start: number, end: number, table: HuffmanTable, literals: Uint8Array): void {
    const bytes = this.#bytes;
    if (end - start < 6) throw new RangeError('Zstandard literals that are cut');
    const quarter = (literals.length + 3) >> 2;
    let at = start + 6;
    for (let i = 0; i < 4; i++) {
      const next = i === 3 ? end : at + (bytes[start + 2 * i] | (bytes[start + 2 * i + 1] << 8));
      if (next > end || i * quarter > literals.length) throw new RangeError('Zstandard literals that are cut');
      decodeLiterals(bytes, at, next, table, literals.subarray(i * quarter, i === 3 ? undefined : (i + 1) * quarter));
      at = next;
    }
  }

  /** Writes literals and matches in turn; returns the number of literals used. */
  #sequences(literals: Uint8Array, start: number, end: number, count: number): number {
    let at = start + 1;
    if (at > end || (this.#bytes[start] & 3) !== 0) throw new RangeError('Zstandard sequences that are cut');
    const modes = this.#bytes[start];
    this.#tables = KINDS.map((kind, i) => {
      const mode = (modes >> (6 - 2 * i)) & 3;
      if (mode === MODE.predefined) return (kind.table ??= createFseTable(kind.shares, kind.log));
      if (mode === MODE.repeated) {
        const symbol = this.#bytes[at++];
        if (at > end || symbol > kind.maxSymbol) throw new RangeError('an unknown Zstandard code');
        return repeatedSymbol(symbol);
      }
      if (mode === MODE.described) {
        const described = readFseTable(this.#bytes, at, end, kind.maxLog, kind.maxSymbol);
        at = described.end;
        return described.table;
      }
      if (this.#tables[i] === undefined) throw new RangeError('Zstandard sequences without codes');
      return this.#tables[i];
    });
    return this.#execute(literals, new ReversedBits(this.#bytes, at, end), count);
  }

  #execute(literals: Uint8Array, stream: ReversedBits, count: number): number {
    const [literalCodes, offsetCodes, matchCodes] = this.#tables;
    const output = this.#output;
    let literalState = stream.read(literalCodes.log);
    let offsetState = stream.read(offsetCodes.log);
    let matchState = stream.read(matchCodes.log);
    let used = 0;
    let written = this.written;
    for (let i = 0; i < count; i++) {
      const offsetCode = offsetCodes.symbols[offsetState];
      const matchCode = matchCodes.symbols[matchState];
      const literalCode = literalCodes.symbols[literalState];
      const offsetValue = ((1 << offsetCode) >>> 0) + stream.read(offsetCode);
      const match = MATCH_BASES[matchCode] + stream.read(MATCH_BITS[matchCode]);
      const length = LITERAL_BASES[literalCode] + stream.read(LITERAL_BITS[literalCode]);
      if (i < count - 1) {
        literalState = literalCodes.bases[literalState] + stream.read(literalCodes.bits[literalState]);
        matchState = matchCodes.bases[matchState] + stream.read(matchCodes.bits[matchState]);
        offsetState = offsetCodes.bases[offsetState] + stream.read(offsetCodes.bits[offsetState]);
      }
      const offset = this.#offset(offsetValue, length === 0);
      if (stream.left < 0 || length > literals.length - used || length + match > output.length - written) {
        throw new RangeError('Zstandard sequences that go beyond their ends');
      }
      copyLiteral(literals, used, output, written, length);
      used += length;
      written += length;
      if (!(offset > 0 && offset <= written - this.#first)) throw new RangeError('a Zstandard match out of bounds');
      copyMatch(output, written, offset, match);
      written += match;
    }
    if (stream.left !== 0) throw new RangeError('Zstandard sequences that do not fill their block');
    this.written = written;
    return used;
  }

  /** The distance that a value stands for: the first three are the last ones used (RFC 8878, section 3.1.1.5). */
  #offset(value: number, withoutLiterals: boolean): number {
    const offsets = this.#offsets;
    const which = value + (withoutLiterals ? 0 : -1);
    if (value <= 3 && which === 0) return offsets[0];
    const offset = value > 3 ? value - 3 : which === 3 ? offsets[0] - 1 : offsets[which];
    if (value > 3 || which > 1) offsets[2] = offsets[1];
    offsets[1] = offsets[0];
    offsets[0] = offset;
    return offset;
  }
}

function decodeLiterals(bytes: Uint8Array, start: number, end: number, table: HuffmanTable, into: Uint8Array): void {
  const stream = new ReversedBits(bytes, start, end);
  const { log, entries } = table;
  for (let i = 0; i < into.length; i++) {
    const entry = entries[stream.peek(log)];
    into[i] = entry >> 4;
    stream.left -= entry & 15;
  }
  if (stream.left !== 0) throw new RangeError('Zstandard literals that do not fill their stream');
}

function withZeros(zeros: number, bits: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: zeros + bits.length }, (_, i) => (i < zeros ? 0 : bits[i - zeros]));
}

function createBases(bits: Uint8Array, first: number): Int32Array {
  let base = first;
  return Int32Array.from(bits, (count) => {
    const own = base;
    base += 1 << count;
    return own;
  });
}
