import { FormatError } from '../../errors.js';
import { storedText } from '../array/stored-text.js';
import type { StoredType } from './stored-type.js';

const LENGTH_BYTES = 4;

/**
 * The texts of a chunk that is decoded to bytes, as many as the chunk has. Throws FormatError, which names it, where
 * there are not.
 */
export function textsOf(bytes: Uint8Array, { text, bytes: size }: StoredType, count: number, name: string): string[] {
  if (text === 'variable') return variableTexts(bytes, count, name);
  const decode = text === 'utf32' ? utf32Text : storedText;
  return Array.from({ length: count }, (_, i) => decode(bytes.subarray(i * size, (i + 1) * size)));
}

/** Characters of four bytes, the lowest first; zeros fill it up. */
function utf32Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const characters = Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
  const known = characters.filter((character) => character > 0 && character <= 0x10ffff);
  return known.map((character) => String.fromCodePoint(character)).join('');
}

/**
 * The codec `vlen-utf8` of numcodecs: how many there are, then each with its length before it, all numbers in four
 * bytes.
 */
function variableTexts(bytes: Uint8Array, count: number, name: string): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let at = LENGTH_BYTES;
  try {
    if (view.getUint32(0, true) !== count) throw new RangeError('another count');
    while (texts.length < count) {
      const length = view.getUint32(at, true);
      at += LENGTH_BYTES + length;
      if (at > bytes.length) throw new RangeError('ends early');
      texts.push(decoder.decode(bytes.subarray(at - length, at)));
    }
  } catch (cause) {
    const problem = 'a chunk of texts is cut, or is not of this array';
    throw new FormatError({ subject: name, problem, allowed: `${count} texts`, cause });
  }
  return texts;
}
