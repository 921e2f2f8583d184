/** How good forecasts were: scores of ensembles against observations, over typed arrays. */
export type { FloatArray } from '../core/number-arrays.js';
export type { Cases } from './cases.js';
export type { ClimateQuantiles } from './count-event.js';
export { type CrpsDecomposition, crpsDecomposition, type FullCrpsDecomposition } from './crps-decomposition.js';
export type { EventScores, ReliabilityPoint, RocPoint } from './event-scores.js';
export { falseDiscoveries } from './false-discovery.js';
export { loadSkill, type Skill } from './load-skill.js';
export type { CheckedVerification, VerificationOptions } from './options.js';
export type { VerifyOptions } from './pairing/options.js';
export { type VerifiedForecasts, type VerifyData, verify } from './pairing/verify.js';
export type { RankHistogram } from './rank-histogram.js';
export { type CaseScoreName, type CaseScores, scoreCases } from './score-cases.js';
export { type EventCaseScores, scoreEvent } from './score-event.js';
export type { ScoreName, ScoreValue } from './score-values.js';
export { readVerification, type StateAbout, type VerificationState, verificationState } from './state.js';
export { type CaseGroup, type EachCase, type GroupLabels, Verification, type VerifiedCases } from './verification.js';
export {
  type EventDiagrams,
  type GroupScores,
  type Score,
  type ScoresOptions,
  verificationScores,
} from './verification-scores.js';
export { type TableOptions, verificationTable } from './verification-table.js';
