import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  crpsDecomposition,
  falseDiscoveries,
  loadSkill,
  scoreCases,
  Verification,
  verificationScores,
} from '../../src/skill/index.js';
import { hasPython, pythonFile } from '../reference/foreign-programs.js';
import { crpsParts } from '../reference/scores.js';
import { normal, randomValues } from './random-cases.js';

const hasAll = hasPython('scoringrules', 'properscoring', 'xskillscore', 'scores', 'statsmodels', 'numba', 'scipy');

/** Ensembles with too little spread and a bias; observations that equal no member, and some that lie outside. */
function sample(members: number, cases: number) {
  const random = randomValues(11);
  const signal = Float64Array.from({ length: cases }, () => 5 * normal(random));
  return {
    members: Array.from({ length: members }, () => signal.map((mean) => 280.5 + mean + 1.7 * normal(random))),
    observations: signal.map((mean) => 280 + mean + 2 * normal(random)),
  };
}

describe('scores are those of other libraries', () => {
  const { members, observations } = sample(31, 400);
  const limit = 283;
  const terciles = [278, 282.5];
  const pValues = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.9, 0.002];
  const tails = [0.01, 0.5, 1, 3, 10, 31, 60, 200].flatMap((x) => [1, 2, 5, 31, 50, 101].map((k) => [x, k] as const));

  it.skipIf(!hasAll)('CRPS to 1e-12, other scores and decompositions to 1e-10', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'scores-')), 'cases.json');
    const lists = members.map((values) => [...values]);
    writeFileSync(
      path,
      JSON.stringify({
        members: lists,
        observations: [...observations],
        limit,
        terciles,
        quantile: 0.9,
        pValues,
        tails,
      }),
    );
    const others = JSON.parse(pythonFile('test/skill/other_scores.py', [path]));
    const skill = await loadSkill();
    const scores = scoreCases(skill, { members, observations });
    for (const name of ['crps', 'fairCrps'] as const) {
      for (const [tool, values] of Object.entries(others[name]) as [string, number[]][]) {
        values.forEach((value, i) => {
          expect(Math.abs((scores[name] as Float64Array)[i] - value), `${name} of ${tool}`).toBeLessThan(1e-12);
        });
      }
    }
    const options = { conditions: [`>${limit}`], categories: 3, quantiles: [0.9] };
    const verification = new Verification(skill, options);
    const constant = (value: number) => new Float64Array(observations.length).fill(value);
    const climate = new Map(terciles.map((value, k) => [(k + 1) / 3, constant(value)]));
    verification.add({ members, observations, climate });
    const [result] = verificationScores(verification);
    const scoreOf = (score: string, of?: string) =>
      result.scores.find((one) => one.score === score && (of === undefined || one.of === of))?.value as number;
    const compare = (value: number, theirs: Record<string, number | null>, name: string) => {
      for (const [tool, other] of Object.entries(theirs)) {
        if (other !== null)
          expect(Math.abs(value - other), `${name} of ${tool}: ${value}, ${other}`).toBeLessThan(1e-10);
      }
    };
    compare(scoreOf('brier', `>${limit}`), others.brier, 'brier');
    compare(scoreOf('fair_brier', `>${limit}`), others.fairBrier, 'fair brier');
    compare(scoreOf('roc_area', `>${limit}`), others.rocArea, 'roc area');
    compare(scoreOf('rps'), others.rps, 'rps');
    compare(scoreOf('fair_rps'), others.fairRps, 'fair rps');
    compare(scoreOf('bias'), others.bias, 'bias');
    compare(scoreOf('mae'), others.mae, 'mae');
    compare(scoreOf('rmse'), others.rmse, 'rmse');
    compare(scoreOf('correlation'), others.correlation, 'correlation');
    compare(scoreOf('quantile_score'), others.quantileScore, 'quantile score');
    const { reliability } = result.events[0];
    others.reliability.cases.forEach((cases: number, k: number) => {
      const point = reliability.find(
        ({ probability }) => Math.abs(probability - others.reliability.probability[k]) < 1e-9,
      );
      expect(point?.cases ?? 0).toBe(cases);
      if (point !== undefined) expect(point.observed).toBeCloseTo(others.reliability.observed[k], 12);
    });
    const [ranks] = result.ranks;
    expect(ranks.counts).toEqual(others.ranks);
    expect(ranks.chiSquare).toBeCloseTo(others.chiSquare[0], 9);
    expect(ranks.pValue).toBeCloseTo(others.chiSquare[1], 12);
    expect(falseDiscoveries(pValues, 0.2)).toEqual(others.falseDiscoveries);
    tails.forEach(([x, degrees], i) => {
      const tail = skill.tools.kernels.chiSquareTail(x, degrees);
      expect(Math.abs(tail - others.tails[i]), `${x}, ${degrees}`).toBeLessThan(1e-13);
    });
  });

  it('the parts of the CRPS are those of the slow twin, and add up', async () => {
    const skill = await loadSkill();
    for (const count of [1, 2, 9, 31]) {
      const cases = sample(count, 300);
      const parts = crpsDecomposition(skill, cases);
      const lists = Array.from(cases.observations, (_, i) => cases.members.map((values) => values[i]));
      const twin = crpsParts(lists, [...cases.observations]);
      const { crps } = scoreCases(skill, cases);
      const mean = (crps as Float64Array).reduce((sum, value) => sum + value, 0) / 300;
      expect(parts.reliability).toBeCloseTo(twin.reliability, 11);
      expect(parts.potential).toBeCloseTo(twin.potential, 11);
      expect(parts.crps).toBeCloseTo(mean, 11);
      expect(parts.reliability - parts.resolution + parts.uncertainty).toBeCloseTo(mean, 11);
      const all = [...cases.observations];
      const pairs = all.flatMap((a) => all.map((b) => Math.abs(a - b))).reduce((sum, value) => sum + value, 0);
      expect(parts.uncertainty).toBeCloseTo(pairs / (2 * 300 ** 2), 11);
    }
  });
});
