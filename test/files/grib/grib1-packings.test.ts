import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { FormatError } from '../../../src/errors.js';
import { Dice } from '../../fuzz/dice.js';
import type { Group } from '../../reference/grib-complex.js';
import { joined, type Scale, UNSCALED } from '../../reference/grib-message.js';
import {
  type Differences,
  grib1Message,
  SECOND_ORDER,
  secondOrderNumbers,
  secondOrderSection,
  simpleSection,
} from '../../reference/grib1-message.js';
import { expectSame, hasEcCodes, readFiles } from './ec-codes.js';
import { readFields } from './read-fields.js';

let tools: GribKernels;
beforeAll(async () => {
  tools = await takeGribKernels();
});

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib1-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KINDS = Object.keys(SECOND_ORDER) as (keyof typeof SECOND_ORDER)[];

async function valuesOf(message: Uint8Array): Promise<number[]> {
  const [{ values }] = await readFields(tools, message);
  return [...values];
}

/** A field of second-order packing with its numbers. */
interface Packed {
  readonly rows: number;
  readonly columns: number;
  readonly groups: readonly Group[];
  readonly differences: Differences | undefined;
  readonly scale: Scale;
}

function randomField(dice: Dice, kind: keyof typeof SECOND_ORDER): Packed {
  const [rows, columns] = [dice.between(1, 12), dice.between(1, 20)];
  const order = kind === 'extended' ? dice.below(4) : 0;
  const differences =
    order > 0 && rows * columns > order
      ? {
          first: Array.from({ length: order }, () => dice.below(500)),
          minimum: dice.between(-40, 40),
          bits: dice.between(10, 20),
        }
      : undefined;
  const groups: Group[] = [];
  const constant = dice.below(12);
  for (let left = rows * columns - (differences?.first.length ?? 0); left > 0; ) {
    const length = kind === 'rows' ? columns : Math.min(left, dice.between(1, 30));
    const width = kind === 'constantWidth' ? constant : dice.below(15);
    const numbers = Array.from({ length }, () => dice.below(2 ** width));
    groups.push({ reference: dice.below(200), width, numbers });
    left -= length;
  }
  const scale = { reference: dice.below(1000) - 500, binary: dice.between(-9, 9), decimal: dice.between(-3, 5) };
  return { rows, columns, groups, differences, scale };
}

function messageOf(kind: keyof typeof SECOND_ORDER, { rows, columns, groups, differences, scale }: Packed) {
  const section4 = secondOrderSection(kind, groups, 8, scale, differences);
  return grib1Message(section4, { rows, columns, decimal: scale.decimal });
}

/** The formula of the WMO, with the steps of ecCodes. */
function scaled(number: number, { reference, binary, decimal }: Scale): number {
  let factor = 1;
  for (let i = 0; i < decimal; i++) factor /= 10;
  for (let i = 0; i > decimal; i--) factor *= 10;
  return (number * 2 ** binary + reference) * factor;
}

describe('second-order packing of edition 1', () => {
  it.each(KINDS)('%s is read as its numbers say', async (kind) => {
    for (let seed = 0; seed < 200; seed++) {
      const field = randomField(new Dice([seed, 1]), kind);
      const expected = secondOrderNumbers(field.groups, field.differences).map((number) => scaled(number, field.scale));
      expect(await valuesOf(messageOf(kind, field)), `seed ${seed}`).toEqual(expected);
    }
  });

  it.skipIf(!hasEcCodes).each(KINDS)('%s is read to the bit as by ecCodes', async (kind) => {
    const file = join(folder, `${kind}.grib1`);
    const messages = Array.from({ length: 200 }, (_, seed) => messageOf(kind, randomField(new Dice([seed, 2]), kind)));
    writeFileSync(file, joined(...messages));
    expectSame(await readFields(tools, file), readFiles([file])[0]);
  });

  it('has groups of the points of a row that have values', async () => {
    const bitmap = [true, false, true, false, false, false, true, true, true];
    const groups = [[1, 2], [], [3, 0, 1]].map((numbers, i) => ({ reference: 10 * i, width: 2, numbers }));
    const section4 = secondOrderSection('rows', groups, 8, UNSCALED);
    const values = await valuesOf(grib1Message(section4, { rows: 3, columns: 3, bitmap }));
    expect(values).toEqual([1, Number.NaN, 2, Number.NaN, Number.NaN, Number.NaN, 23, 20, 21]);
  });

  it('turns every second row of the points, also of those without values, where rows alternate in direction', async () => {
    const bitmap = [true, true, true, true, true, false];
    const groups = [{ reference: 0, width: 4, numbers: [1, 2, 3, 4, 5] }];
    for (const kind of ['extended', 'constantWidth', 'differentWidths'] as const) {
      const section4 = secondOrderSection(kind, groups, 8, UNSCALED, undefined, true);
      const values = await valuesOf(grib1Message(section4, { rows: 2, columns: 3, bitmap }));
      expect(values).toEqual([1, 2, 3, Number.NaN, 5, 4]);
    }
  });
});

describe('simple packing of edition 1', () => {
  it('has a reference value in the format of IBM, read exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -(2 ** 24) + 1, max: 2 ** 24 - 1 }), fc.integer(), async (fraction, seed) => {
        const reference = fraction * 16 ** (seed % 8);
        const [value] = await valuesOf(grib1Message(simpleSection([0], 8, { ...UNSCALED, reference }), {}));
        expect(value).toBe(reference);
      }),
    );
  });

  it('with the binary scale -32767 is a field without values', async () => {
    const section4 = simpleSection([1, 2], 8, { ...UNSCALED, binary: -32_767 });
    expect(await valuesOf(grib1Message(section4, { columns: 2 }))).toEqual([Number.NaN, Number.NaN]);
  });
});

describe('a field of edition 1 that cannot be unpacked', () => {
  const groups = [{ reference: 1, width: 3, numbers: [1, 2, 3, 4, 5, 6, 7, 0] }];
  const extended = secondOrderSection('extended', groups, 8, UNSCALED, { first: [1], minimum: -1, bits: 8 });
  const message = (section4: Uint8Array, columns: number) => grib1Message(section4, { columns });
  const withOctet = (section4: Uint8Array, octet: number, ...values: number[]) => {
    const changed = section4.slice();
    changed.set(values, octet - 1);
    return changed;
  };
  const without = (section4: Uint8Array, bytes: number) => {
    const cut = section4.slice(0, -bytes);
    cut.set([0, cut.length >> 8, cut.length & 255]);
    return cut;
  };
  const simple = simpleSection([1, 2, 3], 12, UNSCALED);
  const CASES: [string, Uint8Array, string][] = [
    ['too few bytes', message(without(simple, 1), 3), '4: has too few bytes'],
    ['more points than numbers', message(simple, 4), '4: has too few bytes'],
    ['more bits than 32', message(withOctet(simple, 11, 33), 3), '4: has too many bits per value; received 33'],
    ['spherical harmonics', message(withOctet(simple, 4, 0x80), 3), '4: has a packing that is not read; received "sph'],
    ['matrices', message(withOctet(simple, 4, 0x10), 3), 'not read; received "matrices of values, or IEEE numbers"'],
    ['matrices in groups', message(withOctet(extended, 14, 0x58), 9), '4: has matrices of values'],
    ['an unknown kind', message(withOctet(extended, 14, 0x08), 9), '4: has a kind of second-order packing'],
    ['groups of fewer values', message(extended, 10), '4: has groups that have more or fewer values'],
    ['groups of more values', message(extended, 8), '4: has groups that have more or fewer values'],
    ['no groups', message(withOctet(extended, 17, 0, 0), 9), '4: has groups that have more or fewer values'],
    ['more groups than bytes', message(withOctet(extended, 17, 255, 255), 9), '4: has too few bytes for its groups'],
    ['16 million groups', message(withOctet(extended, 21, 255), 9), '4: has too few bytes for its groups'],
    ['groups that are cut', message(without(extended, 1), 9), '4: has too few bytes for the numbers'],
    [
      'groups without a head',
      message(without(extended, extended.length - 20), 9),
      '4: has too few bytes for its groups',
    ],
    ['widths of 40 bits', message(withOctet(extended, 22, 40), 9), '4: has too many bits for widths'],
    [
      'rows without groups',
      grib1Message(secondOrderSection('rows', groups, 8, UNSCALED), { rows: 2, columns: 4 }),
      'than rows',
    ],
    [
      'a secondary bitmap that begins without a group',
      message(withOctet(secondOrderSection('constantWidth', groups, 8, UNSCALED), 23, 0x40), 8),
      '4: has a secondary bitmap',
    ],
    [
      'a secondary bitmap of more groups than are stated',
      message(withOctet(secondOrderSection('constantWidth', groups, 8, UNSCALED), 23, 0x90), 8),
      '4: has a secondary bitmap with another number of groups or values; allowed: 1 groups of 8 values',
    ],
    [
      'a secondary bitmap of fewer groups than are stated',
      message(withOctet(secondOrderSection('constantWidth', groups, 8, UNSCALED), 17, 0, 2), 8),
      '4: has a secondary bitmap with another number of groups',
    ],
    [
      'a bitmap that is too short',
      grib1Message(simple, { columns: 30, bitmap: [true, true, true] }),
      '3: has too short',
    ],
    ['65535 x 65535 points', grib1Message(simple, { columns: 65_534, rows: 65_535 }), '2: has an impossible number'],
  ];

  it.each(CASES)('%s: an error with file, message, offset and section', async (_, bytes, text) => {
    const mark = tools.memory.mark();
    const error = await readFields(tools, bytes).catch((cause) => cause);
    expect(error).toBeInstanceOf(FormatError);
    expect(error.message).toContain('fields.grib2, message 1 at byte 0, section ');
    expect(error.message).toContain(text);
    expect(tools.memory.mark()).toBe(mark);
  });
});
