// CSV, phase 1: where the cells of a block of text are.
//
//   text     bytes of whole rows and the beginning of one more; 64 readable bytes follow
//   ends     out: i32 for each cell, the place of the delimiter or line feed behind it, cell by cell and row by row
//   state    out: i32 flags, i32 bytes of the complete rows, i32 whether a cell is quoted
//
// Only complete rows with the expected number of cells count. The first row that has another number of cells, and text
// that needs more than this phase knows (RAGGED, WRONG_QUOTE, LONE_CR), ends the block: the rows before it are given,
// and a flag. Line ends are LF or CRLF; the CR of a CRLF is part of the last cell. A quoted cell begins with a quote,
// and its quotes are part of it.

/** A row has more or fewer cells than expected. */
export const RAGGED = 1;
/** Text follows a closing quote. */
export const WRONG_QUOTE = 2;
/** A CR without LF. */
export const LONE_CR = 4;
const LF: u8 = 10;
const CR: u8 = 13;
const QUOTE: u8 = 34;

@inline function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>i8x16.bitmask(a) | (<u64>i8x16.bitmask(b) << 16) | (<u64>i8x16.bitmask(c) << 32) | (<u64>i8x16.bitmask(d) << 48)
  );
}

/** Finds the cells of the complete rows, and returns the number of rows. */
export function findCells(text: usize, length: i32, delimiter: i32, columns: i32, ends: usize, state: usize): i32 {
  const comma = i8x16.splat(<i8>delimiter);
  const lineFeed = i8x16.splat(<i8>LF);
  const carriage = i8x16.splat(<i8>CR);
  const quote = i8x16.splat(<i8>QUOTE);
  let out = ends;
  let lines = 0;
  let carry: u64 = 0;
  let lone: u64 = 0;
  for (let at = 0; at < length; at += 64) {
    const p = text + at;
    const a = v128.load(p), b = v128.load(p, 16), c = v128.load(p, 32), d = v128.load(p, 48);
    const within: u64 = length - at < 64 ? (<u64>1 << (length - at)) - 1 : <u64>-1;
    const quotes = bits(i8x16.eq(a, quote), i8x16.eq(b, quote), i8x16.eq(c, quote), i8x16.eq(d, quote)) & within;
    if (quotes != 0) return findQuotedCells(text, length, <u8>delimiter, columns, ends, state);
    const feeds = bits(i8x16.eq(a, lineFeed), i8x16.eq(b, lineFeed), i8x16.eq(c, lineFeed), i8x16.eq(d, lineFeed)) & within;
    const returns = bits(i8x16.eq(a, carriage), i8x16.eq(b, carriage), i8x16.eq(c, carriage), i8x16.eq(d, carriage)) & within;
    lone |= ((returns << 1) | carry) & ~feeds & within;
    carry = returns >> 63;
    let marks = (bits(i8x16.eq(a, comma), i8x16.eq(b, comma), i8x16.eq(c, comma), i8x16.eq(d, comma)) & within) | feeds;
    lines += <i32>popcnt(feeds);
    while (marks != 0) {
      store<i32>(out, at + <i32>ctz(marks));
      out += 4;
      marks &= marks - 1;
    }
  }
  if (lone != 0) return finish(state, LONE_CR, 0, 0, false);
  const cells = <i32>((out - ends) >> 2);
  let rows = 0;
  let last = ends + ((<usize>columns - 1) << 2);
  const rowBytes = <usize>columns << 2;
  while (last < out && load<u8>(text + load<i32>(last)) == LF) {
    rows++;
    last += rowBytes;
  }
  if (rows != lines || last < out) {
    rows = evenRows(text, ends, cells, columns);
    return finish(state, RAGGED, rows, consumed(ends, rows, columns), false);
  }
  return finish(state, 0, rows, consumed(ends, rows, columns), false);
}

/** The number of rows before the first that has more or fewer cells. */
function evenRows(text: usize, ends: usize, cells: i32, columns: i32): i32 {
  let rows = 0;
  let count = 0;
  for (let k = 0; k < cells; k++) {
    count++;
    const isLast = load<u8>(text + load<i32>(ends + (<usize>k << 2))) == LF;
    if (isLast != (count == columns)) return rows;
    if (isLast) {
      rows++;
      count = 0;
    }
  }
  return rows;
}

@inline function consumed(ends: usize, rows: i32, columns: i32): i32 {
  return rows == 0 ? 0 : load<i32>(ends + ((<usize>(rows * columns) - 1) << 2)) + 1;
}

function finish(state: usize, flags: i32, rows: i32, bytes: i32, quoted: bool): i32 {
  store<i32>(state, flags);
  store<i32>(state, bytes, 4);
  store<i32>(state, quoted ? 1 : 0, 8);
  return rows;
}

/** Like `findCells`, for text with quotes: byte by byte. */
function findQuotedCells(text: usize, length: i32, delimiter: u8, columns: i32, ends: usize, state: usize): i32 {
  let rows = 0;
  let count = 0;
  let flags = 0;
  let bytes = 0;
  let out = ends;
  let at = 0;
  while (at < length) {
    let byte = load<u8>(text + at);
    if (byte == QUOTE) {
      at++;
      // The quote that closes the cell; two quotes stand for one.
      for (; at < length; at++) {
        byte = load<u8>(text + at);
        if (byte != QUOTE) continue;
        if (at + 1 < length && load<u8>(text + at, 1) == QUOTE) at++;
        else break;
      }
      if (++at >= length) break;
      byte = load<u8>(text + at);
      if (byte == CR) {
        if (++at >= length) break;
        byte = load<u8>(text + at);
        if (byte != LF) {
          flags |= LONE_CR;
          break;
        }
      }
      if (byte != delimiter && byte != LF) {
        flags |= WRONG_QUOTE;
        break;
      }
    } else {
      while (byte != delimiter && byte != LF) {
        if (byte == CR && at + 1 < length && load<u8>(text + at, 1) != LF) {
          flags |= LONE_CR;
          break;
        }
        if (++at >= length) break;
        byte = load<u8>(text + at);
      }
      if (at >= length || flags & LONE_CR) break;
    }
    store<i32>(out, at);
    out += 4;
    count++;
    at++;
    if ((byte == LF) != (count == columns)) {
      flags |= RAGGED;
      break;
    }
    if (byte == LF) {
      rows++;
      bytes = at;
      count = 0;
    }
  }
  return finish(state, flags, rows, bytes, true);
}

/** Whether all bytes are ASCII. */
export function isAscii(text: usize, length: i32): bool {
  let all = i8x16.splat(0);
  let at = 0;
  for (; at + 16 <= length; at += 16) all = v128.or(all, v128.load(text + at));
  let rest: u8 = 0;
  for (; at < length; at++) rest |= load<u8>(text + at);
  return i8x16.bitmask(all) == 0 && rest < 128;
}
