import { describe, expect, it } from 'vitest';
import { bytesAccess, type RandomAccess } from '../../../src/files/array/random-access.js';
import { openGribFiles } from '../../../src/files/grib/open-grib.js';
import { isFullCheck } from '../../full-check.js';
import { Dice } from '../../fuzz/dice.js';
import { type CcsdsLayout, ccsdsSection, writeCcsds } from '../../reference/grib-ccsds.js';
import { writeComplex } from '../../reference/grib-complex.js';
import { bitmapSection, joined, NO_BITMAP, section, section5, UNSCALED, uint } from '../../reference/grib-message.js';
import { gribFile, T2M } from './write-grib.js';

const [MEMBERS, STEPS, ROWS, COLUMNS] = [2, 3, 23, 31];
const POINTS = ROWS * COLUMNS;
const SHAPE = [MEMBERS, STEPS, ROWS, COLUMNS];
/** Where these are in a message of `gribFile`. */
const [SCANNING_MODE, FIRST_LATITUDE, LAST_LATITUDE] = [108, 83, 92];
const NORTHWARDS = 0x40;
const CCSDS: CcsdsLayout = {
  ...{ bits: 12, blockSize: 8, interval: 2, isSigned: false, isFolded: true, isRestricted: false, isPadded: false },
};

/** Numbers of 0 to 4095 that change little from one to the next. */
function numbersOf(seed: number, count: number): number[] {
  const dice = new Dice([seed]);
  let last = 2000;
  return Array.from({ length: count }, () => {
    last = Math.min(4095, Math.max(0, last + dice.between(-9, 9)));
    return last;
  });
}

const simple = (numbers: readonly number[]) => ({
  section5: section5(0, numbers.length, UNSCALED, 16, []),
  data: joined(...numbers.map((number) => uint(number, 2))),
});
const complex = (order: number, missing: number) => (numbers: readonly number[]) => {
  const groups = Array.from({ length: Math.ceil(numbers.length / 10) }, (_, i) => {
    const part = numbers.slice(10 * i, 10 * i + 10);
    return { reference: Math.min(...part) % 64, width: 7, numbers: part.map((number) => number % 128) };
  });
  const widths = { referenceBits: 6, smallestWidth: 0, widthBits: 4, smallestLength: 0, lengthStep: 1, lengthBits: 4 };
  return writeComplex(groups, { missing, ...widths, order, first: [5, 9], minimum: -3, bytes: 2 }, UNSCALED);
};
const ccsds = (numbers: readonly number[]) => ({
  section5: ccsdsSection(numbers.length, CCSDS, UNSCALED),
  data: writeCcsds(numbers, CCSDS, [3, 'plain', 'zeros', 4]),
});
const floats = (numbers: readonly number[]) => ({
  section5: section(5, uint(numbers.length, 4), uint(4, 2), [1]),
  data: new Uint8Array(new Float32Array(numbers).buffer).reverse(),
});

const PACKINGS = {
  ...{
    simple,
    ccsds,
    floats,
    'complex, order 0, missing 0': complex(0, 0),
    'complex, order 1, missing 1': complex(1, 1),
  },
  ...{ 'complex, order 2, missing 0': complex(2, 0), 'complex, order 2, missing 2': complex(2, 2) },
};

type Pack = (numbers: readonly number[]) => { readonly section5: Uint8Array; readonly data: Uint8Array };

interface Fields {
  readonly mode: number;
  readonly pack: Pack;
  readonly isThere?: readonly boolean[];
  /** The shape of the array. */
  readonly shape?: readonly number[];
}

/** A message of a temperature. */
function messageOf(member: number, step: number, { mode, pack, isThere, shape = SHAPE }: Fields): Uint8Array {
  const [rows, columns] = shape.slice(2);
  const constant = gribFile([{ ...T2M, member, step, rows, columns, value: 0 }]);
  const head = constant.slice(0, -4 - 5 - 6 - 21);
  head[SCANNING_MODE] = mode;
  if (mode & NORTHWARDS) {
    const first = head.slice(FIRST_LATITUDE, FIRST_LATITUDE + 4);
    head.copyWithin(FIRST_LATITUDE, LAST_LATITUDE, LAST_LATITUDE + 4);
    head.set(first, LAST_LATITUDE);
  }
  const { section5: packing, data } = pack(
    numbersOf(10 * member + step, isThere?.filter(Boolean).length ?? rows * columns),
  );
  const bitmap = isThere === undefined ? NO_BITMAP : bitmapSection(isThere);
  const bytes = joined(head, packing, bitmap, section(7, data), [0x37, 0x37, 0x37, 0x37]);
  bytes.set(uint(bytes.length, 8), 8);
  return bytes;
}

/** The array of a file, and the number of bytes that were read of it. */
async function arrayOf(fields: Fields) {
  const [members, steps] = fields.shape ?? SHAPE;
  const messages: Uint8Array[] = [];
  for (let member = 0; member < members; member++) {
    for (let step = 0; step < steps; step++) messages.push(messageOf(member + 1, 6 * step, fields));
  }
  const reads = { bytes: 0 };
  const access = bytesAccess(joined(...messages), 'run.grib2');
  const counted: RandomAccess = {
    ...access,
    read: (at, into) => {
      reads.bytes += into.length;
      return access.read(at, into);
    },
  };
  const { arrays } = await openGribFiles({
    ...{ source: 'run.grib2', count: 1, use: (_, work) => work(counted), close: async () => {} },
  });
  const array = arrays.get('2t');
  if (array === undefined) throw new Error('no 2t');
  return { array, reads };
}

const WHOLE = { start: [0, 0, 0, 0], count: SHAPE };
const valuesIn = (count: readonly number[]) => new Float64Array(count.reduce((a, b) => a * b, 1));

/** A box of values of an array of this shape. */
function boxOf(values: Float64Array, start: readonly number[], count: readonly number[]): Float64Array {
  return valuesIn(count).map((_, i) => {
    let [at, rest, stride] = [0, i, 1];
    for (let d = SHAPE.length - 1; d >= 0; d--) {
      at += (start[d] + (rest % count[d])) * stride;
      rest = Math.floor(rest / count[d]);
      stride *= SHAPE[d];
    }
    return values[at];
  });
}

describe('a box of fields has the values of complete fields', () => {
  const MODES = [0x00, 0x40, 0x10, 0x20, 0x30];
  const cases = Object.entries(PACKINGS).flatMap(([name, pack]) => [
    ...MODES.map((mode) => [`${name}, scanning mode ${mode}`, mode, pack, false] as const),
    [`${name}, with a bitmap`, 0, pack, true] as const,
  ]);

  it.each(cases)('%s', async (_, mode, pack, hasBitmap) => {
    const dice = new Dice([mode, 7]);
    const isThere = hasBitmap ? Array.from({ length: POINTS }, () => dice.chance(0.6)) : undefined;
    const { array } = await arrayOf({ mode, pack, isThere });
    const values = valuesIn(SHAPE);
    await array.read(WHOLE, values);
    expect(values.some((value) => value > 0)).toBe(true);
    // Several at a time, in any order.
    const boxes = Array.from({ length: isFullCheck ? 40 : 8 }, () => {
      const start = SHAPE.map((length) => dice.below(length));
      return { start, count: SHAPE.map((length, d) => dice.between(1, length - start[d])) };
    });
    const read = boxes.map(async (box) => {
      const into = valuesIn(box.count);
      await array.read(box, into);
      return into;
    });
    for (const [i, { start, count }] of boxes.entries()) expect(await read[i]).toEqual(boxOf(values, start, count));
  });
});

describe('rows read one after the other', () => {
  const [rows, columns, atOnce] = [230, 310, 10];

  it.each(Object.entries(PACKINGS))(
    'of %s read the bytes of a field about once, not once for each part',
    async (_, pack) => {
      const { array, reads } = await arrayOf({ mode: 0, pack, shape: [1, 1, rows, columns] });
      expect(array.chunkPart?.slice(-2)).toEqual([1, columns]);
      const leading = array.shape.slice(0, -2).map(() => 0);
      const read = async (row: number, count: number) => {
        const before = reads.bytes;
        const box = { start: [...leading, row, 0], count: [...leading.map(() => 1), count, columns] };
        await array.read(box, valuesIn(box.count));
        return reads.bytes - before;
      };
      const whole = await read(0, rows);
      let parts = 0;
      for (let row = 0; row < rows; row += atOnce) parts += await read(row, atOnce);
      // The first part also reads what is needed to check the others, and parts share the bytes at their edges.
      expect(parts).toBeLessThan(4 * whole);
      expect(whole).toBeGreaterThan(POINTS);
    },
  );

  it('of columns stored one after the other are not offered', async () => {
    const { array } = await arrayOf({ mode: 0x20, pack: simple });
    expect(array.chunkPart).toBeUndefined();
  });
});
