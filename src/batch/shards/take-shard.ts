import type { CheckedPlan } from '../check-plan.js';
import { filesOfPlan, findUnknownFiles } from '../known-outputs.js';
import { readManifest } from '../manifest.js';
import { outputFolder } from '../open-outputs.js';
import type { BatchOutput } from '../plan-outputs.js';
import type { PlannedWork } from '../planned-work.js';
import type { ThreadBudget } from '../thread-budget.js';
import { type Shard, shardFolder } from './shard.js';
import type { ShardRecord } from './shard-record.js';
import { shareWork } from './share-work.js';

/** The work of one shard. */
export interface ShardWork {
  /** The folder of the shard. */
  readonly out: string;
  readonly outputs: readonly BatchOutput[];
  readonly record: ShardRecord;
}

/**
 * Finds what a shard of a plan computes. Throws FileError for an output that may not take its place when the shards are
 * merged.
 */
export async function takeShard(
  plan: CheckedPlan,
  planned: PlannedWork,
  shard: Shard,
  { bytes }: ThreadBudget,
  overwrite: boolean,
): Promise<ShardWork> {
  const { shares, record } = await shareWork(plan, planned, shard.of, bytes);
  const own = shares[shard.number - 1];
  const folder = await outputFolder(plan.out);
  const { finished, damage } = await folder.readJournal();
  const known = new Map([...((await readManifest(folder)) ?? []), ...finished]);
  const paths = [...planned.inputs.map(({ path }) => path), ...filesOfPlan(plan)];
  const names = own.map(({ held }) => ({ name: held.output }));
  await findUnknownFiles(folder, paths, names, known, overwrite || damage.lines > 0);
  return {
    out: shardFolder(plan.out, shard),
    outputs: own.map(({ output }) => output),
    record: { ...shard, ...record, held: own.map(({ held }) => held) },
  };
}
