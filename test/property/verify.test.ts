import { describe, expect, it } from 'vitest';
import { loadSkill, Verification, verificationScores } from '../../src/skill/index.js';
import { normal, randomValues } from '../skill/random-cases.js';

const CASES = 4000;
const MEMBERS = 21;

/** Scores that are least, in expectation, for the distribution that observations come from. */
const PROPER = ['fair_crps', 'quantile_score', 'fair_brier', 'fair_rps'];

/** Forecasts with an error of mean and spread, against the distribution that observations are drawn from. */
async function skillOf(seed: number, { bias, spread }: { readonly bias: number; readonly spread: number }) {
  const random = randomValues(seed);
  const signal = Float64Array.from({ length: CASES }, () => 3 * normal(random));
  const draw = (b: number, s: number) => signal.map((mean) => mean + b + s * normal(random));
  const observations = draw(0, 1);
  const ensemble = (b: number, s: number) => Array.from({ length: MEMBERS }, () => draw(b, s));
  const constant = (value: number) => new Float64Array(CASES).fill(value);
  const skill = await loadSkill();
  const verification = new Verification(skill, { conditions: ['>2'], categories: 3, quantiles: [0.2, 0.8] });
  verification.add({
    members: ensemble(bias, spread),
    reference: ensemble(0, 1),
    observations,
    climate: new Map([
      [1 / 3, constant(-1.36)],
      [2 / 3, constant(1.36)],
    ]),
  });
  return verificationScores(verification)[0].scores.filter(({ forecast }) => forecast === 'skill');
}

describe('the distribution that observations come from wins each proper score', () => {
  it.each([
    { bias: 0.7, spread: 1 },
    { bias: -0.7, spread: 1 },
    { bias: 0, spread: 0.4 },
    { bias: 0, spread: 2 },
    { bias: 0.5, spread: 1.6 },
  ])('against one with a bias of $bias and a spread of $spread', async (wrong) => {
    for (const seed of [1, 2, 3]) {
      const scores = await skillOf(seed, wrong);
      for (const name of PROPER) {
        const found = scores.filter(
          ({ score, of }) =>
            score === `${name}_skill` && (of === undefined || of === '>2' || of.startsWith('quantile')),
        );
        expect(found.length).toBeGreaterThan(0);
        for (const { score, of, value } of found) expect(value, `${score} of ${of}, seed ${seed}`).toBeLessThan(0);
      }
    }
  });
});
