import fc from 'fast-check';
import { it } from 'vitest';

/**
 * A test of a property on `runs` examples, the same in every run; `PLUMECAST_FUZZ_RUNS` multiplies them, see
 * more-runs.ts.
 */
export function holds<T>(title: string, runs: number, examples: fc.Arbitrary<T>, check: (example: T) => void): void {
  it(title, () => {
    fc.assert(fc.property(examples, check), { numRuns: runs, seed: 20_221_002 });
  });
}
