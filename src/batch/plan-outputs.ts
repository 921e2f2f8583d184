import { mentionOption, OptionError } from '../errors.js';
import type { Block } from '../files/cf/grid-ensemble.js';
import type { BatchInput } from './batch-input.js';
import type { CheckedPlan } from './check-plan.js';
import { MANIFEST } from './manifest.js';
import { endingOf, isArrayFormat } from './output-format.js';
import { isByInput, namedSteps, outputName } from './output-name.js';
import { joinNames } from './planned-shares.js';

/** A file of results. */
export interface BatchOutput {
  /** Its path below the folder of the outputs. */
  readonly name: string;
  /** Its parts, in the order in which they are written. */
  readonly parts: readonly OutputPart[];
  /** Only these pieces of a grid, whose results are not yet an output: one shard computes them. */
  readonly pieces?: GridPieces;
}

interface GridPieces {
  readonly blocks: readonly Block[];
  /** Their share of the grid, from 0 to 1. */
  readonly share: number;
}

/** The statistics of one variable of one input, for one granularity. */
export interface OutputPart {
  readonly input: string;
  /** The files that are this input, where they are several. */
  readonly files?: readonly string[];
  /** Undefined for the only variable of the input. */
  readonly variable: string | undefined;
  /** The text of its windows. */
  readonly granularity: string;
}

/** Handles an output that cannot be planned: by throwing the error, or by continuing without the output. */
export type OnUnplanned = (error: OptionError, name: string) => void;

/**
 * Lists the outputs of a plan, in the order of its inputs, then variables, then granularities. Throws OptionError if
 * parts cannot be joined. Calls `fault`, which throws by default, for an output that two inputs of the same name would
 * become, and for one with the name of the manifest.
 */
export function planOutputs(
  plan: CheckedPlan,
  inputs: readonly BatchInput[],
  granularities: readonly string[],
  fault: OnUnplanned = (error) => {
    throw error;
  },
): BatchOutput[] {
  const parts = new Map<string, OutputPart[]>();
  // A folder of files of years has no ending.
  const endingOfName = namedSteps(plan.name).files === undefined ? endingOf(plan.format) : '';
  for (const input of inputs) {
    for (const variable of plan.variables) {
      for (const granularity of granularities) {
        const { name: own, ending } = input;
        const ofAll = plan.joint && joinNames(plan.joint);
        const named = { input: own, ending, variable: ofAll ?? variable ?? input.variable ?? '', granularity };
        const name = outputName(plan.name, named) + endingOfName;
        const joined = parts.get(name) ?? [];
        const { path, files } = input;
        joined.push({ input: path, ...(files && { files }), variable, granularity });
        parts.set(name, joined);
      }
    }
  }
  const endings = new Map(inputs.map(({ path, ending }) => [path, ending]));
  const outputs = Array.from(parts, ([name, joined]) => ({ name, parts: joined }));
  return outputs.filter((output) => {
    const error = manifestName(plan, output) ?? sameName(plan, output, endings) ?? nestedName(plan, output, parts);
    if (error === undefined) assertOneGrid(plan, output);
    else fault(error, output.name);
    return error === undefined;
  });
}

/** The error for an output with the name of the manifest. */
function manifestName({ name: template }: CheckedPlan, { name, parts }: BatchOutput): OptionError | undefined {
  if (name !== MANIFEST) return undefined;
  return new OptionError({
    subject: 'name',
    problem: `${parts[0].input} would become ${MANIFEST}, where the batch lists what it made`,
    received: template,
    allowed: 'another name, such as result_{input}, or another format',
  });
}

/** The error for an output within the folder of files of years that another one is: that would be replaced as a whole. */
function nestedName(
  { name: template }: CheckedPlan,
  { name }: BatchOutput,
  outputs: ReadonlyMap<string, unknown>,
): OptionError | undefined {
  if (namedSteps(template).files === undefined) return undefined;
  const steps = name.split('/');
  const above = steps.slice(1).map((_, i) => steps.slice(0, i + 1).join('/'));
  const outer = above.find((folder) => outputs.has(folder));
  if (outer === undefined) return undefined;
  return new OptionError({
    subject: 'name',
    problem: `${name} would lie in the folder ${outer}, which is another output`,
    received: template,
    allowed: 'a name that tells folders apart, such as {input}_{granularity}/year={year}/part',
  });
}

/** The error for an output of several inputs whose template has `{input}`: they have the same name. */
function sameName(
  { name: template, format }: CheckedPlan,
  { name, parts }: BatchOutput,
  endings: ReadonlyMap<string, string>,
): OptionError | undefined {
  const paths = [...new Set(parts.map(({ input }) => input))];
  if (paths.length === 1 || !isByInput(template)) return undefined;
  const differ = new Set(paths.map((path) => endings.get(path))).size === paths.length;
  const remedies = [
    ...(differ ? [`{ending} in the name, such as ${mentionOption('name', `${template}_{ending}`)}`] : []),
    ...(new Set(paths.map(folderOf)).size === 1
      ? []
      : [
          `the folder that ${paths.length === 2 ? 'both' : 'all'} are in, ${commonFolder(paths)}, whose subfolders are kept in names`,
        ]),
    ...(isArrayFormat(format) ? [] : [`${mentionOption('name', 'all')} to write all results to one file`]),
  ];
  const count = paths.length === 2 ? 'two inputs would both' : `${paths.length} inputs would all`;
  const problem = `${count} become ${name}: ${listPaths(paths)}`;
  return new OptionError({ subject: 'name', problem, allowed: remedies.join('; or ') });
}

const MAX_LISTED = 10;

/** Paths in full: a message about them has to name them. */
function listPaths(paths: readonly string[]): string {
  const more = paths.length - MAX_LISTED;
  return more > 0 ? `${paths.slice(0, MAX_LISTED).join(', ')} and ${more} more` : paths.join(', ');
}

/** Throws OptionError for several grids in one file of arrays. */
function assertOneGrid({ name: template, format }: CheckedPlan, { name, parts }: BatchOutput): void {
  if (parts.length === 1 || !isArrayFormat(format)) return;
  throw new OptionError({
    subject: 'name',
    problem: `${parts.length} grids of results would become one ${format === 'zarr' ? 'Zarr store' : 'NetCDF4 file'}, ${name}`,
    received: template,
    allowed: 'a name with {input}, {variable} and {granularity}, whichever there are several of; or another format',
  });
}

/** The folder that contains all paths. */
function commonFolder(paths: readonly string[]): string {
  const [one, ...others] = paths.map((path) => folderOf(path).split('/'));
  const differs = one.findIndex((step, i) => others.some((other) => step !== other[i]));
  return one.slice(0, differs < 0 ? one.length : differs).join('/') || (paths[0].startsWith('/') ? '/' : '.');
}

function folderOf(path: string): string {
  return path.replaceAll('\\', '/').split('/').slice(0, -1).join('/');
}
