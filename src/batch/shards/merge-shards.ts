import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assertKind, assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../../check/work.js';
import { unwritable } from '../../disk/file-fault.js';
import { FileError } from '../../errors.js';
import type { CheckedPlan } from '../check-plan.js';
import { hashFile, readFileState } from '../fingerprint.js';
import { InputFingerprints } from '../input-fingerprints.js';
import { type FinishedOutput, readOutputFields } from '../journal.js';
import { findOtherOutputs, findUnknownFiles, hashRequest } from '../known-outputs.js';
import { createManifest, type FailedOutput, readManifest, readManifestFields, writeManifest } from '../manifest.js';
import { outputFolder } from '../open-outputs.js';
import { threadBudget } from '../thread-budget.js';
import { WorkFolder } from '../work-folder.js';
import { WorkerThread } from '../worker-thread.js';
import { listShardedOutputs, readShardedPlan, type ShardedOutput, type ShardFile } from './merge-plan.js';
import { type EndedShard, readShards } from './read-shards.js';
import { assertSharedFolder, describeShard, SHARDS } from './shard.js';
import { heldFile } from './shard-record.js';

/** How to merge. */
export interface MergeOptions extends WorkOptions {
  /** Whether to replace files that no batch made. Default false. */
  overwrite?: boolean;
}

/** What was merged. */
export interface MergeReport {
  /** `incomplete` if the shards could not make some outputs. */
  readonly status: 'done' | 'incomplete';
  /** The number of outputs of all shards. */
  readonly outputs: number;
  readonly failed: readonly FailedOutput[];
  /** Whether an earlier merge had moved all outputs into place, and none was left to do. */
  readonly alreadyMerged: boolean;
}

/** Shards whose outputs are all in place. */
const MERGED = '.plumecast-merged';

/**
 * Merges the shards of a batch in the folder of their outputs: moves all outputs into place, writes the manifest that
 * one batch would have written, byte for byte, and removes the shards. After a kill at any moment it can be called
 * again; where there are no shards, and all outputs of the manifest are in place, it does nothing.
 *
 * `signal` ends it before anything is moved, and `onProgress` counts the outputs that are checked.
 *
 * Before anything is moved, it checks that all shards are there and have ended, are of one plan and one version, have
 * each output exactly once, read the same inputs, and that their files have the checksums in their manifests. Rejects
 * with FileError otherwise, and for a file that no batch made in the place of an output, unless `overwrite` is true;
 * with FormatError for a damaged manifest. An output whose grid was divided among shards is written here: its input
 * must be there as it was.
 */
export async function mergeShards(out: string, options: MergeOptions = {}): Promise<MergeReport> {
  assertKind('out', out, 'text');
  assertSharedFolder(out);
  const { work, others } = beginWork(options, 'outputs');
  assertKnownKeys(others, ['overwrite', ...WORK_KEYS]);
  assertShape('options', others, { overwrite: 'flag?' });
  return work.run(() => mergeFolder(out, others.overwrite ?? false, work));
}

async function mergeFolder(out: string, overwrite: boolean, turns: Work): Promise<MergeReport> {
  await removeMerged(out);
  const earlier = (await exists(join(out, SHARDS))) ? undefined : await findMerged(out);
  if (earlier !== undefined) return earlier;
  const shards = await readShards(out);
  const work = await WorkFolder.open(out);
  try {
    const report = await merge(out, shards, { work, turns }, overwrite);
    await work.remove();
    // A kill while many files are removed leaves them under a name that says that all outputs are in place.
    await rename(join(out, SHARDS), join(out, MERGED)).catch((cause) => {
      throw unwritable(join(out, SHARDS), cause);
    });
    await removeMerged(out);
    return report;
  } finally {
    await work.leave();
  }
}

/** Removes what an earlier merge left when it was killed at its end. */
async function removeMerged(out: string): Promise<void> {
  const path = join(out, MERGED);
  await rm(path, { recursive: true, force: true }).catch((cause) => {
    throw unwritable(path, cause);
  });
}

/** The report of an earlier merge; undefined without a manifest, or where one of its outputs is not in place. */
async function findMerged(out: string): Promise<MergeReport | undefined> {
  const folder = await outputFolder(out);
  const found = await readManifestFields(folder, (fields) => ({
    outputs: fields.objects('outputs').map(readOutputFields),
    failed: fields.objects('failed').map((each) => ({
      ...{ output: each.optionalText('output'), error: each.text('error') },
    })),
  }));
  if (found === undefined) return undefined;
  for (const { output, bytes } of found.outputs) {
    if ((await folder.sizeOf(output)) !== bytes) return undefined;
  }
  return { ...createReport(found.outputs.length, found.failed), alreadyMerged: true };
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function merge(
  out: string,
  shards: readonly EndedShard[],
  { work, turns }: { readonly work: WorkFolder; readonly turns: Work },
  overwrite: boolean,
): Promise<MergeReport> {
  const plan = readShardedPlan(out, shards[0]);
  const outputs = listShardedOutputs(out, shards);
  const { finished, damage } = work.journal;
  const known = new Map([...((await readManifest(work.outputs)) ?? []), ...finished]);
  const inputs = outputs.flatMap(({ files }) => files.flatMap((file) => file.finished.inputs.map(({ path }) => path)));
  await findUnknownFiles(work.outputs, [...new Set(inputs)], outputs, known, overwrite || damage.lines > 0);
  turns.expect(outputs.length);
  const moves = await checkFiles(out, outputs, turns);
  const written = await writeDivided(plan, outputs, work, turns);
  const made: FinishedOutput[] = [];
  for (const [index, { files }] of outputs.entries()) {
    const joined = written.get(index);
    const from = moves.get(index);
    if (joined !== undefined) await work.finish(index, joined);
    else if (from !== undefined) await work.finish(index, files[0].finished, from);
    made.push(...(joined === undefined ? files.map((file) => file.finished) : [joined]));
  }
  const [first] = shards;
  const held = new Set(first.record.held.map(heldFile));
  // Inputs that were not found, and inputs of the same name: every shard lists them.
  const unplanned = first.failed.filter(({ output }) => output === undefined || !held.has(output));
  const failed = [...unplanned, ...outputs.flatMap(({ failure }) => failure ?? [])];
  // Those that failed now are still there as they were made before.
  const others = await findOtherOutputs(
    work.outputs,
    made.map(({ output }) => ({ name: output })),
    known,
  );
  await writeManifest(work.outputs, createManifest(plan, made, failed, others));
  return createReport(made.length, failed);
}

function createReport(outputs: number, failed: readonly FailedOutput[]): MergeReport {
  return { status: failed.length === 0 ? 'done' : 'incomplete', outputs, failed, alreadyMerged: false };
}

/**
 * Checks the checksums of all files. Returns the paths of entire outputs, by their index, that an earlier merge has not
 * moved. Throws FileError for a file that is missing or changed.
 */
async function checkFiles(out: string, outputs: readonly ShardedOutput[], turns: Work): Promise<Map<number, string>> {
  const moves = new Map<number, string>();
  for (const [index, { name, files }] of outputs.entries()) {
    for (const file of files) {
      if (await isIntact(file.path, file.finished)) moves.set(index, file.path);
      else if (file.pieces !== undefined || !(await isIntact(join(out, name), file.finished))) throw damaged(file);
      await turns.pause();
    }
    turns.advance(1);
  }
  return moves;
}

async function isIntact(path: string, { bytes, sha256 }: FinishedOutput): Promise<boolean> {
  const state = await readFileState(path).catch(() => undefined);
  return state?.bytes === bytes && (await hashFile(path)) === sha256;
}

function damaged({ path, shard: { record } }: ShardFile): FileError {
  return new FileError({
    subject: path,
    problem: `is missing, or is not as ${describeShard(record)} wrote it`,
    allowed: 'the files of shards as they were written: run the shard again',
  });
}

/** Writes the outputs whose grids were divided among shards to temporary files. Throws FileError. */
async function writeDivided(
  plan: CheckedPlan,
  outputs: readonly ShardedOutput[],
  work: WorkFolder,
  turns: Work,
): Promise<Map<number, FinishedOutput>> {
  const written = new Map<number, FinishedOutput>();
  const inputs = new InputFingerprints(new AbortController().signal);
  const worker = new WorkerThread({ plan, ...threadBudget(plan.memory, 1) });
  try {
    for (const [index, output] of outputs.entries()) {
      if (output.files.every(({ pieces }) => pieces === undefined)) continue;
      turns.check();
      written.set(index, await writeOutput(plan, index, output, { work, worker, inputs }));
    }
  } finally {
    await worker.stop();
  }
  return written;
}

interface DividedTools {
  readonly work: WorkFolder;
  readonly worker: WorkerThread;
  readonly inputs: InputFingerprints;
}

async function writeOutput(
  plan: CheckedPlan,
  index: number,
  { name, files }: ShardedOutput,
  { work, worker, inputs }: DividedTools,
): Promise<FinishedOutput> {
  const [{ finished }] = files;
  const parts = files.flatMap(({ pieces }) => pieces?.part ?? []).slice(0, 1);
  if ((await inputs.unchangedSince(finished.inputs)) === undefined) throw changedInput(name, finished);
  const computedPieces = files.map(({ path, pieces }) => ({ path, blocks: pieces?.blocks ?? [] }));
  const places = { temporary: work.temporary(index), results: work.results(index) };
  const task = { kind: 'output', parts, ...places, computed: true, share: false, computedPieces } as const;
  const outcome = await worker.perform(task, () => {});
  await rm(places.results, { force: true });
  if (outcome.kind !== 'done') throw notWritten(plan, name, outcome.kind === 'failed' ? outcome.fault.message : '');
  const measured = await work.measure(index, name);
  return {
    output: name,
    ...measured,
    rows: outcome.rows,
    request: hashRequest(plan, { parts }),
    inputs: finished.inputs,
  };
}

function changedInput(name: string, { inputs }: FinishedOutput): FileError {
  return new FileError({
    subject: inputs.map(({ path }) => path).join(', '),
    problem: `is missing here or was changed, and ${name}, which shards computed in pieces, is written from its grid`,
    allowed: 'the inputs as the shards read them, at the same paths',
  });
}

function notWritten({ out }: CheckedPlan, name: string, why: string): FileError {
  return new FileError({ subject: join(out, name), problem: `cannot be written from the pieces of shards: ${why}` });
}
