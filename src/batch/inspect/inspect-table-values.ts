import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { findGrid } from '../../files/cf/cells/grid-of-places.js';
import { tablesOfFile } from '../../files/tables-of-file.node.js';
import { checkStatisticsOptions } from '../../statistics/options.js';
import type { DailyTableOptions } from '../../table/daily/daily-options.js';
import { dailyTable } from '../../table/daily/daily-table.js';
import { originalNames } from '../../table/original-names.js';
import { readEnsemble } from '../../table/read-ensemble.js';
import { statedCalendar } from '../../table/table-calendar.js';
import type { Variable } from '../../variable/variable.js';
import { type DailyTablesHooks, dailyTables } from '../run/daily-tables.js';
import { tableGrowthWarning } from '../run/growth-warning.js';
import type { InputFile } from '../run/input-file.js';
import { tableOptions } from '../run/input-statistics.js';
import { readWholeTable } from '../run/read-whole-table.js';
import { ensemblesOfTables } from '../run/statistics-of-tables.js';
import { type CoveredDays, missingDays } from './inspect-days.js';
import { inspectPlaces } from './inspect-places.js';
import { ValueScan } from './inspect-values.js';
import type { InspectedVariable, InspectRequest } from './inspection.js';

/** The days of a table. */
interface KnownDays {
  readonly days: CoveredDays;
  readonly steps: string;
}

/** What is known of a table besides its values. */
export interface KnownOfTable {
  /**
   * The days of rows, and a description of their steps, for what amounts count; undefined if they are not understood.
   */
  readonly covered: (accumulation: InspectedVariable['accumulation']) => KnownDays | undefined;
  /** All rows, if they are in memory already. */
  readonly whole: Table | undefined;
}

/**
 * Summarises the daily values of a variable of a table, and its members and places. Throws what statistics of them
 * would throw.
 */
export async function inspectTableValues(
  core: Core,
  file: InputFile,
  request: InspectRequest,
  requested: Variable | undefined,
  { covered, whole }: KnownOfTable,
): Promise<
  Pick<InspectedVariable, 'units' | 'conversions' | 'accumulation' | 'warnings' | 'members' | 'places' | 'values'>
> {
  const findings: ValueFindings = { conversions: [] };
  let warning: string | undefined;
  const [latitude, longitude]: [number[], number[]] = [[], []];
  let names: readonly string[] | undefined;
  let units: string | undefined;
  let scan: ValueScan | undefined;
  for await (const ensemble of dailyEnsembles(core, file, request, requested, findings, whole)) {
    if (names === undefined && findings.accumulation === undefined && request.options.accumulation === undefined) {
      warning = tableGrowthWarning(ensemble);
    }
    names ??= memberNames(ensemble);
    units ??= ensemble.units;
    scan ??= new ValueScan(ensemble.variable, names, statedCalendar(ensemble.metadata));
    for (const part of ensemble.parts) {
      const { firstDay, days } = part.field;
      const ofRows = covered(findings.accumulation)?.days;
      scan.add(part, ofRows === undefined ? 0 : missingDays(ofRows, firstDay, days));
      for (const degrees of part.latitude) latitude.push(degrees);
      for (const degrees of part.longitude) longitude.push(degrees);
    }
  }
  const { grid } = findGrid(Float64Array.from(latitude), Float64Array.from(longitude));
  return {
    ...(units !== undefined && { units }),
    ...findings,
    ...(warning !== undefined && { warnings: [warning] }),
    ...(names && { members: { count: names.length, first: names[0], last: names[names.length - 1] } }),
    places: inspectPlaces(grid),
    ...(scan && { values: scan.end() }),
  };
}

/** What is reported about values while they are read. */
type ValueFindings = { -readonly [Key in 'conversions' | 'accumulation']?: InspectedVariable[Key] };

/** Reads ensembles of complete locations as they come, or one of all rows if they have to be read together. */
async function* dailyEnsembles(
  core: Core,
  { path, source }: InputFile,
  { options, columns }: InspectRequest,
  variable: Variable | undefined,
  findings: ValueFindings,
  known: Table | undefined,
): AsyncGenerator<Ensemble> {
  const dailyOptions: DailyTableOptions = { ...tableOptions(options), variable, columns, source };
  const { decimal, calendar } = options;
  const reading = { source, ...(decimal !== undefined && { decimal }) };
  const report: DailyTablesHooks['report'] = (conversions, kind) => {
    findings.conversions = conversions;
    if (kind !== undefined) findings.accumulation = kind;
  };
  let isStreamed = false;
  if (known === undefined) {
    const daily = await dailyTables(tablesOfFile(core, path, reading), dailyOptions, { areViews: true, report });
    const checked = checkStatisticsOptions({ variable, columns: daily.columns, calendar, source });
    for await (const ensemble of ensemblesOfTables(daily.tables, checked)) {
      isStreamed = true;
      yield ensemble;
    }
  }
  if (isStreamed) return;
  const whole = known ?? (await readWholeTable(core, path, reading, 'rows can only be understood together'));
  const daily = dailyTable(whole, dailyOptions);
  report(daily.conversions, daily.accumulation);
  yield readEnsemble(daily.table, { variable, columns: daily.columns, calendar, source });
}

function memberNames({ parts, metadata }: Ensemble): readonly string[] {
  return originalNames(
    metadata,
    parts[0].field.members.map(({ name }) => name),
  );
}
