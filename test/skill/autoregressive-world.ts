import { type Skill, Verification, verificationScores } from '../../src/skill/index.js';
import { normal, randomValues } from './random-cases.js';

/** A world of one place: each day keeps a share of the day before. */
export interface World {
  /** The coefficient of the first order. */
  readonly coefficient: number;
  readonly days: number;
}

/** Whether the interval of a score holds what the score is in expectation. */
export interface Coverage {
  crps: number;
  skill: number;
}

/** The share of the variance that forecasts know, and the numbers of members. */
const KNOWN = 0.5;
const MEMBERS = 10;
const REFERENCE = 20;

/** The CRPS of members that are drawn as the observation is: normal, with a standard deviation (Gneiting and Raftery 2007). */
const crpsOf = (deviation: number, members: number) => (deviation / Math.sqrt(Math.PI)) * (1 + 1 / members);
const OWN = crpsOf(Math.sqrt(1 - KNOWN), MEMBERS);
const EXPECTED = { crps: OWN, skill: 1 - OWN / crpsOf(1, REFERENCE) };

/**
 * The share of worlds whose intervals hold what is expected, for each length of blocks in days: forecasts are reliable, know half
 * of the variance, and are compared with members of the climatology; signals and errors last as long as the weather.
 */
export function coverageOf(
  skill: Skill,
  { coefficient, days }: World,
  blocks: readonly number[],
  { worlds, samples, confidence, seed }: { worlds: number; samples: number; confidence: number; seed: number },
): Coverage[] {
  const random = randomValues(seed);
  const found = blocks.map(() => ({ crps: 0, skill: 0 }));
  for (let world = 0; world < worlds; world++) {
    const series = (variance: number) => {
      let value = normal(random);
      return Float64Array.from({ length: days }, () => {
        value = coefficient * value + Math.sqrt(1 - coefficient ** 2) * normal(random);
        return Math.sqrt(variance) * value;
      });
    };
    const signal = series(KNOWN);
    const around = () => series(1 - KNOWN).map((error, day) => signal[day] + error);
    const cases = {
      observations: around(),
      members: Array.from({ length: MEMBERS }, around),
      reference: Array.from({ length: REFERENCE }, () => series(1)),
    };
    for (const [k, length] of blocks.entries()) {
      const verification = new Verification(skill);
      const group = Int32Array.from({ length: days }, (_, day) => Math.floor(day / length));
      const groups = Array.from({ length: Math.ceil(days / length) }, (_, block) => ({ block }));
      verification.add({ ...cases, group, groups });
      const [{ scores }] = verificationScores(verification, { confidence, samples, seed: world + 1 });
      const holds = (score: string, forecast: string, expected: number) => {
        const { low = NaN, high = NaN } = scores.find((one) => one.score === score && one.forecast === forecast) ?? {};
        return Number(low <= expected && expected <= high) / worlds;
      };
      found[k].crps += holds('crps', 'forecast', EXPECTED.crps);
      found[k].skill += holds('crps_skill', 'skill', EXPECTED.skill);
    }
  }
  return found;
}
