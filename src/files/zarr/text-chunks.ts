import { FormatError } from '../../errors.js';
import { storedText } from '../array/stored-text.js';
import type { StoredType } from './stored-type.js';

const LENGTH_BYTES = 4;

/**
 * Reads the texts of a chunk that is decoded to bytes. Throws FormatError, which names the chunk, unless there are
 * `count` texts.
 */
export function readTexts(bytes: Uint8Array, { text, bytes: size }: StoredType, count: number, name: string): string[] {
  if (text === 'variable') return variableTexts(bytes, count, name);
  const decode = text === 'utf32' ? utf32Text : storedText;
  return Array.from({ length: count }, (_, i) => decode(bytes.subarray(i * size, (i + 1) * size)));
}

/** A text of characters of four bytes, the lowest first, padded with zeros. */
function utf32Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const characters = Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
  const known = characters.filter((character) => character > 0 && character <= 0x10ffff);
  return known.map((character) => String.fromCodePoint(character)).join('');
}

/** The codec `vlen-utf8` of numcodecs: the count, then each text preceded by its length, all numbers in four bytes. */
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
