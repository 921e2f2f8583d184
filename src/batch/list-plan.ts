import { assertKnownKeys, assertShape } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../check/work.js';
import type { BatchPlan } from './batch-plan.js';
import { type CheckedPlan, checkPlan } from './check-plan.js';
import { InputFingerprints } from './input-fingerprints.js';
import { findOtherOutputs } from './known-outputs.js';
import { type FailedOutput, readManifest } from './manifest.js';
import { outputFolder } from './open-outputs.js';
import { readSizes, totalBytes } from './output-bytes.js';
import { findPlannedWork, type PlannedWork } from './planned-work.js';
import { findStaleOutputs, type StaleOutputs } from './prune-outputs.js';
import { assertShardOptions, type Shard } from './shards/shard.js';
import { shareWork } from './shards/share-work.js';
import { threadBudget } from './thread-budget.js';

/** What a batch would read and make. */
export interface PlanList {
  /** Files and stores, with their sizes in bytes; 0 where the size cannot be read. */
  readonly inputs: readonly { readonly input: string; readonly bytes: number }[];
  readonly outputs: readonly ListedOutput[];
  /** Inputs that were not found, where the plan continues without them. */
  readonly failed: readonly FailedOutput[];
  /** With `prune`, outputs of earlier batches that the batch would remove. */
  readonly pruned?: readonly ListedOutput[];
  /** With `prune`, what stays although its inputs are gone, or may be, and why. */
  readonly left?: StaleOutputs['left'];
}

/** How to list a plan. */
export interface ListOptions {
  shard?: Shard;
  prune?: boolean;
}

/** An output, or the pieces of its grid that a shard computes. */
export interface ListedOutput {
  readonly output: string;
  /** The bytes of its inputs; of pieces, their part of them. */
  readonly bytes: number;
  /** The number of its shard, if the plan is divided. */
  readonly shard?: number;
  /** The numbers of the pieces of its grid, from 1 on. */
  readonly pieces?: readonly number[];
  /** The number of all pieces. */
  readonly ofPieces?: number;
}

/**
 * Lists the inputs and outputs of a plan with their sizes in bytes, and the shard of each output if `shard` states how
 * many there are; with `prune` also the outputs of earlier batches that the batch would remove. Writes nothing. Throws what `runBatch` throws for a plan or inputs that cannot be used.
 */
export async function listPlan(plan: BatchPlan, options: ListOptions & WorkOptions = {}): Promise<PlanList> {
  const { work, others } = beginWork(options, 'files');
  assertKnownKeys(others, ['shard', 'prune', ...WORK_KEYS]);
  assertShape('options', others, { shard: 'object?', prune: 'flag?' });
  if (others.shard !== undefined) assertShardOptions(others.shard, others, plan.out);
  return work.run(() => list(plan, others, work));
}

async function list(plan: BatchPlan, { shard, prune }: ListOptions, work: Work): Promise<PlanList> {
  const checked = checkPlan(plan);
  const { bytes } = threadBudget(checked.memory, checked.workers);
  const planned = await findPlannedWork(checked);
  const { inputs, failed } = planned;
  work.expect(inputs.length);
  work.advance(inputs.length);
  await work.pause();
  if (shard !== undefined) {
    const { shares, sizes } = await shareWork(checked, planned, shard.of, bytes);
    const outputs = shares.flatMap((share, index) =>
      share.map(({ output, held: { output: name, pieces } }) => ({
        ...{ output: name, bytes: Math.round(totalBytes([output], sizes)), shard: index + 1 },
        ...(pieces && { pieces: pieces.blocks.map(({ number }) => number + 1), ofPieces: pieces.of }),
      })),
    );
    return { inputs: inputs.map(({ path }) => ({ input: path, bytes: sizes.get(path) ?? 0 })), outputs, failed };
  }
  const files = new InputFingerprints(work.signal ?? new AbortController().signal);
  const sizes = await readSizes(planned.outputs, files);
  const outputs = planned.outputs.map((output) => ({ output: output.name, bytes: totalBytes([output], sizes) }));
  const listed = { inputs: inputs.map(({ path }) => ({ input: path, bytes: sizes.get(path) ?? 0 })), outputs, failed };
  return prune ? { ...listed, ...(await listStale(checked, planned, files)) } : listed;
}

async function listStale(
  plan: CheckedPlan,
  planned: PlannedWork,
  files: InputFingerprints,
): Promise<Pick<PlanList, 'pruned' | 'left'>> {
  const folder = await outputFolder(plan.out);
  const { finished } = await folder.readJournal();
  const known = new Map([...((await readManifest(folder)) ?? []), ...finished]);
  const others = await findOtherOutputs(folder, planned.outputs, known);
  const { intact, left } = await findStaleOutputs(plan, planned, files, { folder, known, others });
  return { pruned: intact.map(({ output, bytes }) => ({ output, bytes })), left };
}
