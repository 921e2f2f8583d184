export type { BatchEvent, BatchStatus } from './batch-event.js';
export type { BatchFormat } from './batch-format.js';
export type { BatchPlan, BatchRequest } from './batch-plan.js';
export type { FailedOutput, Manifest, ManifestOutput } from './manifest.js';
export { type BatchOptions, type BatchReport, runBatch } from './run-batch.js';
