import { beforeAll, describe, expect, it } from 'vitest';
import { loadSkill, type Skill, scoreCases } from '../../src/skill/index.js';
import { casesOf } from '../full-check.js';
import { crps, crpsByIntegral, moments, rank } from '../reference/scores.js';
import { randomValues } from './random-cases.js';

let skill: Skill;
beforeAll(async () => {
  skill = await loadSkill();
});

const near = (a: number, b: number) => Object.is(a, b) || Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(b));

describe.each([Float32Array, Float64Array])('scores of cases in %o', (Type) => {
  it.each(casesOf([1, 2, 3, 7, 31, 51, 52, 101, 120], [0, 1, 2, 3, 5, 6, 7]))(
    'are those of the slow twins for %i members',
    (members) => {
      const random = randomValues(members);
      for (const missing of [0, 0.02, 0.5]) {
        for (const length of [1, 2, 5, 67]) {
          // Few different values, so that members are equal to each other and to observations.
          const value = () => (random() < missing ? Number.NaN : Math.fround(Math.round(60 * random()) / 8 + 270));
          const arrays = Array.from({ length: members }, () => new Type(length).map(value));
          const observations = Float64Array.from({ length }, value);
          const scores = scoreCases(skill, { members: arrays, observations });
          for (let i = 0; i < length; i++) {
            const list = arrays.map((values) => values[i]);
            const y = observations[i];
            const count = list.filter((x) => !Number.isNaN(x)).length;
            expect(scores.members[i]).toBe(count);
            const own = moments(list, y);
            // The spread is wanted beside the error.
            if (Number.isNaN(y)) own.variance = y;
            const expected = { ...own, ...rank(list, y), crps: crps(list, y), fairCrps: crps(list, y, true) };
            for (const name of ['crps', 'fairCrps', 'mean', 'error', 'variance', 'below', 'equal'] as const) {
              const twin = expected[name];
              // One member, or none, has no variance.
              if (Number.isNaN(twin)) expect(scores[name]?.[i], name).toBeNaN();
              else expect(near(scores[name]?.[i] as number, twin), `${name} ${scores[name]?.[i]} ${twin}`).toBe(true);
            }
            if (count > 0 && !Number.isNaN(y)) expect(scores.crps?.[i]).toBeCloseTo(crpsByIntegral(list, y), 11);
          }
        }
      }
    },
  );

  it('are the same to the bit in any order of members, of cases, and in blocks of any length', () => {
    const random = randomValues(5);
    const length = 5000;
    const members = Array.from({ length: 31 }, () => new Type(length).map(() => 280 + 10 * random()));
    const observations = Float64Array.from({ length }, () => 280 + 10 * random());
    const all = scoreCases(skill, { members, observations });
    const turned = scoreCases(skill, { members: [...members].reverse(), observations });
    const [from, to] = [1001, 1004];
    const some = scoreCases(skill, {
      members: members.map((values) => values.subarray(from, to)),
      observations: observations.subarray(from, to),
    });
    for (const name of ['crps', 'fairCrps', 'mean', 'error', 'variance', 'below', 'equal'] as const) {
      expect(turned[name]).toEqual(all[name]);
      expect(some[name]).toEqual(all[name]?.subarray(from, to));
    }
  });
});

it('a case with a missing member has the scores of the others, to the bit', () => {
  const random = randomValues(6);
  const members = Array.from({ length: 31 }, () => Float64Array.from({ length: 2 }, random));
  const observations = Float64Array.from({ length: 2 }, random);
  const others = scoreCases(skill, { members: members.slice(1), observations });
  members[0].fill(Number.NaN);
  expect(scoreCases(skill, { members, observations })).toEqual(others);
});

it('computes only what is wanted', () => {
  const cases = { members: [Float64Array.of(1), Float64Array.of(4)], observations: Float64Array.of(2) };
  expect(scoreCases(skill, cases, ['ranks'])).toEqual({
    members: Int32Array.of(2),
    below: Int32Array.of(1),
    equal: Int32Array.of(0),
  });
  expect(scoreCases(skill, cases, ['crps']).crps).toEqual(Float64Array.of(1.5 - 0.75));
});

it('refuses what does not fit, and infinite values', () => {
  const observations = Float64Array.of(1, 2);
  const members = [Float64Array.of(1, 2)];
  expect(() => scoreCases({} as Skill, { members, observations })).toThrow(/skill: cannot be used/);
  expect(() => scoreCases(skill, { members: [], observations })).toThrow(/members: cannot be used/);
  expect(() => scoreCases(skill, { members: [Float64Array.of(1)], observations })).toThrow(/1; allowed: 2 values/);
  expect(() => scoreCases(skill, { members: [...members, Float32Array.of(1, 2)], observations })).toThrow(
    /members\[1\]: cannot be used/,
  );
  expect(() => scoreCases(skill, { members, observations: [1, 2] as never })).toThrow(/observations: cannot be used/);
  expect(() => scoreCases(skill, { members: [Float64Array.of(1, Infinity)], observations })).toThrow(
    /members\[0\]\[1\]: is infinite/,
  );
  expect(() => scoreCases(skill, { members, observations: Float64Array.of(-Infinity, 2) })).toThrow(
    /observations\[0\]/,
  );
  expect(() => scoreCases(skill, { members, observations }, ['x'] as never)).toThrow(/only: is no score/);
});
