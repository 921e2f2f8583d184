import { join } from 'node:path';
import { FileError, FormatError } from '../../errors.js';
import type { BatchPlan } from '../batch-plan.js';
import { type CheckedPlan, checkPlan } from '../check-plan.js';
import type { FinishedOutput } from '../journal.js';
import { type FailedOutput, MANIFEST } from '../manifest.js';
import type { EndedShard } from './read-shards.js';
import { describeShard } from './shard.js';
import { type HeldOutput, type HeldPieces, heldFile } from './shard-record.js';

/** What is known of an output of the plan. */
export interface ShardedOutput {
  readonly name: string;
  /** The file of the output, or the files of the pieces of its grid, each in a shard. */
  readonly files: readonly ShardFile[];
  /** Why it could not be made. */
  readonly failure?: FailedOutput;
}

/** A file that a shard made. */
export interface ShardFile {
  readonly path: string;
  readonly shard: EndedShard;
  readonly finished: FinishedOutput;
  readonly pieces?: HeldPieces;
}

/**
 * Lists the outputs of the plan of shards, in the order of the plan. Throws FileError unless the shards have each
 * output, and each piece of a grid, exactly once, and computed them from the same inputs.
 */
export function listShardedOutputs(out: string, shards: readonly EndedShard[]): ShardedOutput[] {
  const [{ record }] = shards;
  const byPosition = new Map<number, { shard: EndedShard; held: HeldOutput }[]>();
  for (const shard of shards) {
    for (const held of shard.record.held) {
      const others = byPosition.get(held.position) ?? [];
      byPosition.set(held.position, [...others, { shard, held }]);
    }
  }
  const outputs = Array.from({ length: record.total }, (_, position) => {
    const holders = byPosition.get(position);
    if (holders === undefined) throw missingOutput(out, position, record.total);
    assertEachPieceOnce(holders);
    return shardedOutput(holders);
  });
  assertSameInputs(outputs);
  return outputs;
}

/** The plan of shards. Throws FormatError if a manifest holds none. */
export function readShardedPlan(out: string, { folder, plan }: EndedShard): CheckedPlan {
  const { request, values, variables, ...others } = plan as Record<string, object>;
  const { variables: definitions, ...shared } = Object(request) as { variables?: readonly { slug: string }[] };
  const asGiven = (slug: string) => definitions?.find((own) => own.slug === slug) ?? slug;
  const named = Array.isArray(variables) && variables[0] !== null ? { variables: variables.map(asGiven) } : {};
  try {
    return checkPlan({ inputs: ['-'], out, ...others, ...shared, ...values, ...named } as BatchPlan);
  } catch (cause) {
    const subject = join(folder, MANIFEST);
    throw new FormatError({ subject, problem: `has no plan of a batch: ${(cause as Error).message}`, cause });
  }
}

interface Holder {
  readonly shard: EndedShard;
  readonly held: HeldOutput;
}

/** Throws FileError for an output or a piece that two shards have, or none. */
function assertEachPieceOnce(holders: readonly Holder[]): void {
  const [{ held: first }] = holders;
  const of = first.pieces?.of ?? 1;
  const owners = new Map<number, EndedShard>();
  for (const { held, shard } of holders) {
    for (const number of held.pieces?.blocks.map((piece) => piece.number) ?? [0]) {
      const other = owners.get(number);
      if (other !== undefined) throw overlap(held, other, shard);
      owners.set(number, shard);
    }
  }
  const missing = Array.from({ length: of }, (_, number) => number).filter((number) => !owners.has(number));
  if (missing.length === 0) return;
  throw new FileError({
    subject: first.output,
    problem: `no shard has its pieces ${missing.join(', ')} of ${of}`,
    allowed: 'the shards of one plan as they were made',
  });
}

function overlap({ output }: HeldOutput, one: EndedShard, other: EndedShard): FileError {
  const names = [...new Set([one, other].map(({ record }) => describeShard(record)))];
  return new FileError({
    subject: output,
    problem: `is computed twice, by ${names.join(' and ')}`,
    allowed: 'shards of one plan as they were made, which have no outputs in common',
  });
}

function missingOutput(out: string, position: number, total: number): FileError {
  return new FileError({
    subject: out,
    problem: `no shard has output ${position + 1} of ${total}`,
    allowed: 'the shards of one plan as they were made',
  });
}

/** Throws FileError for an output that a shard does not list as made or failed. */
function shardedOutput(holders: readonly Holder[]): ShardedOutput {
  const name = holders[0].held.output;
  const files: ShardFile[] = [];
  for (const { shard, held } of holders) {
    const file = heldFile(held);
    const finished = shard.finished.get(file);
    const failure = shard.failed.find(({ output }) => output === file);
    if (failure !== undefined) return { name, files: [], failure: { output: name, error: failure.error } };
    if (finished === undefined) throw unlisted(shard, file);
    files.push({ path: join(shard.folder, file), shard, finished, pieces: held.pieces });
  }
  return { name, files };
}

function unlisted({ folder, record }: EndedShard, file: string): FileError {
  return new FileError({
    subject: join(folder, MANIFEST),
    problem: `does not list ${file}, which ${describeShard(record)} computes`,
    allowed: 'the manifest as it was written: run the shard again',
  });
}

/** Throws FileError for an input that was changed between two shards. */
function assertSameInputs(outputs: readonly ShardedOutput[]): void {
  const first = new Map<string, { sha256: string; shard: EndedShard }>();
  for (const { shard, finished } of outputs.flatMap(({ files }) => files)) {
    for (const { path, sha256 } of finished.inputs) {
      const known = first.get(path);
      if (known === undefined) first.set(path, { sha256, shard });
      else if (known.sha256 !== sha256) throw changedInput(path, known.shard, shard);
    }
  }
}

function changedInput(path: string, one: EndedShard, other: EndedShard): FileError {
  return new FileError({
    subject: path,
    problem: `was changed between ${describeShard(one.record)} and ${describeShard(other.record)}`,
    allowed: 'inputs that stay the same until all shards have ended: run the shards that read it again',
  });
}
