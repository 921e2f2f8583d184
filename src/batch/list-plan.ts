import { assertKnownKeys } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../check/work.js';
import type { BatchPlan } from './batch-plan.js';
import { checkPlan } from './check-plan.js';
import { InputFingerprints } from './input-fingerprints.js';
import type { FailedOutput } from './manifest.js';
import { readSizes, totalBytes } from './output-bytes.js';
import { findPlannedWork } from './planned-work.js';
import { assertShard, type Shard } from './shards/shard.js';
import { shareWork } from './shards/share-work.js';
import { threadBudget } from './thread-budget.js';

/** What a batch would read and make. */
export interface PlanList {
  /** Files and stores, with their sizes in bytes; 0 where the size cannot be read. */
  readonly inputs: readonly { readonly input: string; readonly bytes: number }[];
  readonly outputs: readonly ListedOutput[];
  /** Inputs that were not found, where the plan continues without them. */
  readonly failed: readonly FailedOutput[];
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
 * many there are. Writes nothing. Throws what `runBatch` throws for a plan or inputs that cannot be used.
 */
export async function listPlan(plan: BatchPlan, options: { shard?: Shard } & WorkOptions = {}): Promise<PlanList> {
  const { work, others } = beginWork(options, 'files');
  assertKnownKeys(others, ['shard', ...WORK_KEYS]);
  const { shard } = others;
  if (shard !== undefined) assertShard(shard);
  return work.run(() => list(plan, shard, work));
}

async function list(plan: BatchPlan, shard: Shard | undefined, work: Work): Promise<PlanList> {
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
  const sizes = await readSizes(planned.outputs, new InputFingerprints(work.signal ?? new AbortController().signal));
  const outputs = planned.outputs.map((output) => ({ output: output.name, bytes: totalBytes([output], sizes) }));
  return { inputs: inputs.map(({ path }) => ({ input: path, bytes: sizes.get(path) ?? 0 })), outputs, failed };
}
