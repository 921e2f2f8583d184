import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { FormatError, OptionError } from '../../../src/errors.js';
import { type BlockCodec, openBlockCodec, readBlockHead } from '../../../src/service/blocks/block-codec.js';
import { BlockEncoder } from '../../../src/service/blocks/encode-block.js';
import { fieldGridBytes, findFieldGrid, readFieldGrid } from '../../../src/service/blocks/field-grid.js';
import { holds } from '../../property/fuzz.js';
import { normalStream } from '../../reference/autoregressive.js';
import { decodeBlock } from '../../reference/decode-block.js';

let core: Core;
let codec: BlockCodec;
beforeAll(async () => {
  core = await loadCore();
  codec = await openBlockCodec(core);
});

const bitsOf = (values: Float32Array) => new Uint32Array(values.buffer, values.byteOffset, values.length);
const floats = (bits: readonly number[]) => new Float32Array(Uint32Array.from(bits).buffer);

/** Encodes and decodes, compares with the twin, and returns the block and its values. */
function roundTrip(values: Float32Array, members: number, options = {}) {
  const shape = { members, days: values.length / members };
  const block = codec.encode(values, shape, options);
  const decoded = new Float32Array(values.length);
  codec.decode(block, shape, decoded);
  expect(bitsOf(decodeBlock(block))).toEqual(bitsOf(decoded));
  return { block, decoded };
}

function expectExact(values: Float32Array, members: number): Uint8Array {
  const { block, decoded } = roundTrip(values, members);
  expect(bitsOf(decoded)).toEqual(bitsOf(values));
  return block;
}

const shapes = fc.record({ members: fc.integer({ min: 1, max: 40 }), days: fc.integer({ min: 1, max: 70 }) });
const NAN = 0x7fc00000;
/** Any pattern of bits, and those at the edges more often. */
const patterns = fc.oneof(
  fc.nat(0xffffffff),
  fc.constantFrom(0, 0x80000000, NAN, 0x7f800000, 0xff800000, 0xffffffff, 0x7f800001, 1, 0x80000001, 0x7f7fffff),
);
/** Blocks of values that are mostly of one kind. */
const blocks = shapes.chain(({ members, days }) =>
  fc
    .oneof(
      fc.array(patterns, { minLength: members * days, maxLength: members * days }).map(floats),
      fc
        .record({
          quantum: fc.constantFrom(0.01, 0.1, 2 ** -10, 2 ** -9 / 8, 1 / 3, 1, 1e-4 * 86_400),
          origin: fc.constantFrom(0, -273.15, 0.123456),
          span: fc.constantFrom(0, 1, 5, 300, 100_000),
          zeros: fc.constantFrom(0, 0.3, 0.97),
          others: fc.constantFrom(0, 0.01, 0.5),
          seed: fc.nat(1000),
          other: patterns,
        })
        .map(({ quantum, origin, span, zeros, others, seed, other }) => {
          const normal = normalStream(seed);
          const below = (share: number) => Math.abs(normal()) % 1 < share;
          const [odd] = floats([other]);
          return Float32Array.from({ length: members * days }, () => {
            if (below(others)) return odd;
            return below(zeros) ? 0 : origin + quantum * Math.round(span * normal());
          });
        }),
    )
    .map((values) => ({ members, values })),
);

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

  it('the head says members, days, and the precision where values were rounded', () => {
    const shape = { members: 3, days: 5 };
    const values = Float32Array.from({ length: 15 }, (_, i) => Math.sqrt(i));
    expect(readBlockHead(codec.encode(values, shape))).toEqual(shape);
    const rounded = codec.encode(values, shape, { precision: 0.05 });
    expect(readBlockHead(rounded)).toEqual({ ...shape, precision: 0.05 });
    for (const length of [0, 12, 30]) expect(() => readBlockHead(rounded.subarray(0, length))).toThrow('is not valid');
    rounded[4] = 9;
    expect(() => readBlockHead(rounded)).toThrow('has another version; received 9; allowed: 1');
  });

  it('a constant block takes 17 bytes, whatever the constant', () => {
    for (const bits of [0, 0x80000000, NAN, 0x7fc12345, 0x7f800000]) {
      expect(expectExact(floats(new Array(31 * 15).fill(bits)), 31)).toHaveLength(17);
    }
  });

  it('noise takes the bytes of float32 and 13 more at most', () => {
    const normal = normalStream(1);
    const values = Float32Array.from({ length: 31 * 15 }, () => normal() * 10 ** (10 * normal()));
    expect(expectExact(values, 31).length).toBeLessThanOrEqual(13 + values.byteLength);
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

  it('values without a grid are encoded exactly, and after them a grid is found again', () => {
    const own = new BlockEncoder();
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

  it('decodes into the memory of the core at any address of a float32', () => {
    const values = Float32Array.from({ length: 7 * 9 }, (_, i) => i / 8);
    const shape = { members: 7, days: 9 };
    const block = codec.encode(values, shape);
    const mark = core.memory.mark();
    const address = core.memory.allocate(4 * values.length + 16);
    for (const at of [address, address + 4, address + 12]) {
      const around = core.memory.float32(address, values.length + 4).fill(-7);
      codec.decode(block, shape, core.memory.float32(at, values.length));
      const from = (at - address) / 4;
      expect([...around.subarray(from, from + values.length)]).toEqual([...values]);
      expect(around.subarray(0, from).every((value) => value === -7)).toBe(true);
      expect(around.subarray(from + values.length).every((value) => value === -7)).toBe(true);
    }
    core.memory.release(mark);
  });

  it('the module has no data of its own in the memory of the core', async () => {
    const fresh = await loadCore();
    const before = fresh.memory.bytes(0, fresh.memory.mark()).slice();
    const own = await openBlockCodec(fresh);
    own.decode(
      own.encode(Float32Array.of(1, 2), { members: 1, days: 2 }),
      { members: 1, days: 2 },
      new Float32Array(2),
    );
    expect(fresh.memory.bytes(0, before.length)).toEqual(before);
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
      const fields = codec.hold(grid!);
      const decoded = new Float32Array(count);
      for (let place = 0; place < 200; place++) {
        const block = values.subarray(place * count, (place + 1) * count);
        const own = codec.encode(block, shape);
        const bytes = codec.encode(block, shape, { fields });
        codec.decode(bytes, shape, decoded, fields);
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
    const fields = codec.hold(grid!);
    const near = Float32Array.from({ length: count }, (_, i) => {
      const origin = grid!.origin[i];
      return origin + grid!.quantum * ((i % 3) - 1);
    });
    const block = codec.encode(near, shape, { fields });
    expect(new DataView(block.buffer).getUint16(24, true)).toBe(0);
  });

  it('a block is not decoded with the grid of other fields, or without one', () => {
    const values = places(2 ** -8);
    const fields = codec.hold(findFieldGrid(values, shape)!);
    const others = codec.hold({ ...fields.grid, quantum: 2 * fields.grid.quantum });
    const bytes = codec.encode(values.subarray(0, count), shape, { fields });
    const problem = 'needs the grid of fields that it was encoded with';
    expect(() => codec.decode(bytes, shape, new Float32Array(count))).toThrow(problem);
    expect(() => codec.decode(bytes, shape, new Float32Array(count), others)).toThrow(problem);
  });

  it('a grid comes back from its bytes, and blocks are decoded with it', () => {
    const values = places(2 ** -8);
    const fields = codec.hold(findFieldGrid(values, shape)!);
    const bytes = fieldGridBytes(fields.grid);
    const read = readFieldGrid(bytes, shape);
    expect(read).toEqual(fields.grid);
    const decoded = new Float32Array(count);
    codec.decode(codec.encode(values.subarray(0, count), shape, { fields }), shape, decoded, codec.hold(read));
    expect(bitsOf(decoded)).toEqual(bitsOf(values.subarray(0, count)));
    expect(() => readFieldGrid(bytes.subarray(8), shape)).toThrow('grid of fields: has another size');
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

  it('every flipped bit is found', () => {
    const block = codec.encode(values, shape);
    const out = new Float32Array(120);
    for (let bit = 0; bit < 8 * block.length; bit++) {
      block[bit >> 3] ^= 1 << (bit & 7);
      expect(() => codec.decode(block, shape, out)).toThrow(FormatError);
      block[bit >> 3] ^= 1 << (bit & 7);
    }
    codec.decode(block, shape, out);
  });

  it('every shorter or longer block is found', () => {
    const block = codec.encode(values, shape);
    for (let length = 0; length < block.length; length++) {
      expect(() => codec.decode(block.subarray(0, length), shape, new Float32Array(120))).toThrow(FormatError);
    }
    expect(() => codec.decode(Uint8Array.of(...block, 0), shape, new Float32Array(120))).toThrow('is damaged');
  });

  it('says what is wrong with a block', () => {
    const block = codec.encode(values, shape);
    const decode =
      (bytes: Uint8Array, other = shape) =>
      () =>
        codec.decode(bytes, other, new Float32Array(other.members * other.days));
    expect(decode(block, { members: 20, days: 6 })).toThrow(
      'block of values: has other members and days; received 6, 20; allowed: 20 members and 6 days',
    );
    expect(decode(Uint8Array.of(0, 0, 0, 0, ...block.subarray(4)))).toThrow('its checksum does not match');
    expect(decode(signed(block.map((byte, i) => (i === 4 ? 2 : byte))))).toThrow('has another version; received 2');
    expect(decode(signed(block.subarray(0, block.length - 1)))).toThrow('is not valid');
  });

  /** With its checksum, so that only the kernel's checks are left. */
  function signed(block: Uint8Array): Uint8Array {
    const bytes = block.slice();
    const address = core.memory.scratch(bytes.length);
    core.memory.bytes(address, bytes.length).set(bytes);
    const view = new DataView(bytes.buffer);
    const checksum = kernels.blockChecksum(address + 4, bytes.length - 4);
    core.memory.release(address);
    view.setUint32(0, checksum >>> 0, true);
    return bytes;
  }
  let kernels: { blockChecksum(bytes: number, length: number): number };
  beforeAll(async () => {
    const { loadStoreKernels } = await import('../../../src/core/store-kernels.js');
    kernels = await loadStoreKernels(core);
  });

  const mutations = fc.record({
    sparse: fc.boolean(),
    missing: fc.boolean(),
    changes: fc.array(fc.tuple(fc.nat(1000), fc.nat(255)), { minLength: 1, maxLength: 6 }),
    cut: fc.nat(40),
    members: fc.constantFrom(1, 6, 31),
  });
  holds(
    'blocks whose checksum is right, but nothing else, are decoded or rejected, and write nothing beside the values',
    1000,
    mutations,
    ({ sparse, missing, changes, cut, members }) => {
      const days = 20;
      const some = Float32Array.from({ length: members * days }, (_, i) => {
        if (missing && i % 3 === 0) return Number.NaN;
        return sparse && i % 4 !== 0 ? 0 : ((i * 37) % 101) / 8;
      });
      const block = codec.encode(some, { members, days });
      const bytes = block.slice(0, Math.max(14, block.length - (cut > 30 ? cut - 30 : 0)));
      for (const [at, byte] of changes) {
        const place = 5 + (at % (bytes.length - 5));
        if (place < 8 || place > 11) bytes[place] = byte;
      }
      const mark = core.memory.mark();
      const address = core.memory.allocate(4 * some.length + 128);
      core.memory.bytes(address, 4 * some.length + 128).fill(0xaa);
      const into = core.memory.float32(address + 64, some.length);
      try {
        codec.decode(signed(bytes), { members, days }, into);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
      const around = core.memory.bytes(address, 4 * some.length + 128);
      expect(around.subarray(0, 64).every((byte) => byte === 0xaa)).toBe(true);
      expect(around.subarray(64 + 4 * some.length).every((byte) => byte === 0xaa)).toBe(true);
      core.memory.release(mark);
    },
  );
});

describe('arguments', () => {
  it('rejects shapes, values and precisions that cannot be used', () => {
    const one = new Float32Array(6);
    const encode =
      (members: number, days: number, options = {}) =>
      () =>
        codec.encode(one, { members, days }, options);
    for (const [members, days] of [
      [0, 6],
      [6, 0],
      [1.5, 4],
      [70_000, 1],
      [3, 3],
    ]) {
      expect(encode(members, days)).toThrow(OptionError);
    }
    for (const precision of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(encode(2, 3, { precision })).toThrow('precision: cannot be used');
    }
    const block = codec.encode(one, { members: 2, days: 3 });
    expect(() => codec.decode(block, { members: 2, days: 3 }, new Float32Array(5))).toThrow(OptionError);
  });
});
