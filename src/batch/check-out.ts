import { isAddress } from '../disk/local-path.js';
import { mentionOption, OptionError } from '../errors.js';
import type { BatchPlan } from './batch-plan.js';
import { bucketOfOutputs } from './open-outputs.js';
import { isArrayFormat, type OutputFormat } from './output-format.js';
import { namedSteps } from './output-name.js';

/** Throws OptionError for what names no folder, and FileError for addresses that outputs are not written to. */
export function assertFolder(out: string): void {
  if (typeof out !== 'string' || out === '')
    throw new OptionError({ subject: 'out', problem: 'must not be empty', allowed: 'the folder of the results' });
  if (isAddress(out)) bucketOfOutputs(out);
  const [placeholder] = /\{\w+\}/.exec(out) ?? [];
  if (placeholder === undefined) return;
  const problem = `has ${placeholder}, and is one folder`;
  throw new OptionError({
    subject: 'out',
    problem,
    received: out,
    allowed: `${mentionOption('name', `${placeholder}/{input}`)} for folders below it`,
  });
}

/** Throws OptionError for outputs of several files in a bucket, where nothing makes them appear as a whole. */
export function assertSingleFiles({ out, format, name }: Pick<BatchPlan, 'out' | 'format' | 'name'>): void {
  if (!isAddress(out)) return;
  const isFolder = name !== undefined && namedSteps(name).files !== undefined;
  if (!isFolder && format !== 'zarr') return;
  throw new OptionError({
    subject: 'out',
    problem: `is an address, and ${isFolder ? 'a folder with a file for each year' : 'a Zarr store'} is written to a folder`,
    received: out,
    allowed: isFolder
      ? `the path of a folder, or ${mentionOption('name', '{input}')} for one file each`
      : `the path of a folder, or ${mentionOption('format', 'netcdf')}`,
  });
}

/** Throws OptionError for a name with `{year}` of what has no rows of windows. */
export function assertDivisible(name: string, format: OutputFormat, verify: object | undefined): void {
  if (namedSteps(name).files === undefined || (verify === undefined && !isArrayFormat(format))) return;
  throw new OptionError({
    subject: 'name',
    problem: `divides rows by {year}, and ${verify === undefined ? `${format} has a grid` : 'scores have no year'}`,
    received: name,
    allowed: verify === undefined ? 'a format of tables, or a name without {year}' : 'a name without {year}',
  });
}
