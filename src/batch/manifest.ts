import { version } from '../../package.json';
import { JsonFields } from '../check/json-fields.js';
import { FormatError } from '../errors.js';
import type { CheckedPlan } from './check-plan.js';
import {
  type FinishedOutput,
  type NamedFingerprint,
  readFingerprint,
  readFinishedOutput,
  readOutputFields,
} from './journal.js';
import type { OutputFolder } from './output-folder.js';

/** The name of the manifest in the folder of the outputs. */
export const MANIFEST = 'manifest.json';

/**
 * What a batch read, and what it made. It contains no time of the run: the same work on the same files gives the same
 * bytes.
 */
export interface Manifest {
  readonly plumecast: string;
  /** The plan, without options that do not change the outputs. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly inputs: readonly NamedFingerprint[];
  readonly outputs: readonly ManifestOutput[];
  /** Outputs that could not be made, if the batch continued without them. */
  readonly failed: readonly FailedOutput[];
  /** Outputs of earlier batches in the same folder, made from other inputs or by another plan. */
  readonly others: readonly FinishedOutput[];
}

/** An output as in the journal, with only the paths of its inputs. */
export interface ManifestOutput extends Omit<FinishedOutput, 'inputs'> {
  readonly inputs: readonly string[];
}

export interface FailedOutput {
  /** Undefined for an input that was not found: its outputs are not known. */
  readonly output?: string;
  readonly error: string;
}

export function createManifest(
  plan: CheckedPlan,
  finished: readonly FinishedOutput[],
  failed: readonly FailedOutput[],
  others: readonly FinishedOutput[],
): Manifest {
  const { join, variables, granularities, thresholds, climatologies, verify } = plan;
  const { request, values, format, compression, name } = plan;
  const inputs = new Map(finished.flatMap((output) => output.inputs.map((input) => [input.path, input])));
  return {
    plumecast: version,
    plan: {
      ...{ join, variables, granularities, thresholds, climatologies, verify },
      ...{ request, values, format, compression, name },
    },
    inputs: [...inputs.values()],
    outputs: finished.map((output) => ({ ...output, inputs: output.inputs.map(({ path }) => path) })),
    failed,
    others,
  };
}

/** Failures in the order of the plan, after those of inputs that were not found. */
export function sortFailed(
  failed: readonly FailedOutput[],
  outputs: readonly { readonly name: string }[],
): FailedOutput[] {
  const positions = new Map(outputs.map(({ name }, position) => [name, position]));
  const position = ({ output }: FailedOutput) => positions.get(output ?? '') ?? -1;
  return [...failed].sort((a, b) => position(a) - position(b));
}

/** Writes the manifest of a batch, or of a shard, at once. Throws FileError. */
export async function writeManifest(outputs: OutputFolder, manifest: Manifest & { shard?: object }): Promise<void> {
  await outputs.writeText(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Reads the outputs of a manifest, also those of other plans; undefined if there is no file. Throws FileError, and
 * FormatError for another file.
 */
export async function readManifest(outputs: OutputFolder): Promise<Map<string, FinishedOutput> | undefined> {
  return readManifestFields(outputs, (fields) => {
    const own = readOutputs(fields);
    const others = fields.objects('others').map(readFinishedOutput);
    return new Map([...others, ...own].map((output) => [output.output, output]));
  });
}

/** Reads what `read` takes from a manifest; undefined if there is no file. Throws FileError and FormatError. */
export async function readManifestFields<T>(
  outputs: OutputFolder,
  read: (fields: JsonFields) => T,
): Promise<T | undefined> {
  const path = outputs.pathOf(MANIFEST);
  const text = await outputs.readText(MANIFEST, 'the manifest of a batch');
  if (text === undefined) return undefined;
  try {
    return read(JsonFields.parse(text, path, ALLOWED));
  } catch (cause) {
    const { problem, received } = cause as FormatError;
    throw new FormatError({
      subject: path,
      problem: `is not the manifest of a batch: ${problem}`,
      received,
      allowed: ALLOWED,
      cause,
    });
  }
}

const ALLOWED = 'the file that plumecast batch wrote; without it, everything is computed again';

/** Reads the outputs of a manifest without those of other plans. Throws FormatError. */
export function readOutputs(fields: JsonFields): FinishedOutput[] {
  const byPath = new Map(
    fields
      .objects('inputs')
      .map(readFingerprint)
      .map((input) => [input.path, input]),
  );
  return fields.objects('outputs').map((output) => {
    const inputs = output.texts('inputs').map((path) => {
      const input = byPath.get(path);
      if (input === undefined) throw output.fault('inputs', path, 'paths of the inputs of the manifest');
      return input;
    });
    return { ...readOutputFields(output), inputs };
  });
}
