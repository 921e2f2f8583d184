import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { FormatError } from '../../../src/errors.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { isFullCheck } from '../../full-check.js';
import { Dice } from '../../fuzz/dice.js';
import { BitReader, BitWriter } from '../../reference/bit-writer.js';
import { type Coding, ccsdsSection, readCcsds, writeCcsds } from '../../reference/grib-ccsds.js';
import { type ComplexLayout, type Group, readComplex, writeComplex } from '../../reference/grib-complex.js';
import { fieldMessage, type Scale, section5, UNSCALED } from '../../reference/grib-message.js';
import { readFields } from './read-fields.js';
import { compareParts } from './read-parts.js';

let tools: GribKernels;
beforeAll(async () => {
  tools = await takeGribKernels();
});

const scales = fc.record({
  reference: fc.float({ noNaN: true, noDefaultInfinity: true, min: -Math.fround(1e9), max: Math.fround(1e9) }),
  binary: fc.integer({ min: -20, max: 20 }),
  decimal: fc.integer({ min: -9, max: 9 }),
});

/** The formula of the WMO, with the steps of ecCodes. */
function scaledNumber(number: number, { reference, binary, decimal }: Scale): number {
  let factor = 1;
  for (let i = 0; i < decimal; i++) factor /= 10;
  for (let i = 0; i > decimal; i--) factor *= 10;
  return (number * 2 ** binary + reference) * factor;
}

/** The values; those of parts are compared with them. */
async function valuesOf(points: number, packing: Uint8Array, data: Uint8Array): Promise<number[]> {
  const bytes = fieldMessage(points, packing, data);
  const access = bytesAccess(bytes, 'fields.grib2');
  const expected = await readFields(tools, bytes).then(
    ([{ values }]) => values,
    (error) => error,
  );
  for await (const field of scanMessages(access)) {
    if (field.kind === 'field') await compareParts(tools, access, field, expected, points, new Dice([points]));
  }
  if (!(expected instanceof Float64Array)) throw expected;
  return [...expected];
}

/** The values, or that a FormatError says that they cannot be read. */
async function valuesOrError(points: number, packing: Uint8Array, data: Uint8Array): Promise<number[] | 'error'> {
  try {
    return await valuesOf(points, packing, data);
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    return 'error';
  }
}

function orError<T>(read: () => T): T | 'error' {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return 'error';
  }
}

describe('simple packing (5.0)', () => {
  const packed = fc.integer({ min: 1, max: 32 }).chain((bits) =>
    fc.record({
      bits: fc.constant(bits),
      numbers: fc.array(fc.integer({ min: 0, max: 2 ** bits - 1 }), { minLength: 1, maxLength: 100 }),
      scale: scales,
    }),
  );

  it('is read to the bit as bit by bit, for 1 to 32 bits', async () => {
    await fc.assert(
      fc.asyncProperty(packed, async ({ bits, numbers, scale }) => {
        const writer = new BitWriter();
        for (const number of numbers) writer.number(number, bits);
        const data = writer.bytes();
        const reader = new BitReader(data);
        const expected = numbers.map(() => scaledNumber(reader.number(bits), scale));
        expect(await valuesOf(numbers.length, section5(0, numbers.length, scale, bits, []), data)).toEqual(expected);
      }),
    );
  });
});

describe('complex packing (5.2 and 5.3)', () => {
  const layouts = fc.record({
    missing: fc.constantFrom(0, 1, 2),
    referenceBits: fc.integer({ min: 0, max: 32 }),
    smallestWidth: fc.integer({ min: 0, max: 3 }),
    widthBits: fc.integer({ min: 5, max: 8 }),
    smallestLength: fc.integer({ min: 0, max: 3 }),
    lengthStep: fc.integer({ min: 1, max: 3 }),
    lengthBits: fc.integer({ min: 5, max: 12 }),
    order: fc.constantFrom(0, 1, 2),
    first: fc.tuple(fc.nat(200), fc.nat(200)),
    minimum: fc.integer({ min: -100, max: 100 }),
    bytes: fc.integer({ min: 1, max: 4 }),
  });
  const groupsOf = ({ referenceBits, smallestWidth, smallestLength, lengthStep }: ComplexLayout) =>
    fc.array(
      fc.tuple(fc.integer({ min: smallestWidth, max: 32 }), fc.nat(12)).chain(([width, steps]) => {
        const length = smallestLength + steps * lengthStep;
        return fc.record({
          reference: fc.oneof(fc.integer({ min: 0, max: 2 ** referenceBits - 1 }), fc.constant(2 ** referenceBits - 1)),
          width: fc.constant(width),
          numbers: fc.array(
            fc.oneof(
              fc.integer({ min: 0, max: 2 ** width - 1 }),
              fc.integer({ min: 2 ** width - 1 - Math.min(1, width), max: 2 ** width - 1 }),
            ),
            { minLength: length, maxLength: length },
          ),
        });
      }),
      { minLength: 1, maxLength: 8 },
    );
  const fields = layouts.chain((layout) =>
    fc.record({ layout: fc.constant(layout), groups: groupsOf(layout), scale: scales }),
  );
  const count = (groups: readonly Group[]) => groups.reduce((sum, { numbers }) => sum + numbers.length, 0);

  it('is read to the bit as bit by bit: orders, missing values, widths of 0 to 32 bits, groups without values', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async ({ layout, groups, scale }) => {
        fc.pre(count(groups) >= groups.length);
        const written = writeComplex(groups, layout, scale);
        const numbers = readComplex(written.section5, written.data);
        // Numbers of the twin are exact below 2^53.
        fc.pre(numbers.every((number) => number === undefined || Math.abs(number) < 2 ** 53));
        const expected = numbers.map((number) => (number === undefined ? Number.NaN : scaledNumber(number, scale)));
        expect(await valuesOf(numbers.length, written.section5, written.data)).toEqual(expected);
      }),
      { numRuns: isFullCheck ? 150 : 50 },
    );
  });

  it('is read as bit by bit, or is an error, where bytes are cut or changed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fields, changes, fc.nat(5), fc.boolean(), async ({ layout, groups }, changed, cut, inHeader) => {
        const written = writeComplex(groups, layout, UNSCALED);
        const data = written.data.slice(0, Math.max(0, written.data.length - cut));
        const section = written.section5;
        for (const [at, byte] of changed) {
          if (inHeader) section[31 + (at % (section.length - 31))] = byte;
          else if (data.length > 0) data[at % data.length] = byte;
        }
        const points = new DataView(section.buffer).getUint32(5);
        fc.pre(new DataView(section.buffer).getUint32(31) < 1000);
        const own = await valuesOrError(points, section, data);
        const twin = orError(() => readComplex(section, data));
        // The reader is stricter in what sections may say.
        if (own === 'error') return;
        fc.pre(new DataView(section.buffer).getUint32(31) > 0);
        expect(twin).not.toBe('error');
        const exact = (twin as (number | undefined)[]).every(
          (number) => number === undefined || Math.abs(number) < 2 ** 53,
        );
        if (exact) expect(own).toEqual((twin as (number | undefined)[]).map((number) => number ?? Number.NaN));
      }),
      { numRuns: isFullCheck ? 150 : 50 },
    );
  });
});

describe('CCSDS (5.42)', () => {
  const codings = fc.array(
    fc.oneof(fc.constantFrom<Coding>('plain', 'pairs', 'zeros'), fc.integer({ min: 0, max: 30 })),
    { minLength: 1, maxLength: 6 },
  );
  const layouts = fc.record({
    bits: fc.integer({ min: 1, max: 32 }),
    blockSize: fc.constantFrom(8, 16, 32, 64),
    interval: fc.constantFrom(1, 2, 5, 64, 130, 4096),
    isSigned: fc.boolean(),
    isFolded: fc.boolean(),
    isRestricted: fc.boolean(),
    isPadded: fc.boolean(),
  });
  const streams = layouts
    .map((layout) => ({ ...layout, isRestricted: layout.isRestricted && layout.bits <= 4 }))
    .chain((layout) =>
      fc.record({
        layout: fc.constant(layout),
        codings,
        numbers: runs(2 ** layout.bits - 1),
        scale: scales,
      }),
    );

  it('is read as what was coded: all codes, widths of 1 to 32 bits, block sizes, intervals and flags', async () => {
    await fc.assert(
      fc.asyncProperty(streams, async ({ layout, codings, numbers, scale }) => {
        const data = writeCcsds(numbers, layout, codings);
        expect(readCcsds(data, numbers.length, layout)).toEqual(numbers);
        const expected = numbers.map((number) => scaledNumber(number, scale));
        expect(await valuesOf(numbers.length, ccsdsSection(numbers.length, layout, scale), data)).toEqual(expected);
      }),
      { numRuns: isFullCheck ? 150 : 50 },
    );
  });

  it('is read as bit by bit, or is an error as there, where bytes are cut or changed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(streams, changes, fc.nat(20), async ({ layout, codings, numbers }, changed, cut) => {
        const bytes = writeCcsds(numbers, layout, codings);
        const data = bytes.slice(0, Math.max(0, bytes.length - cut));
        for (const [at, byte] of data.length > 0 ? changed : []) data[at % data.length] = byte;
        const own = await valuesOrError(numbers.length, ccsdsSection(numbers.length, layout, UNSCALED), data);
        expect(own).toEqual(orError(() => readCcsds(data, numbers.length, layout)));
      }),
      { numRuns: isFullCheck ? 150 : 50 },
    );
  });
});

/** Numbers of 0 to `most` as fields have them: runs of the same, small steps, and jumps. */
function runs(most: number): fc.Arbitrary<number[]> {
  const part = fc.oneof(
    fc.tuple(fc.constant('same' as const), fc.nat(400)),
    fc.tuple(fc.constant('step' as const), fc.nat(60)),
    fc.tuple(fc.constant('jump' as const), fc.nat(60)),
  );
  return fc.array(fc.tuple(part, fc.nat()), { minLength: 1, maxLength: 6 }).map((parts) => {
    const numbers: number[] = [];
    let last = 0;
    for (const [[kind, length], seed] of parts) {
      for (let i = 0; i <= length; i++) {
        const random = (seed + 1) * (i + 7) * 2654435761;
        if (kind === 'step') last = Math.min(most, Math.max(0, last + (random % 7) - 3));
        if (kind === 'jump') last = random % (most + 1);
        numbers.push(last);
      }
    }
    return numbers;
  });
}
