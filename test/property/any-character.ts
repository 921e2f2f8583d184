import fc from 'fast-check';

const [SURROGATES, SURROGATE_COUNT, CODE_POINTS] = [0xd800, 0x800, 0x110000];

/**
 * The characters of `unit: 'binary'` of `fc.string`, in the same order. fast-check makes a table of all of them to find their
 * numbers, which takes 0.7 s and 150 MB in each process.
 */
export const anyCharacter = fc.nat(CODE_POINTS - SURROGATE_COUNT - 1).map(
  (index) => String.fromCodePoint(index < SURROGATES ? index : index + SURROGATE_COUNT),
  (character) => indexOf(character),
);

/** Throws, as fast-check expects it, where a value is not one of the characters. */
function indexOf(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('not a character');
  if (point >= SURROGATES && point < SURROGATES + SURROGATE_COUNT) throw new Error('half a character');
  return point < SURROGATES ? point : point - SURROGATE_COUNT;
}
