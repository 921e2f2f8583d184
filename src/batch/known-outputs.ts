import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { FileError, mentionOption } from '../errors.js';
import { type CheckedPlan, thresholdsOf } from './check-plan.js';
import { hashFile } from './fingerprint.js';
import type { InputFiles } from './input-files.js';
import type { FinishedOutput } from './journal.js';
import type { BatchOutput } from './plan-outputs.js';

/** What is asked of an output, and by which version: SHA-256 in hexadecimal. */
export function outputRequest(
  { request, values, thresholds, climatologies, format, compression }: CheckedPlan,
  { parts }: BatchOutput,
): string {
  const limits = parts.map(({ variable }) => thresholdsOf(thresholds, variable));
  const requested = JSON.stringify({ version, request, values, limits, climatologies, format, compression, parts });
  return createHash('sha256').update(requested).digest('hex');
}

/** The files that an output is computed from. */
export function sourcesOf({ climatologies }: CheckedPlan, { parts }: BatchOutput): string[] {
  return [...new Set([...parts.map(({ input }) => input), ...climatologies])];
}

/**
 * What an earlier batch made of an output, if it is still whole, what it was made of is still the same, and so is what is asked of it;
 * its inputs as they are now, as they may have been touched.
 */
export async function isUpToDate(
  plan: CheckedPlan,
  output: BatchOutput,
  known: FinishedOutput | undefined,
  files: InputFiles,
  signal: AbortSignal,
): Promise<FinishedOutput | undefined> {
  if (known === undefined || known.request !== outputRequest(plan, output)) return undefined;
  const sources = sourcesOf(plan, output);
  if (sources.join('\n') !== known.inputs.map(({ path }) => path).join('\n')) return undefined;
  const inputs = await files.stillSame(known.inputs);
  if (inputs === undefined || (await sizeOf(join(plan.out, output.name))) !== known.bytes) return undefined;
  const sha256 = await hashFile(join(plan.out, output.name), signal).catch(() => undefined);
  return sha256 === known.sha256 ? { ...known, inputs } : undefined;
}

/** What earlier batches made that is not among the outputs, as far as it is still there. */
export async function otherOutputs(
  out: string,
  outputs: readonly BatchOutput[],
  known: ReadonlyMap<string, FinishedOutput>,
): Promise<FinishedOutput[]> {
  const own = new Set(outputs.map(({ name }) => name));
  const others: FinishedOutput[] = [];
  for (const [name, other] of known) {
    if (!own.has(name) && (await sizeOf(join(out, name))) !== undefined) others.push(other);
  }
  return others.sort((a, b) => (a.output < b.output ? -1 : 1));
}

/** Undefined where there is no such file. */
function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (status) => status.size,
    () => undefined,
  );
}

/**
 * The outputs whose names files have that no batch is known to have made. Throws FileError for the first of them, unless that is
 * allowed, and where an output would replace an input.
 */
export async function unknownFiles(
  out: string,
  inputs: readonly string[],
  outputs: readonly BatchOutput[],
  known: ReadonlyMap<string, FinishedOutput>,
  allowed: boolean,
): Promise<Set<string>> {
  const real = new Set(await Promise.all(inputs.map((path) => realpath(path).catch(() => path))));
  const unknown = new Set<string>();
  for (const { name } of outputs) {
    const path = join(out, name);
    const there = await realpath(path).catch(() => undefined);
    if (there === undefined) continue;
    if (real.has(there)) {
      throw new FileError({ subject: path, problem: 'is also an input', allowed: 'another folder for the outputs' });
    }
    if (known.has(name)) continue;
    if (!allowed) throw unknownFile(path);
    unknown.add(name);
  }
  return unknown;
}

/** Throws FileError unless a file has this checksum, so that nothing is lost where it is replaced. */
export async function assertSameFile(path: string, sha256: string): Promise<void> {
  if ((await hashFile(path)) !== sha256) throw unknownFile(path);
}

function unknownFile(path: string): FileError {
  return new FileError({
    subject: path,
    problem: 'exists, and no batch is known to have made it',
    allowed: `another folder for the outputs, or ${mentionOption('overwrite', true)}, with which it is replaced`,
  });
}
