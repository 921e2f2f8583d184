import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { chosenCells } from '../ensemble/cells-with-ids.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { mentionOption, OptionError } from '../errors.js';
import { isClimatologyFile, isClimatologyTable } from '../files/cf/content/climatology-netcdf.js';
import { climatologyTables } from '../files/cf/content/climatology-tables.js';
import { contentOfTable } from '../files/cf/content/content-of-table.js';
import { ensembleNetcdf } from '../files/cf/content/ensemble-netcdf.js';
import { isStatisticsFile } from '../files/cf/content/statistics-netcdf.js';
import { isStatisticsTable } from '../files/cf/content/table-results.js';
import { canonicalMetadata, tablesOfPart } from '../files/cf/part-tables.js';
import { netcdfOfEnsemble } from '../files/cf/table-ensemble.js';
import type { NetcdfContent } from '../files/netcdf4/netcdf-content.js';
import { withoutPoints } from '../files/parquet/table-points.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { makeDaily } from '../table/daily/daily-table.js';
import { zoneNote } from '../table/daily/step-table.js';
import { readEnsemble } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import { type NamedVariable, resolveVariable } from '../variable/find-variable.js';
import type { ArrayInput, Input, TableInput } from './input.js';
import { columnsOfTable, tableOptions, type ValueOptions } from './input-request.js';
import { reportNotes, reportWarnings } from './notice.js';
import { openGrid } from './open-grid.js';
import { OptionUse } from './option-use.js';
import { readStatisticsNetcdf } from './read-statistics-netcdf.js';
import { readRowsOfVariable } from './rows-of-variable.js';
import { collectTable } from './table-ensembles.js';
import { DailyValueCheck } from './value-check.js';

/** What to convert, and what the input does not state. */
export interface ConvertRequest {
  /** The slug of the variable, or a name that files use: one of several in the input, or one that it does not name. */
  readonly variable?: string;
  /** Names of columns of tables that are not the usual ones. */
  readonly columns?: ColumnRoles;
  readonly values: ValueOptions;
}

/** Writes content to a file; `check` is called when all is written, before the file is there. */
type WriteContent = (content: NetcdfContent, check?: () => void) => Promise<void>;

/** Bytes of values of files of arrays held at a time. */
const GRID_BYTES = 268_435_456;

/**
 * Reads an input as tables with one schema, one after the other.
 *
 * Arrays become the canonical table of daily values of one variable, location by location, block by block. So does a
 * table of at most 1 GiB if the request states something about its values. Other tables keep their columns, values and
 * metadata, but for the points of GeoParquet; memory does not grow with their length, and each is valid until the next one is requested. Reports
 * conversions and warnings.
 *
 * Throws as `gridEnsemble`, `makeDaily` and `readTables` do.
 */
export async function* readInputTables(core: Core, input: Input, request: ConvertRequest): AsyncGenerator<Table> {
  if (input.kind === 'arrays') {
    yield* tablesOfGrid(core, input, request);
  } else if (isUnchanged(request)) {
    let isFirst = true;
    for await (const read of input.tables(core)) {
      const table = withoutPoints(read);
      if (isFirst) reportNotes(input.report, input.source, zoneNote(table));
      if (isFirst && table !== read) reportNotes(input.report, input.source, ['points left out: they are the places']);
      isFirst = false;
      yield table;
    }
  } else {
    const all = await collectTable(core, input, 'its values are converted');
    const { parts, metadata, variable, units } = withinBox(dailyEnsemble(all, input, request), input, request);
    const members = parts[0].field.members.map(({ name }) => name);
    const texts = canonicalMetadata({ metadata, variable: variable?.slug, units, members });
    const check = new DailyValueCheck(input.source);
    for (const part of parts) check.see(part);
    check.end();
    for (const part of parts) yield* tablesOfPart(part, texts);
  }
}

/**
 * Passes an input to `write` as the content of a NetCDF file: daily values or statistics on their grid, arrays block by
 * block. Tables may have 1 GiB at most. Reports conversions and warnings. Throws as `readInputTables` does.
 */
export async function writeInputAsNetcdf(
  core: Core,
  input: Input,
  request: ConvertRequest,
  write: WriteContent,
): Promise<void> {
  if (input.kind === 'arrays') return writeGrid(core, input, request, write);
  const { source } = input;
  const all = await collectTable(core, input, 'NetCDF is written by day');
  if (isStatisticsTable(all) || isClimatologyTable(all)) {
    assertNoBox(input, request);
    await write(contentOfTable(all, { source, calendar: request.values.calendar }));
    return;
  }
  const ensemble = withinBox(dailyEnsemble(all, input, request), input, request);
  const check = new DailyValueCheck(source);
  for (const part of ensemble.parts) check.see(part);
  check.end();
  await write(netcdfOfEnsemble(ensemble));
}

/** Whether the request states nothing about the values of a table, so that they stay as they are. */
function isUnchanged({ variable, columns, values }: ConvertRequest): boolean {
  const { array, init, decimal, sheet, virtualChunks, missingChunks, ...ofTables } = values;
  return [variable, columns, ...Object.values(ofTables)].every((said) => said === undefined);
}

function dailyEnsemble(given: Table, { source, report }: TableInput, request: ConvertRequest): Ensemble {
  const columns = columnsOfTable(request.columns, request.values);
  const options = { ...requested(request), columns, ...tableOptions(request.values), source };
  return readRowsOfVariable(given, options, (table) => {
    const daily = makeDaily(table, options);
    reportNotes(report, source, daily.conversions);
    reportWarnings(report, source, daily.warnings);
    const read = { ...requested(request), columns: daily.columns, source, places: readPlaces };
    const ensemble = readEnsemble(daily.table, read);
    new OptionUse(request.values, { isOne: true }).read(ensemble.variable, source, daily.times === undefined);
    return ensemble;
  });
}

/** The cells of an ensemble within the requested box, if there is one. */
function withinBox(ensemble: Ensemble, { source, report }: TableInput, { values }: ConvertRequest): Ensemble {
  const cells = chosenCells(values, source);
  if (cells === undefined) return ensemble;
  const within = cells.select(ensemble);
  cells.assertFound();
  reportNotes(report, source, [cells.note]);
  return within as Ensemble;
}

function requested({ variable, values: { calendar } }: ConvertRequest): Partial<NamedVariable> & { calendar?: string } {
  return { calendar, ...(variable !== undefined && resolveVariable(variable)) };
}

/** Throws OptionError where a box or ids are requested of statistics or a climatology, which are converted as they are. */
function assertNoBox({ source }: Input, { values: { bbox, ids } }: ConvertRequest): void {
  const option = bbox !== undefined ? 'bbox' : ids !== undefined ? 'ids' : undefined;
  if (option === undefined) return;
  throw new OptionError({
    ...{ subject: `${source}, ${option}`, problem: 'statistics and climatologies are converted as they are' },
    allowed: `no ${mentionOption(option)}, or a file of daily values`,
  });
}

async function* tablesOfGrid(core: Core, input: ArrayInput, request: ConvertRequest): AsyncGenerator<Table> {
  const { arrays } = input;
  if (isClimatologyFile(arrays) || isStatisticsFile(arrays)) assertNoBox(input, request);
  if (isClimatologyFile(arrays)) return yield* climatologyTables(arrays);
  const note = (text: string) => reportNotes(input.report, input.source, [text]);
  if (isStatisticsFile(arrays)) return yield* readStatisticsNetcdf(arrays, note);
  const mark = core.memory.mark();
  try {
    const ensemble = await openGrid(input, request);
    new OptionUse(request.values, { isOne: true }).read(ensemble.variable, input.source);
    const metadata = canonicalMetadata({ ...ensemble, variable: ensemble.variable?.slug ?? ensemble.array });
    const check = new DailyValueCheck(input.source);
    for (const block of ensemble.blocks(GRID_BYTES, [])) {
      yield* tablesOfPart(check.see(await ensemble.read(block, core)), metadata);
      core.memory.release(mark);
    }
    check.end();
  } finally {
    core.memory.release(mark);
  }
}

async function writeGrid(core: Core, input: ArrayInput, request: ConvertRequest, write: WriteContent): Promise<void> {
  const { arrays } = input;
  const isClimatology = isClimatologyFile(arrays);
  if (isClimatology || isStatisticsFile(arrays)) {
    assertNoBox(input, request);
    const tables = isClimatology ? climatologyTables(arrays) : readStatisticsNetcdf(arrays);
    return write(contentOfTable(joinTables(await allTables(tables))));
  }
  const mark = core.memory.mark();
  try {
    const ensemble = await openGrid(input, { ...request, keepsGrid: true });
    new OptionUse(request.values, { isOne: true }).read(ensemble.variable, input.source);
    const { variable, array, metadata, days } = ensemble;
    const anyDays = Array.from({ length: days }, (_, day) => day);
    const named = { ...ensemble, metadata: new Map([...metadata, ['variable', variable?.slug ?? array]]) };
    const check = new DailyValueCheck(input.source);
    const content = ensembleNetcdf(named, ensemble.blocks(GRID_BYTES, anyDays), async (block) => {
      core.memory.release(mark);
      return check.see(await ensemble.read(block, core));
    });
    await write(content, () => check.end());
  } finally {
    core.memory.release(mark);
  }
}
