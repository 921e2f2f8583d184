import { expect, it } from 'vitest';
import { isPlumecastError } from '../../../src/errors.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { isFullCheck } from '../../full-check.js';
import { Dice } from '../../fuzz/dice.js';
import { Digest } from '../../fuzz/digest.js';
import { addFields } from '../../fuzz/grib-door.js';
import { gribSamples } from '../../fuzz/grib-samples.js';
import { gribSeeds } from '../../fuzz/grib-seeds.js';
import { mutateBytes } from '../../fuzz/mutate-bytes.js';
import { GRIB_MUTATORS } from '../../fuzz/mutate-grib.js';

const CASES = isFullCheck ? 1_000_000 : 600;
/** Larger fields are left out: their callers make arrays for them. */
const MAX_POINTS = 10_000;

it(`${CASES} mutations of files give values or errors of plumecast`, { timeout: 3_600_000 }, async () => {
  const seeds = [...gribSeeds().values(), ...(await gribSamples()).values()];
  let results = 0;
  for (let index = 0; index < CASES; index++) {
    const dice = new Dice([18, index]);
    const bytes = mutateBytes(dice.pick(seeds), dice, dice.pick(seeds), GRIB_MUTATORS);
    try {
      await addFields(new Digest(), bytesAccess(bytes, 'mutated.grib2'), MAX_POINTS);
      results++;
    } catch (error) {
      if (!isPlumecastError(error) || error.tag === 'core') throw new Error(`case ${index}`, { cause: error });
    }
  }
  expect(results).toBeGreaterThan(CASES / 5);
  expect(results).toBeLessThan((CASES * 4) / 5);
});
