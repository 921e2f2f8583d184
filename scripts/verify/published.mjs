import {
  atmosphericPressure,
  extraterrestrialRadiation,
  meanSaturationVaporPressure,
  psychrometricConstant,
  referenceEvapotranspiration,
  saturationVaporPressureSlope,
  windSpeedAt2m,
} from '../../dist/fao56.js';
import { loadSkill, scoreCases, Verification, verificationScores } from '../../dist/skill.js';

/** s2dv states seven or eight digits, and tests them to a thousandth. */
const S2DV = {
  rmse: [1.2815677, 2.0832803, 1.1894637, 1.3000403, 1.4053807, 0.8157563],
  correlation: [0.11503859, -0.46959987, -0.64113021, 0.09776572, -0.32393603, 0.27565829],
};

/** One member and its observations, by the random numbers of R. */
async function besideS2dv({ rscript }) {
  const skill = await loadSkill();
  const lines = rscript('scripts/verify/peers/s2dv.R', []).trim().split('\n');
  const series = lines
    .map((line) => line.split('\t'))
    .map(([name, numbers]) => [name, Float64Array.from(numbers.split(' '), Number)]);
  const found = { rmse: [], correlation: [] };
  for (let i = 0; i < series.length; i += 2) {
    const [[name, member], [, observations]] = series.slice(i, i + 2);
    const verification = new Verification(skill);
    verification.add({ members: [member], observations });
    const [{ scores }] = verificationScores(verification);
    found[name].push(scores.find(({ score }) => score === name).value);
  }
  return Object.entries(S2DV).map(([name, theirs]) => {
    return { tool: 's2dv', what: `0.0.1, ${name}`, ours: found[name], theirs, bound: 1e-7 };
  });
}

/** The values of `tests/testthat/test-values.R` of SpecsVerification; CRPS, and fair CRPS (`R.new = Inf`). */
async function besideSpecsVerification() {
  const skill = await loadSkill();
  const scoresOf = (members, observation) => {
    const lists = members.map((value) => Float64Array.of(value));
    return scoreCases(skill, { members: lists, observations: Float64Array.of(observation) });
  };
  const cases = [
    [[1, 2, 3], 1.5],
    [[1], 2],
    [[4, 5, Number.NaN], 4.5],
  ];
  const found = cases.map(([members, observation]) => scoresOf(members, observation));
  return [
    { what: 'CRPS', ours: found.map(({ crps }) => crps[0]), theirs: [5 / 6 - 4 / 9, 1, 1 / 2 - 1 / 4] },
    {
      what: 'fair CRPS',
      ours: found.slice(0, 2).map(({ fairCrps }) => fairCrps[0]),
      theirs: [5 / 6 - 4 / 6, Number.NaN],
    },
  ].map((row) => ({ tool: 'SpecsVerification', bound: 1e-15, ...row }));
}

/** Examples of FAO-56, with half a unit of the last digit that it prints. */
async function besideFao56() {
  return [
    ['example 2, psychrometric constant at 1,800 m', psychrometricConstant(atmosphericPressure(1800)), '0.054'],
    ['example 3, mean saturation vapour pressure', meanSaturationVaporPressure(15, 24.5), '2.39'],
    ['example 8, extraterrestrial radiation at 20 S on 3 September', extraterrestrialRadiation(-20, 246), '32.2'],
    ['example 14, wind speed at 2 m', windSpeedAt2m(3.2, 10), '2.4'],
    ['example 17, slope of the vapour pressure curve', saturationVaporPressureSlope(30.2), '0.246'],
    ['example 18, ET0 of Uccle on 6 July', referenceEvapotranspiration(UCCLE), '3.9'],
  ].map(([what, ours, text]) => {
    const bound = 0.5 * 10 ** -text.split('.')[1].length + 1e-12;
    return { tool: 'FAO-56', what, ours: [ours], theirs: [Number(text)], bound: bound / Math.max(1, Number(text)) };
  });
}

const UCCLE = {
  ...{ netRadiation: 13.28, temperature: 16.9, windSpeed: 2.078, vaporPressureDeficit: 0.589 },
  psychrometricConstant: 0.0666,
};

export const published = {
  title: 'Published results',
  about:
    'Numbers that others published: the tests of s2dv (Manubens et al., CRAN, version 0.0.1: `test-RMS.R`, `test-Corr.R`, with the random numbers of R), those of SpecsVerification (Siegert, `test-values.R`), and examples of FAO Irrigation and Drainage Paper 56 (Allen et al. 1998). Bounds of the latter are half a unit of the last printed digit.',
  comparisons: [
    { needs: ['R'], compare: besideS2dv },
    { needs: [], compare: besideSpecsVerification },
    { needs: [], compare: besideFao56 },
  ],
};
