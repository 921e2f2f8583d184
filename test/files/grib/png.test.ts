import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { isFullCheck } from '../../full-check.js';
import { fieldMessage, section5, UNSCALED } from '../../reference/grib-message.js';
import { chunk, type PngLayout, pixelBits, writePng } from '../../reference/grib-png.js';
import { readFields } from './read-fields.js';

let tools: GribKernels;
beforeAll(async () => {
  tools = await takeGribKernels();
});

const LAYOUT: PngLayout = { width: 5, height: 3, depth: 8, colour: 0, filters: [0], chunkBytes: 9 };
const NUMBERS = Array.from({ length: 15 }, (_, i) => 7 * i);

async function valuesOf(png: Uint8Array, points: number, bits: number): Promise<number[]> {
  const [{ values }] = await readFields(tools, fieldMessage(points, section5(41, points, UNSCALED, bits, []), png));
  return [...values];
}

const kinds = fc.constantFrom<[number, number][]>([1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [8, 2], [8, 6]);
const images = fc
  .record({
    kind: kinds,
    width: fc.integer({ min: 1, max: 20 }),
    height: fc.integer({ min: 1, max: 7 }),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 }),
    chunkBytes: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ kind: [depth, colour], ...rest }) => ({ depth, colour, ...rest }))
  .chain((layout) =>
    fc.record({
      layout: fc.constant(layout),
      numbers: fc.array(fc.integer({ min: 0, max: 2 ** pixelBits(layout) - 1 }), {
        minLength: layout.width * layout.height,
        maxLength: layout.width * layout.height,
      }),
    }),
  );

describe('PNG (5.41)', () => {
  it('is read as what was written: grey of 1 to 16 bits, RGB, RGBA, all filters, any parts', async () => {
    await fc.assert(
      fc.asyncProperty(images, async ({ layout, numbers }) => {
        const found = await valuesOf(writePng(numbers, layout), numbers.length, pixelBits(layout));
        expect(found).toEqual(numbers);
      }),
      { numRuns: isFullCheck ? 300 : 100 },
    );
  });

  it.each<[string, Uint8Array, string]>([
    ['interlaced', writePng(NUMBERS, { ...LAYOUT, interlace: 1 }), 'has an interlaced PNG image'],
    ['of a palette', palette(), 'has a PNG image of a kind that is not read'],
    ['with another number of pixels', writePng(NUMBERS, { ...LAYOUT, height: 2 }), 'another number of pixels'],
    ['with too few bits', writePng(NUMBERS, { ...LAYOUT, depth: 4 }), 'fewer bits than the numbers of section 5'],
    ['with an unknown filter', writePng(NUMBERS, { ...LAYOUT, filters: [5] }), 'an unknown filter, 5'],
    ['cut', writePng(NUMBERS, LAYOUT).slice(0, -4), 'ends within a chunk'],
    ['without its end', writePng(NUMBERS, LAYOUT).slice(0, -12), 'ends within a chunk'],
    ['of other bytes', new Uint8Array(50), 'does not begin with a PNG image'],
    ['with a changed number', changed(), 'a wrong checksum in chunk "IDAT"'],
    ['with too few rows', withData([5, 5]), 'has a PNG image with too few rows'],
    ['with too many rows', withData(NUMBERS), 'has a PNG image with damaged rows'],
    ['with a wrong checksum of its rows', withData([5, 5, 5], 1), 'has a PNG image with damaged rows'],
  ])('an image %s is an error', async (_, png, problem) => {
    await expect(valuesOf(png, 15, 8)).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringMatching(new RegExp(`message 1 at byte 0, section 7: .*${problem}`)),
    });
  });
});

/** An image whose colours are in a table. */
function palette(): Uint8Array {
  const png = writePng(NUMBERS, LAYOUT);
  const header = chunk('IHDR', [0, 0, 0, 5, 0, 0, 0, 3, 8, 3, 0, 0, 0]);
  png.set(header, 8);
  return png;
}

function changed(): Uint8Array {
  const png = writePng(NUMBERS, { ...LAYOUT, chunkBytes: 1000 });
  png[png.length - 25] ^= 1;
  return png;
}

/** An image of a row of 15 pixels, with other rows of 4 numbers each. */
function withData(numbers: readonly number[], change = 0): Uint8Array {
  const other = writePng(
    numbers.flatMap((number) => [number, number, number, number]),
    { ...LAYOUT, width: 4, height: numbers.length, chunkBytes: 1000 },
  );
  const bytes = other.slice();
  bytes.set(chunk('IHDR', [0, 0, 0, 15, 0, 0, 0, 1, 8, 0, 0, 0, 0]), 8);
  const data = bytes.length - 12 - 4 - (2 + 5 + 5 * numbers.length + 4);
  const content = bytes.slice(data, -16);
  content[content.length - 1] ^= change;
  bytes.set(chunk('IDAT', content), data - 8);
  return bytes;
}
