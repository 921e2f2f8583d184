import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { FormatError } from '../errors.js';
import { unreadable, unwritable } from '../file-fault.js';
import type { CheckedPlan } from './batch-plan.js';
import type { FinishedOutput, NamedFingerprint } from './journal.js';

/** The name of the manifest in the folder of the outputs. */
export const MANIFEST = 'manifest.json';

/** What a batch was made of, and what it made. It tells no time of its own: the same work on the same files gives the same bytes. */
export interface Manifest {
  readonly plumecast: string;
  /** The plan without what does not change the outputs. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly inputs: readonly NamedFingerprint[];
  readonly outputs: readonly ManifestOutput[];
  /** Outputs that could not be made, where the batch went on without them. */
  readonly failed: readonly FailedOutput[];
}

/** An output as the journal has it, with the paths of its inputs alone. */
export interface ManifestOutput extends Omit<FinishedOutput, 'inputs'> {
  readonly inputs: readonly string[];
}

export interface FailedOutput {
  /** Undefined where an input was not found, so that its outputs are not known. */
  readonly output?: string;
  readonly error: string;
}

export function manifestOf(
  { variables, thresholds, climatologies, request, values, format, name }: CheckedPlan,
  finished: readonly FinishedOutput[],
  failed: readonly FailedOutput[],
): Manifest {
  const inputs = new Map(finished.flatMap((output) => output.inputs.map((input) => [input.path, input])));
  return {
    plumecast: version,
    plan: { variables, thresholds, climatologies, request, values, format, name },
    inputs: [...inputs.values()],
    outputs: finished.map((output) => ({ ...output, inputs: output.inputs.map(({ path }) => path) })),
    failed,
  };
}

/** Writes a manifest under another name first. Throws FileError. */
export async function writeManifest(out: string, manifest: Manifest): Promise<void> {
  const path = join(out, MANIFEST);
  const temporary = join(out, `.${MANIFEST}.part`);
  try {
    await writeFile(temporary, `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw unwritable(path, cause);
  }
}

/** The outputs of a manifest; nothing where there is none. Throws FileError, and FormatError for what is no manifest. */
export async function readManifest(out: string): Promise<Map<string, FinishedOutput> | undefined> {
  const path = join(out, MANIFEST);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw unreadable(path, cause, 'the manifest of a batch');
  });
  if (text === undefined) return undefined;
  try {
    const { inputs, outputs } = JSON.parse(text) as Manifest;
    const input = new Map(inputs.map((of) => [of.path, of]));
    const whole = (output: ManifestOutput): FinishedOutput => ({
      ...output,
      inputs: output.inputs.map((of) => input.get(of) as NamedFingerprint),
    });
    return new Map(outputs.map((output) => [output.output, whole(output)]));
  } catch (cause) {
    throw new FormatError({
      subject: path,
      problem: 'is no manifest of a batch',
      allowed: 'the file that plumecast batch wrote; without it, all is computed anew',
      cause,
    });
  }
}
