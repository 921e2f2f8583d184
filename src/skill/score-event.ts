import { unusable } from '../errors.js';
import { assertCases, assertFinite, assertLength, type Cases } from './cases.js';
import { type ClimateQuantiles, countEvent } from './count-event.js';
import { assertSkill, type Skill } from './load-skill.js';
import { checkCondition } from './options.js';

/** Scores of the probability of an event in each case, which is the share of members for which a condition holds. */
export interface EventCaseScores {
  /** How many members have a value of which the condition is known. */
  readonly members: Int32Array;
  /** For how many of them it holds. */
  readonly holds: Int32Array;
  /** (k / n - o)^2: k of n members fulfil the condition; o is 1 where the observation does, else 0. */
  readonly brier: Float64Array;
  /** The fair Brier score, which estimates what an infinite ensemble would have; NaN for a single member. */
  readonly fairBrier: Float64Array;
}

/**
 * Computes the Brier score (Brier 1950) and the fair one (Ferro 2014) of each case, for a condition such as `>20`, `5..20` or
 * `>q90`. The latter takes its limit from `climate`, the quantiles of the climatology by probability. Scores are NaN where
 * the observation or all members are missing. Throws OptionError for arrays that do not fit each other and for what is no
 * condition, and DataError where a quantile of the climatology is needed and not given, and for infinite observations.
 */
export function scoreEvent(
  skill: Skill,
  cases: Cases,
  condition: string,
  climate: ClimateQuantiles = new Map(),
): EventCaseScores {
  assertSkill(skill);
  assertCases(cases);
  const event = checkCondition(condition, 'condition');
  const { members, observations } = cases;
  assertFinite('observations', observations);
  if (!(climate instanceof Map)) throw unusable('climate', climate, 'a Map of arrays by probability');
  climate.forEach((values, probability) => {
    assertLength(`climate, ${probability}`, values, observations.length);
  });
  const forecast = countEvent(skill, event, members, climate);
  const observed = countEvent(skill, event, [observations], climate);
  const brier = new Float64Array(observations.length);
  const fairBrier = new Float64Array(observations.length);
  const { known, holds } = forecast;
  for (let i = 0; i < brier.length; i++) {
    const [n, k] = [known[i], holds[i]];
    // Without an observation it is neither 0 nor 1.
    const happened = observed.known[i] === 0 ? Number.NaN : observed.holds[i];
    brier[i] = (k / n - happened) ** 2;
    fairBrier[i] = brier[i] - (k * (n - k)) / (n * n * (n - 1));
  }
  return { members: known, holds, brier, fairBrier };
}
