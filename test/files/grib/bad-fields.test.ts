import { beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { FormatError, OptionError } from '../../../src/errors.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { readGrib2Values } from '../../../src/files/grib/packing/grib2-values.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { type CcsdsLayout, ccsdsSection, writeCcsds } from '../../reference/grib-ccsds.js';
import { writeComplex } from '../../reference/grib-complex.js';
import {
  bitmapSection,
  fieldMessage,
  message,
  NO_BITMAP,
  SECTION_1,
  SECTION_4,
  section,
  section3,
  section5,
  UNSCALED,
  uint,
} from '../../reference/grib-message.js';
import { readFields } from './read-fields.js';

let tools: GribKernels;
let mark: number;
beforeAll(async () => {
  tools = await takeGribKernels();
  mark = tools.memory.mark();
});

const NUMBERS = Array.from({ length: 40 }, (_, i) => i % 7);
const LAYOUT: CcsdsLayout = {
  ...{ bits: 8, blockSize: 8, interval: 4, isSigned: false, isFolded: true, isRestricted: false, isPadded: false },
};
const complex = writeComplex(
  [0, 1].map((group) => ({ reference: group, width: 3, numbers: NUMBERS.slice(20 * group, 20 * group + 20) })),
  {
    ...{
      missing: 0,
      referenceBits: 8,
      smallestWidth: 0,
      widthBits: 4,
      smallestLength: 0,
      lengthStep: 1,
      lengthBits: 6,
    },
    ...{ order: 2, first: [1, 2], minimum: 0, bytes: 1 },
  },
  UNSCALED,
);

/** A section with one of its octets changed, counted from 1. */
function withOctet(bytes: Uint8Array, octet: number, ...values: number[]): Uint8Array {
  const changed = bytes.slice();
  changed.set(values, octet - 1);
  return changed;
}

const simple = (points: number, bits: number) => section5(0, points, UNSCALED, bits, []);
const ccsds = ccsdsSection(40, LAYOUT, UNSCALED);
const stream = writeCcsds(NUMBERS, LAYOUT, [2]);
const ones = bitmapSection([true, false, true]);
const withBitmap = (count: number, bitmap: Uint8Array) =>
  message(SECTION_1, section3(3), SECTION_4, simple(count, 8), bitmap, section(7, [1, 2, 3]));

const CASES: [string, Uint8Array, string][] = [
  ['too few bytes of simple packing', fieldMessage(9, simple(9, 12), new Uint8Array(13)), '7: has too few bytes'],
  [
    'more bits than 32',
    fieldMessage(9, simple(9, 33), new Uint8Array(99)),
    '5: has too many bits per value; received 33',
  ],
  ['2^32 - 1 points', fieldMessage(2 ** 32 - 1, simple(2 ** 32 - 1, 0), []), '3: has more points than are read'],
  ['other points than values', fieldMessage(9, simple(8, 8), new Uint8Array(9)), '5: has another number of values'],
  [
    'a template that is not read',
    fieldMessage(9, section5(61, 9, UNSCALED, 8, []), [1]),
    'is not read; received "5.61"',
  ],
  ['a section 5 that is too short', fieldMessage(9, section5(3, 9, UNSCALED, 8, []), [1]), '5: is too short'],
  [
    'a decimal scale that overflows',
    fieldMessage(1, section5(0, 1, { ...UNSCALED, decimal: -32767 }, 8, []), [1]),
    '5: has a reference value or scale factors that numbers of 64 bits cannot hold; received 0, 0, -32767',
  ],
  [
    'a reference value that is no number',
    fieldMessage(1, section5(0, 1, { ...UNSCALED, reference: Number.NaN }, 8, []), [1]),
    '5: has a reference value or scale factors',
  ],
  ['a bitmap that is too short', withBitmap(2, section(6, [0])), '6: has too short a bitmap'],
  ['a bitmap with more ones than values', withBitmap(1, ones), '5: has another number of values than there are ones'],
  ['a bitmap of the centre', withBitmap(3, section(6, [7])), '6: refers to a bitmap that the centre has defined'],
  [
    'IEEE numbers of 128 bits',
    fieldMessage(1, section(5, uint(1, 4), uint(4, 2), [3]), new Uint8Array(16)),
    'precision',
  ],
  [
    'too few IEEE numbers',
    fieldMessage(3, section(5, uint(3, 4), uint(4, 2), [2]), new Uint8Array(23)),
    '7: has too few',
  ],
  [
    'groups longer than the grid',
    fieldMessage(40, withOctet(complex.section5, 43, 0, 0, 0, 21), complex.data),
    '7: has groups',
  ],
  [
    'groups shorter than the grid',
    fieldMessage(40, withOctet(complex.section5, 43, 0, 0, 0, 19), complex.data),
    '7: has groups',
  ],
  [
    'more groups than values',
    fieldMessage(40, withOctet(complex.section5, 32, 255), complex.data),
    '5: has more groups',
  ],
  [
    'groups of too many bits',
    fieldMessage(40, withOctet(complex.section5, 36, 40), complex.data),
    '7: has a group with',
  ],
  ['groups that are cut', fieldMessage(40, complex.section5, complex.data.slice(0, -1)), '7: has too few bytes for'],
  [
    'groups without their headers',
    fieldMessage(40, complex.section5, complex.data.slice(0, 4)),
    '7: has too few bytes',
  ],
  ['an unknown order', fieldMessage(40, withOctet(complex.section5, 48, 3), complex.data), '1 or 2'],
  ['descriptors of five bytes', fieldMessage(40, withOctet(complex.section5, 49, 5), complex.data), '0 to 4'],
  ['unknown missing values', fieldMessage(40, withOctet(complex.section5, 23, 3), complex.data), '0, 1 or 2'],
  ['a CCSDS stream that is cut', fieldMessage(40, ccsds, stream.slice(0, -1)), '7: ends within a block'],
  ['no CCSDS stream', fieldMessage(40, ccsds, []), '7: ends within a block'],
  [
    'a block size of 12',
    fieldMessage(40, withOctet(ccsds, 23, 12), stream),
    'block size; received 12; allowed: 8, 16, 32, 64',
  ],
  [
    'an odd block size of any',
    fieldMessage(40, withOctet(ccsds, 22, 72, 7), stream),
    'block size; received 7; allowed: even',
  ],
  ['an interval of no blocks', fieldMessage(40, withOctet(ccsds, 24, 0, 0), stream), 'interval; received 0'],
  ['restricted codes of 8 bits', fieldMessage(40, withOctet(ccsds, 22, 24), stream), 'restricted'],
  ['zeros beyond the interval', fieldMessage(40, ccsds, [0, 0, 1, 255]), '7: has a code that is not possible'],
];

describe('a field that cannot be unpacked', () => {
  it.each(CASES)('%s: an error with file, message, offset and section', async (_, bytes, text) => {
    const error = await readFields(tools, bytes).catch((cause) => cause);
    expect(error).toBeInstanceOf(FormatError);
    expect(error.message).toContain('fields.grib2, message 1 at byte 0, section ');
    expect(error.message).toContain(text);
    expect(tools.memory.mark()).toBe(mark);
  });
});

describe('readGrib2Values', () => {
  const field = async (bytes: Uint8Array) => {
    const access = bytesAccess(bytes, 'a');
    for await (const each of scanMessages(access)) {
      if (each.kind === 'field' && each.edition === 2) return { access, each };
    }
    throw new Error('no field');
  };

  it('gives the values of points in a bitmap, and NaN to the others', async () => {
    const { access, each } = await field(withBitmap(2, ones));
    const into = new Float64Array(3);
    await readGrib2Values(tools, access, each, {}, { from: 0, to: 3 }, into);
    expect([...into]).toEqual([1, Number.NaN, 2]);
  });

  it('gives the reference value of constant fields as it is, whatever the decimal scale, as ecCodes does', async () => {
    const scale = { reference: 12.5, binary: 0, decimal: 2 };
    const none = section5(0, 2, scale, 0, []);
    for (const bitmap of [NO_BITMAP, bitmapSection([true, true])]) {
      const { access, each } = await field(message(SECTION_1, section3(2), SECTION_4, none, bitmap, section(7)));
      const into = new Float64Array(2);
      await readGrib2Values(tools, access, each, {}, { from: 0, to: 2 }, into);
      expect([...into]).toEqual([12.5, 12.5]);
    }
  });

  it('leaves nothing in the index of a field without a bitmap that is read whole, but of one read in parts', async () => {
    const { access, each } = await field(fieldMessage(40, ccsds, stream));
    const index = {};
    const into = new Float64Array(40);
    await readGrib2Values(tools, access, each, index, { from: 0, to: 40 }, into);
    expect(index).toEqual({});
    const part = new Float64Array(9);
    await readGrib2Values(tools, access, each, index, { from: 20, to: 29 }, part);
    expect(part).toEqual(into.subarray(20, 29));
    expect(index).toHaveProperty('intervals');
  });

  it('rejects an array of another length', async () => {
    const { access, each } = await field(withBitmap(2, ones));
    const range = { from: 0, to: 3 };
    await expect(readGrib2Values(tools, access, each, {}, range, new Float64Array(4))).rejects.toThrow(OptionError);
  });
});
