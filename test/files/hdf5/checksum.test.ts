import { expect, test } from 'vitest';
import { checksum } from '../../../src/files/hdf5/checksum.js';

// The values of lookup3.c's own driver5, with an initial value of 0.
test.each([
  ['', 0xdeadbeef],
  ['Four score and seven years ago', 0x17770551],
])('the checksum of %j is that of lookup3', (text, expected) => {
  expect(checksum(new TextEncoder().encode(text))).toBe(expected);
});
