import fc from 'fast-check';
import { it } from 'vitest';
import { isFullCheck } from '../full-check.js';

/**
 * A test of a property on `runs` examples in a full check, else on a third of them, the same in every run; `PLUMECAST_FUZZ_RUNS` multiplies them, see
 * more-runs.ts.
 */
export function holds<T>(title: string, runs: number, examples: fc.Arbitrary<T>, check: (example: T) => void): void {
  it(title, () => {
    fc.assert(fc.property(examples, check), { numRuns: isFullCheck ? runs : Math.ceil(runs / 3), seed: 20_221_002 });
  });
}
