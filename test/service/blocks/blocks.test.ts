import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { FormatError, OptionError } from '../../../src/errors.js';
import type { BlockShape } from '../../../src/service/blocks/block-format.js';
import { BlockMemory } from '../../../src/service/blocks/block-memory.js';
import { BlockEncoder, type EncodeOptions } from '../../../src/service/blocks/encode-block.js';
import {
  type FieldGrid,
  fieldGridBytes,
  findFieldGrid,
  readFieldGrid,
} from '../../../src/service/blocks/field-grid.js';
import { holds } from '../../property/fuzz.js';
import { normalStream } from '../../reference/autoregressive.js';
import { decodeBlock } from '../../reference/decode-block.js';
import { bitsOf, blocks, floats, NAN_BITS } from './some-blocks.js';

const memory = await BlockMemory.load();
const encoder = await BlockEncoder.load();
afterAll(() => encoder.end());

/** A block of its own: the encoder uses the bytes again. */
function encode(values: Float32Array, shape: BlockShape, options: EncodeOptions = {}): Uint8Array<ArrayBuffer> {
  return encoder.encode(values, shape, options).slice();
}

function decode(block: Uint8Array, shape: BlockShape, into: Float32Array, fields?: FieldGrid): void {
  memory.buffer(block.length).set(block);
  memory.decode(block.length, shape, into, { fields, file: 'a.blocks' });
}

/** Encodes and decodes, compares with the twin, and returns the block and its values. */
function roundTrip(values: Float32Array, members: number, options = {}) {
  const shape = { members, days: values.length / members };
  const block = encode(values, shape, options);
  const decoded = new Float32Array(values.length);
  decode(block, shape, decoded);
  expect(bitsOf(decodeBlock(block))).toEqual(bitsOf(decoded));
  return { block, decoded };
}

function expectExact(values: Float32Array, members: number): Uint8Array {
  const { block, decoded } = roundTrip(values, members);
  expect(bitsOf(decoded)).toEqual(bitsOf(values));
  return block;
}

describe('encode and decode', () => {
  holds('every pattern of bits comes back, and the twin reads the same', 400, blocks, ({ members, values }) => {
    expectExact(values, members);
  });

  holds(
    'a value is at most half of the precision, and a last place, from what it was',
    200,
    blocks,
    ({ members, values }) => {
      const { decoded } = roundTrip(values, members, { precision: 0.05 });
      const isNear = (value: number, i: number) =>
        Number.isFinite(value)
          ? Math.abs(decoded[i] - value) <= 0.025 * (1 + 1e-6) + Math.abs(value) * 2 ** -23
          : Object.is(decoded[i], value);
      expect(values.findIndex((value, i) => !isNear(value, i))).toBe(-1);
    },
  );

  it('a constant block takes 12 bytes, whatever the constant', () => {
    for (const bits of [0, 0x80000000, NAN_BITS, 0x7fc12345, 0x7f800000]) {
      expect(expectExact(floats(new Array(31 * 15).fill(bits)), 31)).toHaveLength(12);
    }
  });

  it('noise takes the bytes of float32 and 8 more at most', () => {
    const normal = normalStream(1);
    const values = Float32Array.from({ length: 31 * 15 }, () => normal() * 10 ** (10 * normal()));
    expect(expectExact(values, 31).length).toBeLessThanOrEqual(8 + values.byteLength);
  });

  it('values of a quantum take about the bits of their spread, and zeros of rain about one', () => {
    const normal = normalStream(2);
    const decimal = Float32Array.from({ length: 31 * 100 }, () => 0.025 * Math.round(400 * normal()) - 273.15);
    // 400 quanta of standard deviation are 10.7 bits each.
    expect(expectExact(decimal, 31).length).toBeLessThan((12.2 * decimal.length) / 8);
    const rain = Float32Array.from({ length: 31 * 100 }, () => Math.max(0, Math.round(100 * (normal() - 1))) / 16);
    expect(expectExact(rain, 31).length).toBeLessThan((3 * rain.length) / 8);
  });

  it('a grid is found beside what subtractions leave of 0', () => {
    const normal = normalStream(5);
    const rain = Float32Array.from({ length: 31 * 35 }, () => Math.max(0, Math.round(50 * normal())) / 10);
    const whole = expectExact(rain, 31).length;
    rain.fill(-6.9e-18, 7, 10);
    expect(expectExact(rain, 31).length).toBeLessThan(whole + 50);
  });

  it('zeros are apart also where the others have no grid', () => {
    const normal = normalStream(7);
    const rain = Float32Array.from({ length: 31 * 50 }, () => Math.max(0, normal() - 1.5));
    expect(expectExact(rain, 31).length).toBeLessThan(0.15 * rain.byteLength);
  });

  it('values without a grid are encoded exactly, and after them a grid is found again', async () => {
    const own = await BlockEncoder.load();
    const normal = normalStream(6);
    const shape = { members: 5, days: 40 };
    const noise = () => Float32Array.from({ length: 200 }, () => normal());
    for (let i = 0; i < 5; i++) {
      const values = noise();
      expect(bitsOf(decodeBlock(own.encode(values, shape)))).toEqual(bitsOf(values));
    }
    const decimal = () => noise().map((value) => Math.round(100 * value) / 100);
    expect(own.encode(decimal(), shape).length).toBeLessThan(350);
  });

  it('some missing values are listed, and many have a bit each', () => {
    const values = Float32Array.from({ length: 20 * 50 }, (_, i) => (i % 17) / 4);
    const whole = expectExact(values, 20).length;
    values[123] = Number.NaN;
    expect(expectExact(values, 20).length).toBeLessThan(whole + 20);
    values.fill(Number.NaN, 500, 800);
    expect(expectExact(values, 20).length).toBeLessThan(whole + 130);
  });

  it('decodes blocks of any length and shape in turn, also after a larger one has moved what the memory holds', () => {
    const normal = normalStream(8);
    const all = [3, 1, 70, 2, 300].map((days) => {
      const shape = { members: 5, days };
      const references = Float64Array.from({ length: 5 * days }, () => normal());
      const fields = { ...shape, quantum: 0.01, origin: references };
      const values = Float32Array.from(references, (origin) => origin + 0.01 * Math.round(100 * normal()));
      return { shape, fields, values, block: encode(values, shape, { fields }) };
    });
    for (let turn = 0; turn < 3; turn++) {
      for (const { shape, fields, values, block } of all) {
        const out = new Float32Array(values.length);
        decode(block, shape, out, fields);
        expect(bitsOf(out)).toEqual(bitsOf(values));
      }
    }
  });

  it('more grids of fields than it holds are held in turn', async () => {
    const own = await BlockMemory.load();
    const shape = { members: 1000, days: 1000 };
    const grids = [1, 2, 3, 4, 5].map((origin) => ({
      ...shape,
      quantum: 0.25,
      origin: new Float64Array(1_000_000).fill(origin + 1 / 3),
    }));
    const out = new Float32Array(1_000_000);
    for (const fields of [...grids, grids[0]]) {
      const values = Float32Array.from(out, (_, i) => fields.origin[i] + 0.25 * (i % 3));
      const block = encode(values, shape, { fields });
      own.buffer(block.length).set(block);
      own.decode(block.length, shape, out, { fields, file: 'a.blocks' });
      expect(out.findIndex((value, i) => value !== values[i])).toBe(-1);
    }
  });
});

describe('grids of fields', () => {
  const shape = { members: 5, days: 12 };
  const count = shape.members * shape.days;
  /** Values of places whose fields have a quantum in common and a reference each, as GRIB packs them. */
  function places(quantum: number) {
    const normal = normalStream(3);
    const references = Float32Array.from({ length: count }, () => 210 + 5 * normal());
    return Float32Array.from({ length: 200 * count }, (_, i) => {
      const reference = references[i % count];
      return reference + quantum * Math.round((285 + 3 * normal() - reference) / quantum) - 273.15;
    });
  }

  it.each([2 ** -9 / 4, 2 ** -5 / 8, 0.01, 0.1 / 3])(
    'found from places, blocks need %d of a quantum only',
    (quantum) => {
      const values = places(quantum);
      const grid = findFieldGrid(values.subarray(0, 150 * count), shape);
      expect(grid?.quantum).toBeCloseTo(quantum, 12);
      const fields = grid!;
      const decoded = new Float32Array(count);
      for (let place = 0; place < 200; place++) {
        const block = values.subarray(place * count, (place + 1) * count);
        const own = encode(block, shape);
        const bytes = encode(block, shape, { fields });
        decode(bytes, shape, decoded, fields);
        expect(bitsOf(decoded)).toEqual(bitsOf(block));
        expect(bitsOf(decodeBlock(bytes, grid))).toEqual(bitsOf(block));
        expect(bytes.length).toBeLessThan(own.length);
      }
    },
  );

  it('origins that some places show are exact for others, also near 0', () => {
    const values = places(2 ** -9 / 4);
    const grid = findFieldGrid(values.subarray(0, 60 * count), shape);
    const references = Float64Array.from(grid!.origin, (origin) => (origin + 273.15) * 2 ** 18);
    // Of 60 places a reference of float32 is known to 18 bits behind the point.
    expect(references.every((reference) => Math.abs(reference - Math.round(reference)) < 1e-4)).toBe(true);
    const fields = grid!;
    const near = Float32Array.from({ length: count }, (_, i) => {
      const origin = grid!.origin[i];
      return origin + grid!.quantum * ((i % 3) - 1);
    });
    const block = encode(near, shape, { fields });
    expect(new DataView(block.buffer).getUint16(20, true)).toBe(0);
  });

  it('a block is not decoded without its grid', () => {
    const values = places(2 ** -8);
    const fields = findFieldGrid(values, shape)!;
    const bytes = encode(values.subarray(0, count), shape, { fields });
    expect(() => decode(bytes, shape, new Float32Array(count))).toThrow(
      'a.blocks: has a block without the grid of fields that it was encoded with',
    );
  });

  it('a grid comes back from its bytes', () => {
    const fields = findFieldGrid(places(2 ** -8), shape)!;
    expect(readFieldGrid(fieldGridBytes(fields), shape)).toEqual(fields);
  });

  it('a quantum is found of most places where values were rounded to float32 as kelvins, and every bit comes back', () => {
    const normal = normalStream(6);
    // The last place of float32 is larger from 256 kelvins on.
    const references = Float64Array.from({ length: count }, () => 220 + Math.round(4 * 65_536 * normal()) / 65_536);
    const values = Float32Array.from({ length: 200 * count }, (_, i) => {
      const warm = Math.floor(i / count) % 4 > 0 ? 285 : 245;
      const reference = references[i % count];
      const steps = Math.round((warm + 2 * normal() - reference) * 2048);
      return Math.fround(reference + steps / 2048) - 273.15;
    });
    const fields = findFieldGrid(values.subarray(0, 150 * count), shape)!;
    expect(fields.quantum).toBe(2 ** -11);
    let [own, ofFields] = [0, 0];
    const decoded = new Float32Array(count);
    for (let place = 0; place < 200; place++) {
      const block = values.subarray(place * count, (place + 1) * count);
      own += encode(block, shape).length;
      const bytes = encode(block, shape, { fields });
      ofFields += bytes.length;
      decode(bytes, shape, decoded, fields);
      expect(bitsOf(decoded)).toEqual(bitsOf(block));
    }
    expect(ofFields).toBeLessThan(0.85 * own);
  });

  it('none is found where fields have one grid, or no quantum', () => {
    const normal = normalStream(4);
    const rain = Float32Array.from({ length: 100 * count }, () => Math.max(0, Math.round(50 * normal())) / 64);
    expect(findFieldGrid(rain, shape)).toBeUndefined();
    const noise = Float32Array.from({ length: 100 * count }, () => normal());
    expect(findFieldGrid(noise, shape)).toBeUndefined();
  });
});

describe('damage', () => {
  const shape = { members: 6, days: 20 };
  const values = Float32Array.from({ length: 120 }, (_, i) => (i % 5 === 0 ? 0 : ((i * 37) % 101) / 8));

  it('every shorter or longer block is found', () => {
    const block = encode(values, shape);
    const out = new Float32Array(120);
    for (let length = 0; length < block.length; length++) {
      expect(() => decode(block.subarray(0, length), shape, out)).toThrow(FormatError);
    }
    expect(() => decode(Uint8Array.of(...block, 0), shape, out)).toThrow('a.blocks: has a block that is not valid');
    decode(block, shape, out);
    expect(out).toEqual(values);
  });

  it('says what is wrong with a block', () => {
    const block = encode(values, shape);
    const other = { members: 20, days: 6 };
    expect(() => decode(block, other, new Float32Array(120))).toThrow(
      'a.blocks: has a block of other members and days; received "6 members and 20 days"; allowed: 20 members and 6 days',
    );
    block[0] = 2;
    expect(() => decode(block, shape, new Float32Array(120))).toThrow(
      'has a block of another version; received 2; allowed: 1, or a newer release of plumecast',
    );
  });

  const mutations = fc.record({
    sparse: fc.boolean(),
    missing: fc.boolean(),
    changes: fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { minLength: 1, maxLength: 6 }),
    cut: fc.nat(40),
    members: fc.constantFrom(1, 6, 31),
  });
  holds(
    'changed blocks are decoded or rejected, and the memory holds what it did',
    1000,
    mutations,
    ({ sparse, missing, changes, cut, members }) => {
      const days = 20;
      const some = Float32Array.from({ length: members * days }, (_, i) => {
        if (missing && i % 3 === 0) return Number.NaN;
        return sparse && i % 4 !== 0 ? 0 : ((i * 37) % 101) / 8;
      });
      const block = encode(some, { members, days });
      const bytes = block.slice(0, Math.max(9, block.length - (cut > 30 ? cut - 30 : 0)));
      for (const [at, byte] of changes) {
        const place = 1 + (at % (bytes.length - 1));
        if (place < 4 || place > 7) bytes[place] = byte;
      }
      const shapeOf = { members, days };
      const out = new Float32Array(some.length);
      decode(held, heldShape, new Float32Array(heldValues.length), heldFields);
      try {
        decode(bytes, shapeOf, out);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
      // A grid of fields lies behind the values: what is written beyond these changes what it gives.
      const again = new Float32Array(heldValues.length);
      decode(held, heldShape, again, heldFields);
      expect(bitsOf(again)).toEqual(bitsOf(heldValues));
    },
  );
  const heldShape = { members: 4, days: 9 };
  const heldFields = { ...heldShape, quantum: 0.5, origin: Float64Array.from({ length: 36 }, (_, i) => i / 7) };
  const heldValues = Float32Array.from(heldFields.origin, (origin, i) => origin + (i % 5) / 2);
  const held = encode(heldValues, heldShape, { fields: heldFields });
});

describe('arguments', () => {
  it('rejects shapes, values and precisions that cannot be used', () => {
    const one = new Float32Array(6);
    const encoding =
      (members: number, days: number, options = {}) =>
      () =>
        encode(one, { members, days }, options);
    for (const [members, days] of [
      [0, 6],
      [6, 0],
      [1.5, 4],
      [70_000, 1],
      [3, 3],
    ]) {
      expect(encoding(members, days)).toThrow(OptionError);
    }
    for (const precision of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(encoding(2, 3, { precision })).toThrow('precision: cannot be used');
    }
    const block = encode(one, { members: 2, days: 3 });
    expect(() => decode(block, { members: 2, days: 3 }, new Float32Array(5))).toThrow(OptionError);
    const fields = { members: 3, days: 2, quantum: 1, origin: new Float64Array(6) };
    expect(encoding(2, 3, { fields })).toThrow('fields: cannot be used');
  });
});
