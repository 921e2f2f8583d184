import { beforeAll, describe, expect, it } from 'vitest';
import { loadSkill, type Skill, scoreEvent, Verification, verificationScores } from '../../src/skill/index.js';
import { randomValues } from './random-cases.js';

let skill: Skill;
beforeAll(async () => {
  skill = await loadSkill();
});

/** Few different values, so that some are equal to limits; a share of them is missing. */
function sample(members: number, length: number, missing: number) {
  const random = randomValues(members);
  const value = () => (random() < missing ? Number.NaN : Math.round(8 * random()) / 2);
  return {
    members: Array.from({ length: members }, () => new Float64Array(length).map(value)),
    observations: new Float64Array(length).map(value),
  };
}

const HOLDS: Readonly<Record<string, (x: number, limit: number) => boolean>> = {
  '>2': (x) => x > 2,
  '<=2': (x) => x <= 2,
  '1..2.5': (x) => x >= 1 && x <= 2.5,
  '>q90': (x, limit) => x > limit,
};

describe.each(Object.keys(HOLDS))('Brier scores of %s', (condition) => {
  it.each([1, 2, 9, 31])('are those of plain loops for %i members', (members) => {
    const cases = sample(members, 203, 0.1);
    const limits = Float64Array.from(cases.observations, (_, i) => i % 4);
    const scores = scoreEvent(skill, cases, condition, new Map([[0.9, limits]]));
    for (let i = 0; i < limits.length; i++) {
      const list = cases.members.map((values) => values[i]).filter((x) => !Number.isNaN(x));
      const k = list.filter((x) => HOLDS[condition](x, limits[i])).length;
      const y = cases.observations[i];
      expect([scores.members[i], scores.holds[i]]).toEqual([list.length, k]);
      const o = Number.isNaN(y) ? Number.NaN : Number(HOLDS[condition](y, limits[i]));
      const n = list.length;
      const brier = n === 0 ? Number.NaN : (k / n - o) ** 2;
      const fair = n > 1 ? brier - (k * (n - k)) / (n * n * (n - 1)) : Number.NaN;
      for (const [found, expected] of [
        [scores.brier[i], brier],
        [scores.fairBrier[i], fair],
      ]) {
        if (Number.isNaN(expected)) expect(found).toBeNaN();
        else expect(found).toBeCloseTo(expected, 14);
      }
    }
  });
});

it('their means are the scores of a verification', () => {
  const cases = sample(31, 500, 0);
  const verification = new Verification(skill, { conditions: ['>2'] });
  verification.add(cases);
  const [{ scores }] = verificationScores(verification);
  const each = scoreEvent(skill, cases, '>2');
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const of = (name: string) => scores.find(({ score, of: event }) => score === name && event === '>2')?.value;
  expect(mean(each.brier)).toBeCloseTo(of('brier') as number, 13);
  expect(mean(each.fairBrier)).toBeCloseTo(of('fair_brier') as number, 13);
});

it('what cannot be used is an error with a name', () => {
  const cases = sample(3, 4, 0);
  expect(() => scoreEvent(skill, cases, '>q90')).toThrow('climate: has no quantile 0.9');
  expect(() => scoreEvent(skill, cases, '>2 given rain > 1')).toThrow('condition');
  expect(() => scoreEvent(skill, cases, '>2', new Map([[0.9, new Float64Array(3)]]))).toThrow('climate, 0.9');
});
