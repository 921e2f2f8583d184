import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32c } from '../../../src/files/codecs/crc.js';
import { holds } from '../../property/fuzz.js';
import { slowCrc32c } from '../zarr/zarr-fixture.js';

it('crc32c is that of RFC 3720, appendix B.4', () => {
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
});

holds(
  'crc32c equals the sum that is taken bit by bit, of any bytes',
  100,
  fc.uint8Array({ maxLength: 70 }),
  (bytes) => {
    expect(crc32c(bytes)).toBe(slowCrc32c(bytes));
  },
);
