import { createHash } from 'node:crypto';
import type { Table } from 'apache-arrow';
import { isGlob } from '../../batch/batch-input.js';
import { expandGlob } from '../../batch/find-inputs.js';
import { readFileState } from '../../batch/fingerprint.js';
import type { Core } from '../../core/load.js';
import { isAddress } from '../../disk/local-path.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { FileError, OptionError } from '../../errors.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import type { ArraySelection } from '../../files/array/array-selection.js';
import { variableFamily } from '../../files/cf/array-variable.js';
import { orographyTable } from '../../files/cf/orography.js';
import { selectArrays } from '../../files/cf/select-arrays.js';
import { TABLE_FORMATS } from '../../files/formats.js';
import { readDailyEnsemble } from '../../input/daily-ensembles.js';
import { gridInput } from '../../input/daily-input.js';
import { openInput } from '../../input/input.js';
import { columnsOfTable, type ValueOptions } from '../../input/input-request.js';
import { variablesOfArrays, variablesOfTable } from '../../input/list-variables.js';
import { type Report, reportOnce } from '../../input/notice.js';
import { openGrid } from '../../input/open-grid.js';
import type { OptionUse } from '../../input/option-use.js';
import { namesOfMembers, ValueCoverage, watchedGrid } from '../../input/value-coverage.js';
import type { DataFile } from '../../service/ingest/data-file.js';
import type { ClimatologyFile } from '../../service/ingest/ingest-climatology.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { findVariable, resolveVariable } from '../../variable/find-variable.js';
import type { FetchedFiles } from '../fetched-files.js';
import type { Progress } from '../reporter.js';

/** How to read the files for a store. */
export interface ReadingOptions {
  readonly core: Core;
  readonly progress: Progress;
  readonly report: Report;
  readonly fetched: FetchedFiles;
  /** The variables to read from files with several, or the variable of files that do not name it. */
  readonly variables?: readonly string[];
  /** Columns of tables by their role. */
  readonly columns?: ColumnRoles;
  readonly values: ValueOptions;
  /** Sees which value options the files of data use. */
  readonly use: OptionUse;
  /** The place of a series without coordinates. */
  readonly at?: Point;
}

/**
 * A text that changes with files, by their sizes and times, and with how they are read; undefined where some are at web
 * addresses. Throws FileError.
 */
export async function stateOfFiles(
  paths: readonly string[],
  { values, columns, at, fetched: { pattern } }: Pick<ReadingOptions, 'values' | 'columns' | 'at' | 'fetched'>,
): Promise<string | undefined> {
  if (paths.some(isAddress)) return undefined;
  const files = (await Promise.all(paths.map((path) => (isGlob(path) ? expandGlob(path) : [path])))).flat();
  const states = await Promise.all(files.map(readFileState));
  return createHash('sha256')
    .update(JSON.stringify([files, states, values, columns, at, ...(pattern === undefined ? [] : [pattern])]))
    .digest('hex');
}

/**
 * Lists files for ingestion, one for each variable of a path; they are read when they are needed, one at a time. `state`
 * is what `stateOfFiles` says of them. Reports which of several variables are read.
 */
export async function listDataFiles(
  paths: readonly string[],
  given: ReadingOptions,
  state?: string,
): Promise<DataFile[]> {
  // Files are read more than once.
  const options = { ...given, report: reportOnce(given.report) };
  const files: DataFile[] = [];
  for (const path of paths) {
    for (const slug of await chooseVariables(path, options)) {
      files.push({ ...dataFile(path, slug, options), state: state && `${state} ${slug ?? ''}` });
    }
  }
  return files;
}

/** A variable of a path, which is read when it is needed. */
export function dataFile(
  path: string,
  slug: string | undefined,
  {
    core,
    progress,
    report,
    fetched,
    columns,
    values,
    use,
    at,
  }: Omit<ReadingOptions, 'variables' | 'use' | 'progress'> & {
    readonly progress: Pick<Progress, 'report'>;
    readonly use?: OptionUse | undefined;
  },
): DataFile {
  const load = async () => {
    progress.report(path);
    const input = await openInput(await fetched.open(path), values, report, {
      selection: async () => selectArrays([{ variable: slug, ...values }]),
      use,
    });
    const request = { ...(slug === undefined ? {} : resolveVariable(slug)), columns, values, use };
    let isOpen = false;
    try {
      const coverage = new ValueCoverage();
      const within = input.kind === 'arrays' ? input.arrays.filesWithin : undefined;
      const reportCoverage = () => coverage.report(report, input.source, undefined, within);
      if (input.kind !== 'arrays') {
        const ensemble = await readDailyEnsemble(core, input, request);
        for (const part of ensemble.parts) coverage.see(part, namesOfMembers(ensemble, part));
        reportCoverage();
        return ensemble;
      }
      const opened = gridInput(core, watchedGrid(await openGrid(input, request), coverage));
      isOpen = true;
      const close = async () => {
        reportCoverage();
        await input.close();
      };
      return { ...opened, close };
    } finally {
      if (!isOpen) await input.close();
    }
  };
  return { source: path, at, of: slug, load };
}

/** Climatologies, read when they are needed. */
export function climatologyFiles(
  paths: readonly string[],
  reading: Pick<ReadingOptions, 'progress' | 'fetched'>,
): ClimatologyFile[] {
  return paths.map((path) => ({ source: path, load: () => readTableFile(path, reading) }));
}

/** Reads the elevation of places: a table, or the orography of a file of arrays. Throws FileError and FormatError. */
export async function readElevationFile(
  path: string,
  { progress, fetched }: Pick<ReadingOptions, 'progress' | 'fetched'>,
): Promise<Table> {
  progress.report(path);
  const input = await openInput(await fetched.open(path), {}, () => {});
  try {
    return input.kind === 'table' ? await input.read() : await orographyTable(input.arrays);
  } finally {
    await input.close();
  }
}

/** Reads a table. Throws FileError and FormatError. */
async function readTableFile(
  path: string,
  { progress, fetched }: Pick<ReadingOptions, 'progress' | 'fetched'>,
): Promise<Table> {
  progress.report(path);
  const input = await openInput(await fetched.open(path), {}, () => {});
  try {
    if (input.kind === 'table') return await input.read();
  } finally {
    await input.close();
  }
  throw new FileError({
    subject: path,
    problem: 'contains arrays, not a table',
    allowed: TABLE_FORMATS,
  });
}

/** Whether a variable is one of the known ones, or made of the means of its quantity. */
function isHeld(name: string, known: readonly string[]): boolean {
  const { slug } = resolveVariable(name).variable;
  return known.includes(slug) || known.includes(variableFamily(slug)?.mean ?? '');
}

/** The arrays that hold the requested variables: where one is not held, all variables of the file are listed. */
function selectHeld(requested: readonly string[], values: ValueOptions): ArraySelection | undefined {
  const selection = selectArrays(requested.map((variable) => ({ variable, ...values })));
  const isIn = (file: ArrayFile) => requested.every((name) => isHeld(name, variablesOfArrays(file)));
  return selection && { ...selection, isIn };
}

/** The slugs of the variables to read from a file; undefined for the variable that it names. */
async function chooseVariables(
  path: string,
  { progress, report, fetched, variables: requested, columns, values, use }: ReadingOptions,
): Promise<readonly (string | undefined)[]> {
  progress.report(path);
  const input = await openInput(await fetched.open(path), values, report, {
    selection: async () => requested && selectHeld(requested, values),
    use,
  });
  try {
    const known =
      input.kind === 'arrays'
        ? variablesOfArrays(input.arrays)
        : variablesOfTable(await input.read(), columnsOfTable(columns, values));
    const note = (text: string) => report({ kind: 'note', source: path, text });
    if (values.array !== undefined || known.length === 0) return [onlyVariable(path, requested)];
    if (requested === undefined) {
      if (known.length === 1) return [undefined];
      const taken = known.filter((slug) => !findVariable(slug).derived);
      const others = known.filter((slug) => !taken.includes(slug));
      const leftOut = others.length === 0 ? '' : `; left out: ${others.join(', ')}, computed from other variables`;
      note(`holds several variables; reading ${taken.join(', ')}${leftOut}`);
      return taken;
    }
    const held = requested.filter((name) => isHeld(name, known));
    if (held.length > 0) return held;
    if (known.length > 1) return [requested[0]];
    note(`read as the variable that it names, ${known[0]}`);
    return [undefined];
  } finally {
    await input.close();
  }
}

/**
 * The requested variable, for a file that does not name one, or if an array is named. Throws OptionError for several.
 */
function onlyVariable(path: string, requested: readonly string[] | undefined): string | undefined {
  if (requested === undefined || requested.length === 1) return requested?.[0];
  throw new OptionError({
    subject: `${path}, variable`,
    problem: 'the file does not say which of these it holds',
    received: requested.join(', '),
    allowed: 'one variable for such files, or columns or arrays named after them',
  });
}
