import { mentionOption, OptionError } from '../errors.js';
import type { Block } from '../files/cf/grid-ensemble.js';
import type { Granularity } from '../period/period.js';
import type { CheckedPlan } from './check-plan.js';
import type { BatchInput } from './find-inputs.js';
import { MANIFEST } from './manifest.js';
import { endingOf, isArrayFormat } from './output-format.js';
import { isByInput, outputName } from './output-name.js';

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
  /** Undefined for the only variable of the input. */
  readonly variable: string | undefined;
  readonly granularity: Granularity;
}

/**
 * Lists the outputs of a plan, in the order of its inputs, then variables, then granularities. Throws OptionError if
 * two inputs have the same name, a name is that of the manifest, or parts cannot be joined.
 */
export function planOutputs(
  plan: CheckedPlan,
  inputs: readonly BatchInput[],
  granularities: readonly Granularity[],
): BatchOutput[] {
  const parts = new Map<string, OutputPart[]>();
  for (const input of inputs) {
    for (const variable of plan.variables) {
      for (const granularity of granularities) {
        const named = { input: input.name, variable: variable ?? input.variable ?? '', granularity };
        const name = outputName(plan.name, named) + endingOf(plan.format);
        const joined = parts.get(name) ?? [];
        joined.push({ input: input.path, variable, granularity });
        parts.set(name, joined);
      }
    }
  }
  const outputs = Array.from(parts, ([name, joined]) => ({ name, parts: joined }));
  for (const output of outputs) assertOutputName(plan, output);
  return outputs;
}

function assertOutputName({ name: template, format }: CheckedPlan, { name, parts }: BatchOutput): void {
  if (name === MANIFEST) {
    throw new OptionError({
      subject: 'name',
      problem: `${parts[0].input} would become ${MANIFEST}, where the batch lists what it made`,
      received: template,
      allowed: 'another name, such as result_{input}, or another format',
    });
  }
  const inputs = new Set(parts.map(({ input }) => input));
  if (inputs.size > 1 && isByInput(template)) {
    const paths = [...inputs].slice(0, 2);
    const oneFile = `${mentionOption('name', 'all')} to write all results to one file`;
    throw new OptionError({
      subject: 'name',
      problem: `two inputs would both become ${name}`,
      received: paths,
      allowed: `the folder that both are in, ${commonFolder(paths)}, whose subfolders are kept in names${isArrayFormat(format) ? '' : `; or ${oneFile}`}`,
    });
  }
  if (parts.length === 1) return;
  if (isArrayFormat(format)) {
    throw new OptionError({
      subject: 'name',
      problem: `${parts.length} grids of results would become one ${format === 'zarr' ? 'Zarr store' : 'NetCDF4 file'}, ${name}`,
      received: template,
      allowed: 'a name with {input}, {variable} and {granularity}, whichever there are several of; or another format',
    });
  }
}

/** The folder that contains both paths. */
function commonFolder([first, second]: readonly string[]): string {
  const [one, other] = [first, second].map((path) => path.replaceAll('\\', '/').split('/').slice(0, -1));
  const differs = one.findIndex((step, i) => step !== other[i]);
  return one.slice(0, differs < 0 ? one.length : differs).join('/') || (first.startsWith('/') ? '/' : '.');
}
