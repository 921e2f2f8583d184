import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { takeGribKernels } from '../../../src/core/grib-kernels.js';
import { isFullCheck } from '../../full-check.js';
import { Dice } from '../../fuzz/dice.js';
import { type Coding, ccsdsSection, writeCcsds } from '../../reference/grib-ccsds.js';
import { writeComplex } from '../../reference/grib-complex.js';
import { fieldMessage, joined, type Scale } from '../../reference/grib-message.js';
import { expectSame, hasEcCodes, readFiles } from './ec-codes.js';
import { readFields } from './read-fields.js';

/**
 * Messages that ecCodes does not write, and reads: padded intervals of CCSDS, codes that libaec does not choose, any
 * groups.
 */
const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-own-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MESSAGES = isFullCheck ? 400 : 100;

function scaleOf(dice: Dice): Scale {
  return { reference: dice.below(1000) - 500, binary: dice.between(-9, 9), decimal: dice.between(-3, 5) };
}

function ccsdsMessage(dice: Dice): Uint8Array {
  const bits = dice.between(1, 32);
  const layout = {
    ...{ bits, blockSize: dice.pick([8, 16, 32, 64]), interval: dice.pick([1, 2, 9, 100]) },
    ...{ isSigned: bits % 8 === 0 && bits !== 24 && dice.chance(0.5), isFolded: dice.chance(0.8) },
    ...{ isRestricted: bits <= 4 && dice.chance(0.5), isPadded: dice.chance(0.5) },
  };
  const codings = Array.from({ length: 4 }, () => dice.pick<Coding>(['plain', 'pairs', 'zeros', dice.below(29)]));
  let last = 0;
  const numbers = Array.from({ length: dice.between(1, 900) }, () => {
    if (dice.chance(0.2)) last = Math.min(2 ** bits - 1, Math.max(0, last + dice.between(-3, 3)));
    if (dice.chance(0.01)) last = dice.below(2 ** bits);
    return last;
  });
  const section = ccsdsSection(numbers.length, layout, scaleOf(dice));
  // libaec counts on blocks that are not much longer than their numbers are.
  return fieldMessage(numbers.length, section, writeCcsds(numbers, layout, codings, 4));
}

function complexMessage(dice: Dice): Uint8Array {
  // ecCodes shifts by all bits of an int where numbers have 32, and takes fields without bits per value for constant.
  const referenceBits = dice.between(1, 20);
  const [smallestWidth, smallestLength, lengthStep] = [dice.below(3), dice.between(1, 9), dice.between(1, 4)];
  const groups = Array.from({ length: dice.between(1, 30) }, () => {
    const width = smallestWidth + dice.below(20);
    const numbers = Array.from({ length: smallestLength + lengthStep * dice.below(20) }, () =>
      dice.chance(0.1) ? 2 ** width - 1 : dice.below(2 ** width),
    );
    return { reference: dice.chance(0.1) ? 2 ** referenceBits - 1 : dice.below(2 ** referenceBits), width, numbers };
  });
  const layout = {
    ...{
      missing: dice.below(3),
      referenceBits,
      smallestWidth,
      widthBits: 5,
      smallestLength,
      lengthStep,
      lengthBits: 7,
    },
    ...{ order: dice.below(3), first: [dice.below(200), dice.below(200)], minimum: dice.between(-100, 100) },
    ...{ bytes: dice.between(1, 4) },
  };
  const { section5, data } = writeComplex(groups, layout, scaleOf(dice));
  const points = groups.reduce((sum, { numbers }) => sum + numbers.length, 0);
  return fieldMessage(points, section5, data);
}

describe.skipIf(!hasEcCodes)('messages that ecCodes does not write are read as ecCodes reads them', () => {
  it.each([
    ['ccsds', ccsdsMessage],
    ['complex', complexMessage],
  ])('%s', async (name, write) => {
    const file = join(folder, `${name}.grib2`);
    writeFileSync(file, joined(...Array.from({ length: MESSAGES }, (_, i) => write(new Dice([i])))));
    expectSame(await readFields(await takeGribKernels(), file), readFiles([file])[0]);
  });
});
