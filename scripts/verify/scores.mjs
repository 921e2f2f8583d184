import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { falseDiscoveries, loadSkill, scoreCases, Verification, verificationScores } from '../../dist/skill.js';
import { normal, randomNumbers } from './random.mjs';

const [MEMBERS, CASES] = [31, 2000];
const [LIMIT, TERCILES, QUANTILE] = [283, [278, 282.5], 0.9];
const P_VALUES = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216, 0.222, 0.251, 0.9, 0.002];
const EACH = 1e-12;
const MEAN = 1e-10;

/** Ensembles with too little spread and a bias. */
function sample() {
  const random = randomNumbers(11);
  const signal = Float64Array.from({ length: CASES }, () => 5 * normal(random));
  return {
    members: Array.from({ length: MEMBERS }, () => signal.map((mean) => 280.5 + mean + 1.7 * normal(random))),
    observations: signal.map((mean) => 280 + mean + 2 * normal(random)),
  };
}

async function besideLibraries({ folder, python }) {
  const { members, observations } = sample();
  const given = {
    ...{ members: members.map((values) => [...values]), observations: [...observations] },
    ...{ limit: LIMIT, terciles: TERCILES, quantile: QUANTILE, pValues: P_VALUES, tails: [] },
  };
  const path = join(folder, 'cases.json');
  await writeFile(path, JSON.stringify(given));
  const others = JSON.parse(python('test/skill/other_scores.py', [path]));
  const skill = await loadSkill();
  const cases = scoreCases(skill, { members, observations });
  const event = `>${LIMIT}`;
  const verification = new Verification(skill, { conditions: [event], categories: 3, quantiles: [QUANTILE] });
  const constant = (value) => new Float64Array(CASES).fill(value);
  const climate = new Map(TERCILES.map((value, k) => [(k + 1) / 3, constant(value)]));
  verification.add({ members, observations, climate });
  const [result] = verificationScores(verification);
  const scoreOf = (score, of) =>
    result.scores.find((one) => one.score === score && (of === undefined || one.of === of)).value;

  const rows = [];
  const add = (what, ours, tools, bound) => {
    for (const [text, theirs] of Object.entries(tools)) {
      const [tool, how] = text.split(', ');
      if (theirs !== null) {
        rows.push({ tool, what: how === undefined ? what : `${what} (${how})`, ours, theirs: [theirs].flat(), bound });
      }
    }
  };
  add('CRPS of each case', [...cases.crps], others.crps, EACH);
  add('fair CRPS of each case', [...cases.fairCrps], others.fairCrps, EACH);
  add(`Brier score of ${event}`, [scoreOf('brier', event)], others.brier, MEAN);
  add(`fair Brier score of ${event}`, [scoreOf('fair_brier', event)], others.fairBrier, MEAN);
  add('ROC area', [scoreOf('roc_area', event)], others.rocArea, MEAN);
  add('RPS of terciles', [scoreOf('rps')], others.rps, MEAN);
  add('fair RPS of terciles', [scoreOf('fair_rps')], others.fairRps, MEAN);
  add('bias', [scoreOf('bias')], others.bias, MEAN);
  add('mean absolute error', [scoreOf('mae')], others.mae, MEAN);
  add('root mean square error', [scoreOf('rmse')], others.rmse, MEAN);
  add('correlation', [scoreOf('correlation')], others.correlation, MEAN);
  add(`quantile score of ${QUANTILE}`, [scoreOf('quantile_score')], others.quantileScore, MEAN);
  const { probability, observed, cases: counts } = others.reliability;
  const points = probability.map((p) => result.events[0].reliability.find((at) => Math.abs(at.probability - p) < 1e-9));
  add(
    'reliability diagram',
    points.map((point) => point?.observed ?? Number.NaN),
    { xskillscore: observed },
    MEAN,
  );
  add(
    'its cases',
    points.map((point) => point?.cases ?? 0),
    { xskillscore: counts },
    0,
  );
  const [ranks] = result.ranks;
  add('rank histogram', ranks.counts, { xskillscore: others.ranks }, 0);
  add('its chi-square test', [ranks.chiSquare, ranks.pValue], { scipy: others.chiSquare }, MEAN);
  const found = falseDiscoveries(P_VALUES, 0.2).map(Number);
  add('false discovery rate', found, { statsmodels: others.falseDiscoveries.map(Number) }, 0);
  return rows;
}

export const scores = {
  title: 'Scores of forecasts',
  about: `${CASES.toLocaleString('en')} cases of ${MEMBERS} members with a bias and too little spread.`,
  comparisons: [
    {
      needs: [
        'numpy',
        'scipy',
        'xarray',
        'numba',
        'scoringrules',
        'properscoring',
        'xskillscore',
        'scores',
        'statsmodels',
      ],
      compare: besideLibraries,
    },
  ],
};
