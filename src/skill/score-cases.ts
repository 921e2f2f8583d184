import { OptionError, unusable } from '../errors.js';
import { caseBlocks, WHAT } from './case-blocks.js';
import { assertCases, assertFinite, type Cases } from './cases.js';
import { assertSkill, type Skill } from './load-skill.js';

/** What `scoreCases` computes. */
export type CaseScoreName = 'crps' | 'moments' | 'ranks';

/** Scores of each case; NaN where the observation or all members are missing. */
export interface CaseScores {
  /** How many members have a value. */
  readonly members: Int32Array;
  /** The continuous ranked probability score of the members' empirical distribution. */
  readonly crps?: Float64Array;
  /** The fair CRPS, which estimates that of an infinite ensemble; NaN for a single member. */
  readonly fairCrps?: Float64Array;
  /** The mean of the members, also where the observation is missing. */
  readonly mean?: Float64Array;
  /** The mean minus the observation. */
  readonly error?: Float64Array;
  /** The variance of the members, with n - 1; NaN for a single member. */
  readonly variance?: Float64Array;
  /** How many members are below the observation, and how many are equal to it; 0 where it is missing. */
  readonly below?: Int32Array;
  readonly equal?: Int32Array;
}

const NAMES = ['crps', 'moments', 'ranks'] as const;

/**
 * Computes scores of each case over its valid members: `crps` (with `fairCrps`), `moments` (`mean`, `error`, `variance`)
 * and `ranks` (`below`, `equal`); by default all.
 *
 * With members x1 to xn in ascending order and an observation y, the CRPS is the mean of |xi - y| minus
 * the sum of (xj - xi) over all pairs i < j, divided by n^2 (Gneiting and Raftery 2007, equation 21); of the fair
 * CRPS (Ferro 2014) divided by n (n - 1). Sums are of float64. Throws OptionError for arrays that do not fit each other,
 * and DataError for infinite values.
 */
export function scoreCases(skill: Skill, cases: Cases, only: readonly CaseScoreName[] = NAMES): CaseScores {
  assertSkill(skill);
  if (!Array.isArray(only) || only.length === 0) throw unusable('only', only, `a list of ${NAMES.join(', ')}`);
  for (const name of only) {
    if (NAMES.includes(name)) continue;
    throw new OptionError({ subject: 'only', problem: 'is no score', received: name, allowed: NAMES.join(', ') });
  }
  assertCases(cases);
  assertFinite('observations', cases.observations);
  const { length } = cases.observations;
  const numbers = () => new Float64Array(length);
  const counts = () => new Int32Array(length);
  const scores = {
    members: counts(),
    ...(only.includes('crps') && { crps: numbers(), fairCrps: numbers() }),
    ...(only.includes('moments') && { mean: numbers(), error: numbers(), variance: numbers() }),
    ...(only.includes('ranks') && { below: counts(), equal: counts() }),
  };
  const what = only.reduce((bits: number, name: CaseScoreName) => bits | WHAT[name], 0);
  for (const block of caseBlocks(skill, cases, what)) {
    scores.members.set(block.valid, block.from);
    for (const name of ['crps', 'fairCrps', 'mean', 'error', 'variance', 'below', 'equal'] as const) {
      scores[name]?.set(block[name], block.from);
    }
  }
  return scores;
}
