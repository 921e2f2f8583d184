// Writes assembly/table/generated/powers.ts: powers of five as numbers of 128 bits, for the product that rounds numbers
// read from text.
//
// Each is 5^q times a power of two, from 2^127 on: truncated for q >= 0, rounded up for q < 0 (Lemire, "Number parsing
// at a gigabyte per second", 2021, section 6).
import { mkdirSync, writeFileSync } from 'node:fs';

/** Weather values need few of them: numbers beyond are read by the engine. */
const MIN_POWER = -80;
const MAX_POWER = 80;

const LIMIT = 1n << 128n;

function power(q) {
  if (q >= 0) {
    let product = 5n ** BigInt(q);
    while (product < LIMIT >> 1n) product <<= 1n;
    while (product >= LIMIT) product >>= 1n;
    return product;
  }
  const divisor = 5n ** BigInt(-q);
  let z = 0n;
  while (1n << z < divisor) z++;
  let quotient = (1n << (q >= -27 ? z + 127n : 2n * z + 128n)) / divisor + 1n;
  while (quotient >= LIMIT) quotient >>= 1n;
  return quotient;
}

const hex = (word) => `0x${word.toString(16).padStart(16, '0')}`;
const lines = [];
for (let q = MIN_POWER; q <= MAX_POWER; q++) {
  const word = power(q);
  lines.push(`  ${hex(word >> 64n)}, ${hex(word & ((1n << 64n) - 1n))}, // ${q}`);
}
const text = `// Made by assembly/table/generate-powers.mjs. Do not edit.

export const MIN_POWER = ${MIN_POWER};
export const MAX_POWER = ${MAX_POWER};

/** 5^q as 128 bits, the upper 64 first, from q = MIN_POWER on. */
export const powersOfFive: StaticArray<u64> = [
${lines.join('\n')}
];
`;
mkdirSync(new URL('generated/', import.meta.url), { recursive: true });
writeFileSync(new URL('generated/powers.ts', import.meta.url), text);
