/** Many files at once, with a journal. For Node. */

export type { Accumulation, BucketHours } from '../ensemble/accumulation.js';
export type { BoundingBox } from '../ensemble/bounding-box.js';
export type { Stamps } from '../ensemble/daily-steps.js';
export type { NamedCoordinates } from '../files/cf/coordinates.js';
export type { DecimalMark } from '../files/csv/decimal-mark.js';
export type { BatchEvent, BatchStatus } from './batch-event.js';
export type { BatchPlan, BatchRequest, LimitList, Thresholds } from './batch-plan.js';
export type { FinishedOutput, NamedFingerprint } from './journal.js';
export { type ListedOutput, type ListOptions, listPlan, type PlanList } from './list-plan.js';
export type { FailedOutput, Manifest, ManifestOutput } from './manifest.js';
export type { ArrayFormat, OutputCompression, OutputFormat } from './output-format.js';
export type { PlannedVerification } from './planned-verification.js';
export { type BatchOptions, type BatchReport, runBatch } from './run-batch.js';
export { type MergeOptions, type MergeReport, mergeShards } from './shards/merge-shards.js';
export type { Shard } from './shards/shard.js';
