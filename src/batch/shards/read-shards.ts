import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { unreadable } from '../../disk/file-fault.js';
import { FileError, mentionOption } from '../../errors.js';
import type { FinishedOutput } from '../journal.js';
import { type FailedOutput, MANIFEST, readManifestFields, readOutputs } from '../manifest.js';
import { outputFolder } from '../open-outputs.js';
import { WorkFolder } from '../work-folder.js';
import { describeShard, SHARDS, type Shard, shardFolder, shardOfFolder } from './shard.js';
import { readShardRecord, type ShardRecord } from './shard-record.js';

/** A shard that has ended, as its manifest describes it. */
export interface EndedShard {
  readonly folder: string;
  readonly record: ShardRecord;
  /** The options of its plan, as JSON. */
  readonly plan: unknown;
  readonly finished: ReadonlyMap<string, FinishedOutput>;
  readonly failed: readonly FailedOutput[];
}

/**
 * Reads the shards in a folder of outputs, from the first to the last. Throws FileError unless all shards are there,
 * have ended, and are of one plan and of this version of plumecast.
 */
export async function readShards(out: string): Promise<EndedShard[]> {
  const of = await findNumberOfShards(out);
  const shards: EndedShard[] = [];
  const missing: number[] = [];
  for (let number = 1; number <= of; number++) {
    const shard = await readShard(out, { number, of });
    if (shard === undefined) missing.push(number);
    else shards.push(shard);
  }
  if (missing.length > 0) throw missingShards(out, of, missing);
  for (const shard of shards) assertSamePlan(shards[0], shard);
  return shards;
}

/** The number of shards that the folders in a folder of outputs are of. */
async function findNumberOfShards(out: string): Promise<number> {
  const path = join(out, SHARDS);
  const names = await readdir(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw unreadable(path, cause, 'a folder that may be read');
  });
  const numbers = [...new Set(names.flatMap((name) => shardOfFolder(name)?.of ?? []))].sort((a, b) => a - b);
  if (numbers.length === 1) return numbers[0];
  if (numbers.length === 0) {
    throw new FileError({
      subject: out,
      problem: 'has no shards, and no complete outputs of an earlier merge',
      allowed: `the folder of the outputs of a batch in shards, ${mentionOption('shard')}`,
    });
  }
  throw new FileError({
    subject: path,
    problem: `has shards of several divisions: of ${numbers.join(', of ')}`,
    allowed: `shards of one; remove the folders of the others, such as ${numbers.map((of) => `*-of-${of}`).join(' or ')}`,
  });
}

/** Reads a shard; undefined if it has not ended. Throws FileError if it is running, or is another one. */
async function readShard(out: string, shard: Shard): Promise<EndedShard | undefined> {
  const folder = shardFolder(out, shard);
  const found = await readManifestFields(await outputFolder(folder), (fields) => ({
    ...{ version: fields.text('plumecast'), plan: fields.value('plan') },
    record: readShardRecord(fields.object('shard')),
    finished: new Map(readOutputs(fields).map((output) => [output.output, output])),
    failed: fields
      .objects('failed')
      .map((each) => ({ output: each.optionalText('output'), error: each.text('error') })),
  }));
  if (found === undefined || (await isWorking(folder))) return undefined;
  const { version: made, ...ended } = found;
  const subject = join(folder, MANIFEST);
  if (made !== version) {
    const allowed = `${version}, the version of this command: run the shard again, or merge with ${made}`;
    throw new FileError({ subject, problem: 'was written by another version of plumecast', received: made, allowed });
  }
  const { number, of } = ended.record;
  if (number === shard.number && of === shard.of) return { ...ended, folder };
  const allowed = `${describeShard(shard)}: run it again`;
  throw new FileError({ subject, problem: `is of ${describeShard({ number, of })}`, allowed });
}

/** Whether a shard was begun again and has not ended. Throws FileError if it is running. */
async function isWorking(folder: string): Promise<boolean> {
  const work = await WorkFolder.open(folder);
  await work.leave();
  const { finished, damage } = work.journal;
  return finished.size > 0 || damage.lines > 0;
}

function missingShards(out: string, of: number, missing: readonly number[]): FileError {
  const [first] = missing;
  return new FileError({
    subject: out,
    problem: `${missing.length} of ${of} shards are missing or have not ended: ${ranges(missing)}`,
    allowed: `all of them; run the others with the same plan, such as ${mentionOption('shard')} ${first}/${of} with ${mentionOption('resume', true)}`,
  });
}

/** `2,5-7`, as job arrays take them. */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',');
}

/** Throws FileError for a shard of another plan than the first. */
function assertSamePlan(first: EndedShard, shard: EndedShard): void {
  const [a, b] = [first.record, shard.record];
  if (a.plan === b.plan && a.total === b.total) return;
  const difference =
    JSON.stringify(first.plan) !== JSON.stringify(shard.plan)
      ? `options differ: ${differingOptions(first.plan, shard.plan)}`
      : a.inputs !== b.inputs
        ? 'the inputs or their sizes differ'
        : 'the outputs or the pieces of large grids differ';
  throw new FileError({
    subject: shard.folder,
    problem: `${describeShard(b)} is of another plan than ${describeShard(a)}: ${difference}`,
    allowed: 'shards of the same options and inputs: run those of the other plan again',
  });
}

/** The names of the options that two plans have different values of. */
function differingOptions(first: unknown, other: unknown): string {
  const [a, b] = [first, other].map(flatOptions);
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name])).join(', ');
}

function flatOptions(plan: unknown): Record<string, unknown> {
  const { request, values, ...others } = plan as Record<string, object>;
  return { ...others, ...request, ...values };
}
