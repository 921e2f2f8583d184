import type { Table } from 'apache-arrow';
import { climatologyTable } from '../climate/climatology-table.js';
import { climatologyOfEnsembles } from '../climate/compute-climatology.js';
import {
  type CheckedClimatologyOptions,
  type ClimatologyOptions,
  checkClimatologyOptions,
} from '../climate/options.js';
import { copyField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { NamedEnsemble } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import { hasValues, noValues } from '../ensemble/has-values.js';
import { DataError, mentionOption } from '../errors.js';
import { cellPlaces } from '../files/cf/cells/cell-places.js';
import type { Block, GridEnsemble } from '../files/cf/grid-ensemble.js';
import { ALL_RUNS } from '../files/cf/open-runs.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import type { Granularity } from '../period/period.js';
import { columnOf } from '../table/arrow/table-schema.js';
import { variableByName } from '../variable/find-variable.js';
import { readDailyRuns } from './daily-ensembles.js';
import { type ArrayInput, type Input, openInput, type TableInput } from './input.js';
import { type InputFile, sourceName } from './input-file.js';
import { noStoredPeriods, type ValueOptions } from './input-request.js';
import { type Report, ResultCheck } from './notice.js';
import { openGrid, openGridRuns } from './open-grid.js';
import { OptionUse } from './option-use.js';
import { PeriodSamples } from './period-samples.js';
import { ValueCoverage, watchedGrid } from './value-coverage.js';
import { readWindowTexts } from './window-texts.js';

/** The most runs that a message names. */
const MAX_NAMED = 3;

/** Bytes of values of files of arrays held at a time. */
const GRID_BYTES = 536_870_912;

/**
 * Computes the climatology of files, as `climatology` does for tables; for files of arrays some cells at a time, in
 * bounded memory. With `native` its windows are the weeks or months that the values of files of arrays are of, and
 * `request` has no others. Reports conversions and warnings. Throws as `climatology` does, and DataError if some files hold
 * arrays and others tables.
 */
export async function* climatologyOfInputs(
  core: Core,
  files: readonly (string | InputFile)[],
  request: ClimatologyOptions,
  values: ValueOptions,
  report: Report,
  native = false,
): AsyncGenerator<Table> {
  const options = readWindowTexts({ ...request, calendar: values.calendar, source: files.flatMap(namesOf) });
  const inputs: Input[] = [];
  try {
    const selection = async () => selectArrays([{ ...request, ...values }]);
    const use = new OptionUse(values, { isOne: files.length === 1 });
    const found = { hasValues: false };
    for (const file of files) inputs.push(await openInput(file, values, report, { selection, use }));
    const [first] = inputs;
    const other = inputs.find(({ kind }) => kind !== first.kind);
    if (other !== undefined) throw mixed(first, other);
    const grids = inputs.filter((input) => input.kind === 'arrays');
    if (native && grids.length === 0) throw noStoredPeriods(first.source);
    const tables =
      grids.length > 0
        ? ofGrids(core, grids, options, { values, use, native, found })
        : ofTables(
            core,
            inputs.filter(({ kind }) => kind === 'table') as TableInput[],
            checkClimatologyOptions(options),
            { values, use, found },
          );
    let check: ResultCheck | undefined;
    let hasValues = false;
    const samples = new PeriodSamples();
    for await (const table of tables) {
      if (check === undefined) {
        const { metadata } = table.schema;
        const missing = metadata.get('lacking_years');
        const text = `computed without the missing reference years ${missing}`;
        if (missing !== undefined) report({ kind: 'warning', source: first.source, text });
        const mixed =
          'runs of any start are pooled: each period mixes leads, whose drift of the model counts as variability';
        if (metadata.has('mixed_leads')) report({ kind: 'warning', source: first.source, text: mixed });
        check = new ResultCheck(variableByName(metadata.get('variable') ?? ''), first.source, report);
      }
      check.check(table);
      samples.see(table);
      const mean = columnOf(table, 'mean');
      hasValues ||= mean.nullCount < mean.length;
      yield table;
    }
    const differences = samples.describe();
    if (differences !== undefined) report({ kind: 'note', source: first.source, text: differences });
    if (!hasValues) throw withoutValues(first.source, inputs.length, found.hasValues, options.minSampleShare);
  } finally {
    for (const input of inputs) await input.close();
  }
}

/** The options of values, and which of them inputs use. */
interface ValuesOfInputs {
  readonly values: ValueOptions;
  readonly use: OptionUse;
  /** Whether any input has a value, as far as is known. */
  readonly found: { hasValues: boolean };
}

/** The names of the files of an input. */
function namesOf(input: string | InputFile): readonly string[] {
  return typeof input === 'string' ? [sourceName(input)] : (input.files ?? [input.source]);
}

async function* ofTables(
  core: Core,
  inputs: readonly TableInput[],
  options: CheckedClimatologyOptions,
  { values, use, found }: ValuesOfInputs,
): AsyncGenerator<Table> {
  const read: NamedEnsemble[] = [];
  let areRuns = false;
  for (const input of inputs) {
    const { source } = input;
    const ensembles = await readDailyRuns(input, { ...options, values, use });
    areRuns ||= ensembles.length > 1;
    read.push(...ensembles.map(({ ensemble }) => ({ source, ensemble })));
  }
  use.assertUsed();
  assertConsistent(read, true);
  yield climatologyTable(climatologyOfEnsembles(core, read, options, areRuns));
  reportEmpty(
    inputs,
    read.map(({ source, ensemble }) => ({
      source,
      metadata: ensemble.metadata,
      hasValues: ensemble.parts.some(hasValues),
    })),
    found,
  );
}

async function* ofGrids(
  core: Core,
  inputs: readonly ArrayInput[],
  options: ClimatologyOptions,
  { values, use, found, native }: ValuesOfInputs & { readonly native: boolean },
): AsyncGenerator<Table> {
  const ensembles: GridEnsemble[] = [];
  const requested = native
    ? checkClimatologyOptions({ ...options, halfWidth: undefined })
    : checkClimatologyOptions(options);
  for (const input of inputs) {
    const request = { ...requested, values, native, use };
    // Runs are pooled, each with its own days.
    if (values.init === undefined || values.init === ALL_RUNS) ensembles.push(...(await openGridRuns(input, request)));
    else ensembles.push(await openGrid(input, request));
  }
  use.assertUsed();
  const checked = native ? checkClimatologyOptions({ ...options, granularity: periodsOfAll(ensembles) }) : requested;
  const coverages = ensembles.map(() => new ValueCoverage());
  const watched = ensembles.map((ensemble, i) => watchedGrid(ensemble, coverages[i]));
  yield* climatologyOfGrids(core, watched, checked, ensembles.length > inputs.length);
  reportEmpty(
    inputs,
    ensembles.map(({ source, metadata }, i) => ({ source, metadata, hasValues: coverages[i].hasValues })),
    found,
  );
}

/** The values that a file or run gives to a climatology. */
interface Sampled {
  readonly source: string;
  readonly metadata: ReadonlyMap<string, string>;
  readonly hasValues: boolean;
}

/** Warns of files without a value, or of runs in them, where others have some, which `found` then says. */
function reportEmpty(inputs: readonly Input[], all: readonly Sampled[], found: ValuesOfInputs['found']): void {
  found.hasValues = all.some(({ hasValues }) => hasValues);
  if (!found.hasValues) return;
  for (const { source, report } of inputs) {
    const own = all.filter((each) => each.source === source);
    const empty = own.filter((each) => !each.hasValues);
    if (empty.length === 0) continue;
    const starts = empty.flatMap(({ metadata }) => metadata.get('init_time') ?? []);
    const named =
      starts.length === 0
        ? ''
        : ` (${starts.slice(0, MAX_NAMED).join(', ')}${starts.length > MAX_NAMED ? ', ...' : ''})`;
    const what =
      own.length === 1
        ? 'has no value: all are missing'
        : `${empty.length} of ${own.length} runs${named} have no value`;
    report({ kind: 'warning', source, text: `${what}; the climatology is of the others` });
  }
}

/** The periods that all values are of. Throws DataError where files have others. */
function periodsOfAll([first, ...others]: readonly GridEnsemble[]): Granularity {
  const { granularity = 'daily' } = first;
  const other = others.find((each) => (each.granularity ?? 'daily') !== granularity);
  if (other === undefined) return granularity;
  throw new DataError({
    ...{ source: other.source, problem: `its values are of other periods than in ${first.source}` },
    ...{ received: other.granularity, allowed: granularity },
  });
}

function withoutValues(source: string, count: number, areInputsFilled: boolean, share = 0.8): DataError {
  const all = count > 1 ? `${source} and ${count - 1} more` : source;
  if (!areInputsFilled) return noValues(all);
  return new DataError({
    source: all,
    problem: `no period of the year has the share of valid samples that is asked for, ${share}`,
    allowed: `days with values in most years; or a smaller ${mentionOption('minSampleShare')}`,
  });
}

function mixed(first: Input, other: Input): DataError {
  const describe = { arrays: 'a file of arrays', table: 'a table' };
  return new DataError({
    source: other.source,
    problem: `is ${describe[other.kind]}, and ${first.source} is ${describe[first.kind]}`,
    allowed: 'files of one kind; plumecast convert turns one into the other',
  });
}

/**
 * Computes the climatology of gridded histories or hindcasts, as `climatology` does for tables: a table of some cells
 * at a time, with about `GRID_BYTES` for the values of all files. Each file has the complete grid; files of a history,
 * such as one a year, are joined. Throws as `climatology` does, and DataError if files differ in their grids.
 */
async function* climatologyOfGrids(
  core: Core,
  ensembles: readonly GridEnsemble[],
  options: CheckedClimatologyOptions,
  areRuns: boolean,
): AsyncGenerator<Table> {
  const [first, ...others] = ensembles;
  for (const other of others) assertSameGrid(other, first);
  const days = ensembles.reduce((sum, ensemble) => sum + ensemble.days, 0);
  // The first file gets its share of the bytes, so that all files together take `bytes`.
  for (const block of first.blocks((GRID_BYTES * first.days) / days, [])) {
    const inputs: NamedEnsemble[] = [];
    for (const ensemble of ensembles) inputs.push(await readBlock(core, ensemble, block));
    assertConsistent(inputs, true);
    yield climatologyTable(climatologyOfEnsembles(core, inputs, options, areRuns));
  }
}

/** Reads a block, and copies it out of the core's memory: reading the next file may make that grow, which detaches views. */
async function readBlock(core: Core, grid: GridEnsemble, { cell, cells }: Block): Promise<NamedEnsemble> {
  const { source, variable, units, metadata, days } = grid;
  const mark = core.memory.mark();
  try {
    const { field, ...places } = await grid.read({ cell, cells, day: 0, days }, core);
    const part = { field: copyField(field), ...places };
    return { source, ensemble: { variable, units, metadata, parts: [part] } };
  } finally {
    core.memory.release(mark);
  }
}

function assertSameGrid(ensemble: GridEnsemble, first: GridEnsemble): void {
  const [own, firsts] = [ensemble, first].map(({ grid, cells }) => cellPlaces(grid, 0, cells));
  const sameLength = ensemble.cells === first.cells;
  const differs = (cell: number) =>
    own.latitude[cell] !== firsts.latitude[cell] || own.longitude[cell] !== firsts.longitude[cell];
  const cell = sameLength ? firsts.latitude.findIndex((_, index) => differs(index)) : 0;
  if (cell < 0) return;
  throw new DataError({
    source: ensemble.source,
    problem: `its grid differs from that of ${first.source}`,
    received: sameLength
      ? `${own.latitude[cell]}, ${own.longitude[cell]} as cell ${cell + 1}`
      : `${ensemble.cells} cells`,
    allowed: sameLength ? `${firsts.latitude[cell]}, ${firsts.longitude[cell]}` : `${first.cells} cells`,
  });
}
