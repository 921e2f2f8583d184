import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { version } from '../../package.json';
import { FileError, mentionOption } from '../errors.js';
import { placeFiles } from '../input/place-options.js';
import { type CheckedPlan, selectThresholds } from './check-plan.js';
import type { InputFingerprints } from './input-fingerprints.js';
import type { FinishedOutput } from './journal.js';
import type { OutputFolder } from './output-folder.js';
import { namedSteps } from './output-name.js';
import type { BatchOutput } from './plan-outputs.js';
import { filesOfVerification } from './planned-verification.js';

/** SHA-256, in hexadecimal, of what is requested of an output and of the version of plumecast. */
export function hashRequest(
  { name, request, values, thresholds, climatologies, verify, format, compression }: CheckedPlan,
  { parts, pieces }: Pick<BatchOutput, 'parts' | 'pieces'>,
): string {
  const limits = parts.map(({ variable }) => selectThresholds(thresholds, variable));
  const requested = { version, request, values, limits, climatologies, verify, format, compression, parts };
  const text = JSON.stringify({ ...requested, years: namedSteps(name).files, blocks: pieces?.blocks });
  return createHash('sha256').update(text).digest('hex');
}

/** The files that an output is computed from. */
export function listSources(plan: CheckedPlan, { parts }: BatchOutput): string[] {
  return [...new Set([...parts.flatMap(({ input, files }) => files ?? [input]), ...filesOfPlan(plan)])];
}

/** The files besides its inputs that a plan reads. */
export function filesOfPlan({ climatologies, verify, values }: CheckedPlan): string[] {
  const verified = verify === undefined ? [] : filesOfVerification(verify);
  return [...climatologies, ...verified, ...placeFiles(values)];
}

/**
 * The output of an earlier batch, with the current times of its inputs; undefined unless the file is intact, and its
 * inputs and its request are the same. `reads` says how it is found out whether inputs are.
 */
export async function findUpToDate(
  plan: CheckedPlan,
  output: BatchOutput,
  known: FinishedOutput | undefined,
  { folder, files, reads, signal }: UpToDateTools,
): Promise<FinishedOutput | undefined> {
  if (known === undefined || known.request !== hashRequest(plan, output)) return undefined;
  const sources = listSources(plan, output);
  if (sources.join('\n') !== known.inputs.map(({ path }) => path).join('\n')) return undefined;
  const inputs = await files.unchangedSince(known.inputs, reads);
  if (inputs === undefined || (await folder.sizeOf(output.name)) !== known.bytes) return undefined;
  const sha256 = await folder.hashOf(output.name, signal);
  return sha256 === known.sha256 ? { ...known, inputs } : undefined;
}

/** How to find out whether an output is up to date. */
export interface UpToDateTools {
  readonly folder: OutputFolder;
  readonly files: InputFingerprints;
  /** Whether inputs of the same size and time are read, too. */
  readonly reads: 'contents' | 'changed times';
  readonly signal: AbortSignal;
}

/** Finds files that earlier batches made, and that are not outputs of this one. */
export async function findOtherOutputs(
  folder: OutputFolder,
  outputs: readonly Pick<BatchOutput, 'name'>[],
  known: ReadonlyMap<string, FinishedOutput>,
): Promise<FinishedOutput[]> {
  const own = new Set(outputs.map(({ name }) => name));
  const others: FinishedOutput[] = [];
  await folder.look([...known.keys()].filter((name) => !own.has(name)));
  for (const [name, other] of known) {
    if (!own.has(name) && (await folder.sizeOf(name)) !== undefined) others.push(other);
  }
  return others.sort((a, b) => (a.output < b.output ? -1 : 1));
}

/**
 * Finds the outputs whose names belong to files that are not known to come from a batch. Throws FileError for the first
 * of them, unless `allowed`, and if an output would replace an input.
 */
export async function findUnknownFiles(
  folder: OutputFolder,
  inputs: readonly string[],
  outputs: readonly Pick<BatchOutput, 'name'>[],
  known: ReadonlyMap<string, FinishedOutput>,
  allowed: boolean,
): Promise<Set<string>> {
  const real = new Set(await Promise.all(inputs.map((path) => realpath(path).catch(() => path))));
  const unknown = new Set<string>();
  await folder.look(outputs.map(({ name }) => name));
  for (const { name } of outputs) {
    const path = folder.pathOf(name);
    const existing = await folder.realPathOf(name);
    if (existing === undefined) continue;
    if (real.has(existing)) {
      throw new FileError({ subject: path, problem: 'is also an input', allowed: 'another folder for the outputs' });
    }
    if (known.has(name)) continue;
    if (!allowed) throw unknownFile(path);
    unknown.add(name);
  }
  return unknown;
}

/** Throws FileError unless a file has this checksum, so that replacing it loses nothing. */
export async function assertSameFile(folder: OutputFolder, name: string, sha256: string): Promise<void> {
  if ((await folder.hashOf(name)) !== sha256) throw unknownFile(folder.pathOf(name));
}

function unknownFile(path: string): FileError {
  return new FileError({
    subject: path,
    problem: 'exists, and no batch is known to have made it',
    allowed: `another folder for the outputs, or ${mentionOption('overwrite', true)} to replace the file`,
  });
}
