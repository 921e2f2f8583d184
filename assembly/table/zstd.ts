// Zstandard (RFC 8878): frames to the bytes that they stand for. `src/files/codecs/zstd-frame.ts` draws a
// frame.
//
//   block, out  64 bytes behind each may be read, and behind `out` written
//   scratch     `zstdScratch()` bytes
//
// What is corrupt, or needs a dictionary, is not decompressed: the caller makes the error.

import { xxhash64 } from './xxhash64';
import { decodeFourStreams, decodeStream } from './zstd-literals';
import { writeSequences } from './zstd-sequences';
import {
  HAS_HUFFMAN, HUFFMAN, LITERALS, LOGS, MAX_BLOCK, NO_TABLE, openHuffman, REPEATED, writeCodes,
} from './zstd-tables';

const MAGIC: u32 = 0xfd2fb528;
const SKIPPABLE: u32 = 0x184d2a50;
const RAW: u32 = 0, SAME: u32 = 1, COMPRESSED: u32 = 2;

/** Decompresses frames into at most `size` bytes, and returns how many they have; -1 where they are not decompressed. */
export function decompressZstd(block: usize, length: i32, out: usize, size: i32, scratch: usize): i32 {
  const end = block + <usize>length;
  const outEnd = out + <usize>size;
  let at = block;
  let to = out;
  writeCodes(scratch);
  while (at < end) {
    if (end - at < 8) return -1;
    const magic = load<u32>(at);
    if ((magic & ~15) == SKIPPABLE) {
      const skipped = <usize>load<u32>(at, 4);
      if (skipped > end - at - 8) return -1;
      at += 8 + skipped;
      continue;
    }
    if (magic != MAGIC) return -1;
    const descriptor = <u32>load<u8>(at, 4);
    const isSingle = (descriptor & 32) != 0;
    if ((descriptor & 8) != 0) return -1;
    at += isSingle ? 5 : 6;
    const idBytes: usize = (<usize>1 << (descriptor & 3)) >> 1;
    const sizeKind = descriptor >> 6;
    const sizeBytes: usize = sizeKind == 0 ? (isSingle ? 1 : 0) : 1 << sizeKind;
    if (idBytes + sizeBytes > end - at) return -1;
    if (idBytes != 0 && (load<u32>(at) & (<u32>-1 >> (32 - (<u32>idBytes << 3)))) != 0) return -1;
    at += idBytes;
    const stated: u64 =
      sizeKind == 0 ? <u64>load<u8>(at)
      : sizeKind == 1 ? <u64>load<u16>(at) + 256
      : sizeKind == 2 ? <u64>load<u32>(at)
      : load<u64>(at);
    at += sizeBytes;
    const first = to;
    store<u64>(scratch + LOGS, (<u64>NO_TABLE << 32) | NO_TABLE);
    store<u64>(scratch + LOGS, NO_TABLE, 8);
    store<u64>(scratch + REPEATED, (<u64>4 << 32) | 1);
    store<u32>(scratch + REPEATED, 8, 8);
    for (let isLast = false; !isLast; ) {
      if (end - at < 3) return -1;
      const header = <u32>load<u16>(at) | (<u32>load<u8>(at, 2) << 16);
      at += 3;
      isLast = (header & 1) != 0;
      const kind = (header >> 1) & 3;
      const bytes = <usize>(header >> 3);
      const stored: usize = kind == SAME ? 1 : bytes;
      if (stored > end - at) return -1;
      if (kind == COMPRESSED) {
        to = writeBlock(at, at + bytes, scratch, first, to, outEnd);
        if (to == 0) return -1;
      } else {
        if (kind > SAME || bytes > outEnd - to) return -1;
        if (kind == RAW) memory.copy(to, at, bytes);
        else memory.fill(to, load<u8>(at), bytes);
        to += bytes;
      }
      at += stored;
    }
    if (sizeBytes != 0 && stated != <u64>(to - first)) return -1;
    if ((descriptor & 4) != 0) {
      if (end - at < 4 || load<u32>(at) != <u32>xxhash64(first, <u32>(to - first))) return -1;
      at += 4;
    }
  }
  return <i32>(to - out);
}

/** Writes a compressed block, and returns the end of what was written; 0 if it is corrupt or too long. */
function writeBlock(start: usize, end: usize, scratch: usize, first: usize, out: usize, outEnd: usize): usize {
  if (start >= end) return 0;
  const kind = <u32>load<u8>(start) & 3;
  const format = (<u32>load<u8>(start) >> 2) & 3;
  const isPlain = kind <= SAME;
  const headerBytes: usize = isPlain ? (format == 1 ? 2 : format == 3 ? 3 : 1) : format < 2 ? 3 : format + 2;
  if (headerBytes > end - start) return 0;
  const header = load<u64>(start);
  let at = start + headerBytes;
  let literals = scratch + LITERALS;
  let size: usize;
  if (isPlain) {
    size = <usize>(<u32>header & (<u32>-1 >> (32 - (<u32>headerBytes << 3)))) >> (headerBytes == 1 ? 3 : 4);
    const stored: usize = kind == RAW ? size : 1;
    if (size > MAX_BLOCK || stored > end - at) return 0;
    if (kind == RAW) literals = at;
    else memory.fill(literals, load<u8>(at), size);
    at += stored;
  } else {
    const sizeBits: u64 = format < 2 ? 10 : <u64>format * 4 + 6;
    const mask: u64 = (<u64>1 << sizeBits) - 1;
    size = <usize>((header >> 4) & mask);
    const stored = <usize>((header >> (4 + sizeBits)) & mask);
    if (size > MAX_BLOCK || stored > end - at) return 0;
    const last = at + stored;
    if (kind == COMPRESSED) {
      at = openHuffman(scratch, at, last);
      if (at == 0) return 0;
    } else if (load<u32>(scratch + HAS_HUFFMAN) == 0) return 0;
    const table = scratch + HUFFMAN;
    const isValid =
      format == 0
        ? decodeStream(at, last, table, literals, size)
        : decodeFourStreams(at, last, table, literals, size);
    if (!isValid) return 0;
    at = last;
  }
  if (at >= end) return 0;
  let count = <i32>load<u8>(at++);
  if (count == 255) {
    if (end - at < 2) return 0;
    count = <i32>load<u16>(at) + 0x7f00;
    at += 2;
  } else if (count > 127) {
    if (at >= end) return 0;
    count = ((count - 128) << 8) + <i32>load<u8>(at++);
  }
  if (count > 0) return writeSequences(at, end, count, literals, literals + size, scratch, first, out, outEnd);
  if (size > outEnd - out) return 0;
  memory.copy(out, literals, size);
  return out + size;
}
