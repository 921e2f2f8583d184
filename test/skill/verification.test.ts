import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  loadSkill,
  readVerification,
  type Skill,
  scoreCases,
  Verification,
  type VerifiedCases,
  verificationScores,
  verificationState,
} from '../../src/skill/index.js';
import { stateJson } from '../../src/skill/state.js';
import { coverageOf } from './autoregressive-world.js';
import { normal, randomValues } from './random-cases.js';

let skill: Skill;
beforeAll(async () => {
  skill = await loadSkill();
});

const OPTIONS = { conditions: ['>2', '-1..1', '>q90'], categories: 3, quantiles: [0.1, 0.5], decomposition: true };

/** Cases of several groups and blocks, with missing values and members that are equal. */
function someCases(seed: number, length: number, members = 5): VerifiedCases {
  const random = randomValues(seed + 1);
  const values = (missing: number) =>
    Float64Array.from({ length }, () => (random() < missing ? Number.NaN : Math.round(30 * normal(random)) / 10));
  const labelled = [1, 2, 3].flatMap((lead) => ['a', 'b'].map((block) => ({ labels: { lead }, block })));
  return {
    members: Array.from({ length: members }, () => values(0.05)),
    observations: values(0.05),
    reference: Array.from({ length: 3 }, () => values(0.01)),
    climate: new Map([0.9, 1 / 3, 2 / 3].map((p) => [p, Float64Array.from({ length }, () => 3 * p + random())])),
    weights: Float64Array.from({ length }, random),
    group: Array.from({ length }, () => Math.floor(6 * random())),
    groups: labelled,
  };
}

/** Some of the cases. */
function picked(cases: VerifiedCases, places: readonly number[]): VerifiedCases {
  const of = (values: ArrayLike<number>) => Float64Array.from(places, (i) => values[i]);
  return {
    ...cases,
    members: cases.members.map(of),
    observations: of(cases.observations),
    reference: cases.reference?.map(of),
    climate: new Map([...(cases.climate ?? [])].map(([p, values]) => [p, of(values)])),
    weights: cases.weights && of(cases.weights),
    group: cases.group && of(cases.group),
  };
}

describe('sums of cases', () => {
  it('are the same to the bit in one pass, and merged from parts in any order', () => {
    const property = fc.property(fc.nat(1e6), fc.array(fc.nat(4), { minLength: 40, maxLength: 40 }), (seed, parts) => {
      const cases = someCases(seed, 40);
      const whole = new Verification(skill, OPTIONS);
      whole.add(cases);
      const states = [0, 1, 2, 3, 4].map((part) => {
        const own = new Verification(skill, OPTIONS);
        const places = parts.flatMap((p, i) => (p === part ? [i] : []));
        if (places.length > 0) own.add(picked(cases, places.reverse()));
        return JSON.stringify(verificationState(own));
      });
      const expected = JSON.stringify(verificationState(whole));
      for (const order of [states, states.toReversed()]) {
        const merged = new Verification(skill, OPTIONS);
        for (const state of order) merged.merge(readVerification(skill, JSON.parse(state)));
        expect(JSON.stringify(verificationState(merged))).toBe(expected);
        expect(verificationScores(merged)).toEqual(verificationScores(whole));
      }
    });
    fc.assert(property, { numRuns: 15 });
  });

  it('have the mean of scores of cases, by label', () => {
    const cases = { ...someCases(3, 200), weights: undefined };
    const verification = new Verification(skill, { minMemberShare: 0 });
    verification.add(cases);
    const scores = scoreCases(skill, cases);
    const other = scoreCases(skill, { members: cases.reference ?? [], observations: cases.observations });
    const results = verificationScores(verification);
    expect(results.map(({ labels }) => labels)).toEqual([{ lead: 1 }, { lead: 2 }, { lead: 3 }]);
    for (const { labels, cases: count, scores: found, missing } of results) {
      const places = Array.from(cases.group ?? [], (g, i) => [cases.groups?.[g].labels?.lead, i] as const).flatMap(
        ([lead, i]) => (lead === labels.lead ? [i] : []),
      );
      const valid = places.filter(
        (i) => scores.members[i] > 1 && other.members[i] > 0 && !Number.isNaN(cases.observations[i]),
      );
      expect(count + missing).toBe(places.length);
      expect(count).toBe(valid.length);
      const mean = (values: ArrayLike<number>) => valid.reduce((sum, i) => sum + values[i], 0) / valid.length;
      const scoreOf = (name: string, of = 'forecast') =>
        found.find(({ score, forecast }) => score === name && forecast === of)?.value;
      const crps = mean(scores.crps as Float64Array);
      expect(scoreOf('crps')).toBeCloseTo(crps, 12);
      expect(scoreOf('fair_crps')).toBeCloseTo(mean(scores.fairCrps as Float64Array), 12);
      expect(scoreOf('bias')).toBeCloseTo(mean(scores.error as Float64Array), 12);
      expect(scoreOf('spread')).toBeCloseTo(Math.sqrt(mean(scores.variance as Float64Array)), 12);
      const reference = mean(other.crps as Float64Array);
      expect(scoreOf('crps', 'reference')).toBeCloseTo(reference, 12);
      expect(scoreOf('crps_skill', 'skill')).toBeCloseTo(1 - crps / reference, 12);
    }
    // All leads together.
    const [all] = verificationScores(verification, { by: [] });
    expect(all.cases).toBe(results.reduce((sum, { cases: count }) => sum + count, 0));
  });

  it('parts of the Brier score add up to it, and RPS is the sum of Brier scores', () => {
    const verification = new Verification(skill, OPTIONS);
    verification.add(someCases(8, 500));
    for (const { scores, decomposition } of verificationScores(verification)) {
      const scoreOf = (name: string, of?: string) =>
        scores.find((one) => one.score === name && one.of === of && one.forecast === 'forecast')?.value as number;
      for (const event of ['>2', '>q90', 'below', 'normal', 'above']) {
        const parts = scoreOf('reliability', event) - scoreOf('resolution', event) + scoreOf('uncertainty', event);
        expect(parts).toBeCloseTo(scoreOf('brier', event), 12);
      }
      expect(scoreOf('rps')).toBeCloseTo(scoreOf('brier', 'below') + scoreOf('brier', 'above'), 12);
      expect(decomposition?.crps).toBeCloseTo(scoreOf('crps'), 12);
    }
  });
});

describe('proper and fair scores', () => {
  /** Mean scores of many cases: observations are drawn from N(0, 1), members from N(bias, spread). */
  function meanScores(members: number, bias: number, spread: number) {
    const random = randomValues(17);
    const length = 8000;
    const verification = new Verification(skill, { conditions: ['>0.5'], categories: 3, quantiles: [0.8] });
    const limits = [1 / 3, 2 / 3].map(
      (p, k) => [p, new Float64Array(length).fill(k === 0 ? -0.430727 : 0.430727)] as const,
    );
    verification.add({
      members: Array.from({ length: members }, () =>
        Float64Array.from({ length }, () => bias + spread * normal(random)),
      ),
      observations: Float64Array.from({ length }, () => normal(random)),
      climate: new Map(limits),
    });
    const [{ scores }] = verificationScores(verification);
    return Object.fromEntries(
      scores.map(({ score, of, value }) => [
        of === undefined || of.startsWith('q') || of.startsWith('>') ? score : `${score} ${of}`,
        value,
      ]),
    );
  }

  it('the truth has better scores than what is biased, too narrow or too wide', () => {
    const truth = meanScores(20, 0, 1);
    for (const [bias, spread] of [
      [0.7, 1],
      [-0.7, 1],
      [0, 0.4],
      [0, 2],
    ]) {
      const other = meanScores(20, bias, spread);
      for (const name of [
        'crps',
        'fair_crps',
        'brier',
        'fair_brier',
        'rps',
        'fair_rps',
        'ignorance',
        'quantile_score',
      ]) {
        expect(truth[name], `${name} of ${bias}, ${spread}`).toBeLessThan(other[name]);
      }
    }
  });

  it('fair scores do not depend on the number of members in expectation; the others do', () => {
    const [few, many] = [meanScores(3, 0.2, 1.1), meanScores(60, 0.2, 1.1)];
    for (const name of ['crps', 'brier', 'rps']) {
      const fair = `fair_${name}`;
      expect(Math.abs(few[fair] / many[fair] - 1), fair).toBeLessThan(0.03);
      expect(few[name] / many[name], name).toBeGreaterThan(1.1);
    }
    // The expected CRPS of N(0, 1) under itself is 1 / sqrt(pi); its quantile is here 0.2 and 1.1.
    const exact = meanScores(40, 0, 1).fair_crps;
    expect(Math.abs(exact * Math.sqrt(Math.PI) - 1)).toBeLessThan(0.03);
    expect(meanScores(40, 0, 1).spread_error_ratio).toBeCloseTo(1, 1);
  });
});

describe('what has no score', () => {
  const scoreOf = (cases: VerifiedCases, name: string, options = {}) => {
    const verification = new Verification(skill, options);
    verification.add(cases);
    return verificationScores(verification)[0].scores.find(({ score }) => score === name)?.value;
  };
  const members = [Float64Array.of(0.1, 0.2, 0.7), Float64Array.of(0.3, 0.1, 0.4)];

  it('constant observations have no correlation, and an event that never happens no ROC area', () => {
    const cases = { members, observations: Float64Array.of(0.1, 0.1, 0.1) };
    expect(scoreOf(cases, 'correlation')).toBeNaN();
    expect(scoreOf(cases, 'roc_area', { conditions: ['>9'] })).toBeNaN();
    expect(scoreOf(cases, 'brier', { conditions: ['>9'] })).toBe(0);
  });

  it('one member has CRPS, which is its absolute error, and no fair CRPS or spread', () => {
    const cases = { members: [members[0]], observations: Float64Array.of(0.3, 0.1, 0.1) };
    expect(scoreOf(cases, 'crps')).toBe(scoreOf(cases, 'mae'));
    for (const name of ['fair_crps', 'spread', 'spread_error_ratio']) expect(scoreOf(cases, name), name).toBeNaN();
    expect(scoreOf(cases, 'fair_brier', { conditions: ['>0.2'] })).toBeNaN();
  });

  it('a perfect forecast has scores of 0, no ratio of spread to error, and no skill against another perfect one', () => {
    const observations = members[0];
    const cases = { members: [observations, observations], observations, reference: [observations] };
    for (const name of ['bias', 'mae', 'rmse', 'crps', 'fair_crps']) expect(scoreOf(cases, name), name).toBe(0);
    for (const name of ['spread_error_ratio', 'crps_skill']) expect(scoreOf(cases, name), name).toBeNaN();
    expect(scoreOf(cases, 'correlation')).toBeCloseTo(1, 12);
  });

  it('no cases have no scores', () => {
    const verification = new Verification(skill);
    verification.add({ members: [Float64Array.of(Number.NaN)], observations: Float64Array.of(1) });
    expect(verificationScores(verification)).toMatchObject([{ cases: 0, missing: 1, scores: [] }]);
    expect(verificationScores(new Verification(skill))).toEqual([]);
  });
});

describe('the correlation of values far from 0', () => {
  /** That of numbers which differ by about 1 from their mean. */
  function correlationAt(mean: number): number {
    const random = randomValues(29);
    const known = Float64Array.from({ length: 300 }, () => normal(random));
    const observations = known.map((value) => mean + value);
    const verification = new Verification(skill);
    verification.add({ members: [known.map((value) => mean + value + normal(random))], observations });
    const [{ scores }] = verificationScores(verification);
    return scores.find(({ score }) => score === 'correlation')?.value as number;
  }

  it('has the digits that rounding leaves, and is none where these are too few', () => {
    const exact = correlationAt(0);
    expect(exact).toBeCloseTo(Math.SQRT1_2, 1);
    expect(Math.abs(correlationAt(280) - exact)).toBeLessThan(1e-9);
    expect(Math.abs(correlationAt(1e5) - exact)).toBeLessThan(1e-4);
    for (const mean of [2e6, 1e8, 1e14]) expect(correlationAt(mean)).toBeNaN();
  });
});

describe('intervals', () => {
  /** Blocks of one case each: a forecast that is better than its reference by a known share. */
  function withBlocks(count: number, error: number) {
    const random = randomValues(23);
    const of = (make: () => number) => Float64Array.from({ length: count }, make);
    const observations = of(() => normal(random));
    const verification = new Verification(skill);
    verification.add({
      members: [
        observations.map((y) => y + error * normal(random)),
        observations.map((y) => y + error * normal(random)),
      ],
      reference: [of(() => normal(random)), of(() => normal(random))],
      observations,
      group: Array.from({ length: count }, (_, i) => i),
      groups: Array.from({ length: count }, (_, block) => ({ block })),
    });
    return verification;
  }

  it('hold the score, become narrower with more blocks, and are the same for a seed', () => {
    const widths = [20, 500].map((count) => {
      const [{ scores, blocks }] = verificationScores(withBlocks(count, 0.5), { confidence: 0.9, samples: 400 });
      expect(blocks).toBe(count);
      const crps = scores.find(({ score }) => score === 'crps');
      expect(crps?.low).toBeLessThan(crps?.value as number);
      expect(crps?.high).toBeGreaterThan(crps?.value as number);
      return (crps?.high as number) - (crps?.low as number);
    });
    expect(widths[1]).toBeLessThan(widths[0] / 2);
    const again = () => verificationScores(withBlocks(30, 0.5), { confidence: 0.9, samples: 100, seed: 7 });
    expect(again()).toEqual(again());
  });

  it('tell skill from none', () => {
    const pOf = (error: number) =>
      verificationScores(withBlocks(60, error), { confidence: 0.9, samples: 400 })[0].scores.find(
        ({ score }) => score === 'crps_skill',
      )?.pValue as number;
    expect(pOf(0.3)).toBeLessThan(0.01);
    expect(pOf(3)).toBeGreaterThan(0.9);
  });

  it('hold what scores are in expectation about as often as they say, where blocks are longer than errors last', () => {
    const options = { worlds: 40, samples: 100, confidence: 0.9, seed: 3 };
    const [day, month] = coverageOf(skill, { coefficient: 0.9, days: 600 }, [1, 30], options);
    expect(month.crps).toBeGreaterThan(0.75);
    expect(month.skill).toBeGreaterThan(0.75);
    expect(day.crps).toBeLessThan(0.6);
  });

  it('need at least five blocks', () => {
    expect(() => verificationScores(withBlocks(4, 1), { confidence: 0.9 })).toThrow(
      /confidence: intervals need more blocks of time with cases; received 4; allowed: at least 5/,
    );
  });
});

describe('very many groups', () => {
  it('take a few kilobytes each, whether they are scored or written', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = () => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const random = randomValues(3);
    const length = 1500;
    const column = () => Float64Array.from({ length }, () => normal(random));
    const cases = {
      ...{ members: [column(), column(), column()], reference: [column(), column()], observations: column() },
      climate: new Map([
        [1 / 3, column()],
        [2 / 3, column()],
      ]),
      group: Int32Array.from({ length }, (_, i) => i),
      groups: Array.from({ length }, (_, i) => ({ labels: { latitude: i % 90, longitude: Math.floor(i / 90) } })),
    };
    const verification = new Verification(skill, { categories: 3 });
    verification.add(cases);
    const before = held();
    for (let run = 0; run < 4; run++) {
      cases.groups = cases.groups.map(({ labels }) => ({ labels: { ...labels, latitude: labels.latitude - 0.25 } }));
      verification.add(cases);
    }
    // Of some 1.2 kB of numbers; objects of them took 9 kB.
    expect((held() - before) / (4 * length)).toBeLessThan(2600);
    const state = stateJson(verification, { variable: 'rain' });
    expect(state).toBe(JSON.stringify(verificationState(verification, { variable: 'rain' })));
    expect(state).toContain('"latitude":-1');
  });

  it('have no state that is longer than a text can be', () => {
    const verification = new Verification(skill);
    verification.add({ members: [Float64Array.of(1)], observations: Float64Array.of(2) });
    const joined = vi.spyOn(Array.prototype, 'join').mockImplementationOnce(() => {
      throw new RangeError('Invalid string length');
    });
    let found: unknown;
    try {
      stateJson(verification, {});
    } catch (error) {
      found = error;
    } finally {
      joined.mockRestore();
    }
    expect(`${found}`).toMatch(
      /state: of so many groups is longer than a text can be; received 1; allowed: fewer places/,
    );
  });

  it('are an error that says what to do, before memory is full', () => {
    const verification = new Verification(skill, OPTIONS);
    const held = vi.spyOn(Map.prototype, 'size', 'get').mockReturnValue(500_000);
    try {
      const add = () => verification.groupSums({ labels: { place: 1 } }, false);
      expect(add).toThrow(/groups: are too many to be held: .* at most 500,000: .* block/);
    } finally {
      held.mockRestore();
    }
  });
});

describe('what cannot be used', () => {
  const observations = Float64Array.of(1, 2);
  const members = [Float64Array.of(1, 2)];
  it.each<[object, RegExp]>([
    [{ conditions: ['rain>2'] }, /conditions: names a variable; received "rain>2"/],
    [{ conditions: ['>2 given >1'] }, /conditions: has "given"/],
    [{ conditions: ['>2', '> 2'] }, /conditions: is there twice/],
    [{ conditions: '>2' }, /conditions: cannot be used/],
    [{ categories: 1 }, /categories: cannot be used; received 1/],
    [{ quantiles: [1] }, /quantiles: cannot be used/],
    [{ decomposition: 1 }, /decomposition/],
    [{ minMemberShare: 2 }, /minMemberShare/],
    [{ condition: [] }, /condition/],
  ])('options %j', (options, message) => {
    expect(() => new Verification(skill, options)).toThrow(message);
  });

  it('cases that do not fit', () => {
    const add = (cases: object, options = {}) =>
      new Verification(skill, options).add({ members, observations, ...cases });
    expect(() => add({}, { categories: 3 })).toThrow(/climate: has no quantile 0.333/);
    expect(() => add({ weights: Float64Array.of(1, -1) })).toThrow(/weights\[1\]: cannot be used; received -1/);
    expect(() => add({ group: [0, 1] })).toThrow(/group\[1\]: cannot be used; received 1/);
    expect(() => add({ group: [0] })).toThrow(/allowed: 2 values/);
    expect(() => add({ groups: [] })).toThrow(/groups: cannot be used/);
    expect(() => add({ reference: [Float64Array.of(1)] })).toThrow(/reference\[0\]/);
    expect(() => add({ reference: [Float64Array.of(1, Infinity)] })).toThrow(/reference\[0\]\[1\]: is infinite/);
    expect(() => add({ climate: new Map([[0.5, Float64Array.of(1)]]) })).toThrow(/climate, 0.5/);
    expect(() => add({ observations: Float64Array.of(1e200, 1) })).toThrow(
      /observations\[0\]: is too large; received 1e\+200/,
    );
  });

  it('sums that are not of the same cases', () => {
    const verification = new Verification(skill);
    verification.add({ members, observations });
    expect(() => verification.add({ members, observations, reference: members })).toThrow(
      /reference: is given, and was not for cases before/,
    );
    expect(() => verification.merge(new Verification(skill, { categories: 3 }))).toThrow(/has other options/);
    expect(() => verification.merge({} as Verification)).toThrow(/verification: cannot be used/);
    expect(() => verificationScores(verification, { by: ['lead'] })).toThrow(/by: is no label/);
    expect(() => verificationScores(verification, { confidence: 1 })).toThrow(/confidence: cannot be used/);
    expect(() => verificationScores(verification, { samples: 1 })).toThrow(/samples/);
    expect(() => verificationScores(verification, { seed: 0.5 })).toThrow(/seed/);
  });

  it('a failed call adds nothing', () => {
    const verification = new Verification(skill);
    verification.add({ members, observations });
    const before = JSON.stringify(verificationState(verification));
    const climate = new Map([[0.5, Float64Array.of(1, 1)]]);
    expect(() => verification.add({ members, observations, climate, reference: members })).toThrow();
    expect(() => verification.add({ members, observations, reference: [Float64Array.of(1, Infinity)] })).toThrow();
    expect(JSON.stringify(verificationState(verification))).toBe(before);
  });

  it('states that are none, or damaged', () => {
    const verification = new Verification(skill);
    verification.add({ members, observations });
    const state = JSON.parse(JSON.stringify(verificationState(verification)));
    expect(() => readVerification(skill, {}, 'a.json')).toThrow(/a.json: is no state of a verification/);
    expect(() => readVerification(skill, null)).toThrow(/is no state/);
    expect(() => readVerification(skill, { ...state, version: 2 })).toThrow(/received "version 2"/);
    expect(() => readVerification(skill, { ...state, groups: [{}] })).toThrow(/is damaged/);
    state.groups[0].weight = 'x';
    expect(() => readVerification(skill, state)).toThrow(/is damaged/);
  });
});
