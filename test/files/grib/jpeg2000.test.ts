import { beforeAll, describe, expect, it } from 'vitest';
import { type GribKernels, takeGribKernels } from '../../../src/core/grib-kernels.js';
import { isFullCheck } from '../../full-check.js';
import { Dice } from '../../fuzz/dice.js';
import { CODESTREAM_PLACES, codestream } from '../../reference/grib-jpeg2000.js';
import { fieldMessage, section5, UNSCALED } from '../../reference/grib-message.js';
import { readFields } from './read-fields.js';

const { width, height, tileWidth, components, sample, layers } = CODESTREAM_PLACES;
const NUMBERS = Array.from({ length: 200 }, (_, i) =>
  i === 0 ? 0 : i === 199 ? 255 : Math.round(100 + 90 * Math.sin(i / 9)) + (i % 3),
);

let tools: GribKernels;
beforeAll(async () => {
  tools = await takeGribKernels();
});

async function valuesOf(stream: Uint8Array, points = 200, bits = 8): Promise<number[]> {
  const packing = section5(40, points, UNSCALED, bits, [0, 255]);
  const [{ values }] = await readFields(tools, fieldMessage(points, packing, stream));
  return [...values];
}

/** The codestream with other bytes from `at` on. */
function changed(at: number, ...bytes: number[]): Uint8Array {
  const stream = codestream();
  stream.set(bytes, at);
  return stream;
}

describe('JPEG 2000 (5.40)', () => {
  it('is read as what was coded', async () => {
    expect(await valuesOf(codestream())).toEqual(NUMBERS);
  });

  it.each<[string, Uint8Array, string]>([
    ['of other bytes', new Uint8Array(50), 'does not begin with a codestream'],
    ['in a file of JP2', new Uint8Array([0, 0, 0, 12, 106, 80, 32, 32]), 'does not begin with a codestream'],
    ['with another number of pixels', changed(height, 0, 0, 0, 11), 'another number of pixels'],
    ['of several components', changed(components, 0, 3), 'of several components'],
    ['of signed numbers', changed(sample, 0x87), 'of numbers with a sign'],
    ['of too few bits', changed(sample, 6), 'fewer bits than the numbers of section 5'],
    ['of 17 bits', changed(sample, 16), 'of more bits than are read'],
    ['that is too wide', changed(width, 0, 1, 0, 0), 'larger than is read'],
    ['with tiles of no size', changed(tileWidth, 0, 0, 0, 0), 'with tiles of no size'],
    ['with its end cut off', codestream().slice(0, -1), 'cut or damaged'],
    ['that is cut within its header', codestream().slice(0, 90), 'cut or damaged'],
    ['with 65,535 layers of small precincts', manyPackets(), 'more packets'],
  ])('an image %s is an error', async (_, stream, problem) => {
    await expect(valuesOf(stream)).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringMatching(new RegExp(`message 1 at byte 0, section 7: .*${problem}`)),
    });
  });

  it('an image of more points than OpenJPEG may have memory for is an error', async () => {
    const points = 2 ** 27;
    const stream = changed(width, 0, 0, 128, 0, 0, 0, 16, 0, ...new Array(8).fill(0), 0, 0, 128, 0, 0, 0, 16, 0);
    await expect(valuesOf(stream, points)).rejects.toMatchObject({ problem: expect.stringContaining('more points') });
  });

  it('what OpenJPEG does not decode is an error, and the next image is read', async () => {
    let errors = 0;
    for (let index = 0; index < (isFullCheck ? 300 : 30); index++) {
      const dice = new Dice([40, index]);
      const stream = codestream();
      for (let change = dice.between(1, 4); change > 0; change--) stream[dice.below(stream.length)] = dice.below(256);
      const problem = await valuesOf(stream).then(
        () => undefined,
        (error: { tag: string }) => error.tag,
      );
      expect(problem ?? 'format').toBe('format');
      if (problem !== undefined) errors++;
    }
    expect(errors).toBeGreaterThan(3);
    expect(await valuesOf(codestream())).toEqual(NUMBERS);
  });
});

/** A codestream that says that it has many layers, and precincts of one sample. */
function manyPackets(): Uint8Array {
  const stream = codestream();
  const coding = layers - 6;
  const segment = stream.slice(coding, coding + 14);
  new DataView(segment.buffer).setUint16(2, 12 + 4);
  segment[4] |= 1;
  new DataView(segment.buffer).setUint16(6, 65_535);
  return new Uint8Array([...stream.slice(0, coding), ...segment, 0, 0, 0, 0, ...stream.slice(coding + 14)]);
}
