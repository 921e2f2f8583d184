import { OptionError } from '../../errors.js';

/** Keys below can be guessed: NIST SP 800-131A allows nothing below 112 bits, and 128 are common. */
const MIN_BITS = 128;

/** Bits of a UUID of version 4 that are random (RFC 9562). */
const UUID_BITS = 122;

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** What services put before a key: `sk_live_`, `pc_`. */
export const PREFIX = /^(?:[a-z]{1,12}[_-]){1,2}/;

/** Alphabets of random keys, and their bits for each character. */
const ALPHABETS: readonly (readonly [alphabet: RegExp, bits: number])[] = [
  [/^\d+$/, Math.log2(10)],
  [/^[\da-f-]+$/, 4],
  [/^[\dA-F-]+$/, 4],
  [/^[a-z]+$/, Math.log2(26)],
  [/^[A-Z]+$/, Math.log2(26)],
  [/^[\da-z]+$/, Math.log2(36)],
  [/^[\dA-Z]+$/, Math.log2(36)],
  [/^[\dA-Za-z]+$/, Math.log2(62)],
  [/^[\dA-Za-z_+/=-]+$/, 6],
];

/** Printable ASCII. */
const MAX_BITS = Math.log2(94);

/** Random texts of a larger alphabet have at least so many different characters. */
const MIN_CHARACTERS = 8;

/**
 * The bits of a key at most: what a random text of this length has in the smallest alphabet that fits, without its prefix and
 * repetitions. What a person made up has fewer, which its text does not show.
 */
export function keyBits(key: string): number {
  if (UUID.test(key)) return UUID_BITS;
  const text = withoutRepetition(key.replace(PREFIX, ''));
  const [, bits] = ALPHABETS.find(([alphabet]) => alphabet.test(text)) ?? [undefined, MAX_BITS];
  const signs = bits === 4 ? text.replaceAll('-', '') : text.replace(/=+$/, '');
  const different = new Set(signs).size;
  return signs.length * (different < MIN_CHARACTERS ? Math.log2(Math.max(1, different)) : bits);
}

/** The shortest text that, repeated, makes this one. */
function withoutRepetition(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return period > 0 && period < text.length ? text.slice(0, period) : text;
}

/** Throws OptionError for a key of fewer than 128 bits; the error does not contain it. */
export function assertStrong(key: string): void {
  const bits = keyBits(key);
  if (bits >= MIN_BITS) return;
  throw new OptionError({
    subject: 'key',
    problem: `has ${Math.floor(bits)} bits at most, and can be guessed`,
    allowed: `random keys of ${MIN_BITS} bits: 32 hexadecimal digits, 22 letters and digits of both cases; plumecast key create makes them`,
  });
}
