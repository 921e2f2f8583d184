import type { Table } from 'apache-arrow';
import type { Ensemble } from '../arrow/ensemble.js';
import { originalNames } from '../arrow/original-names.js';
import { readEnsemble } from '../arrow/read-ensemble.js';
import type { Core } from '../core/load.js';
import type { DailyTableOptions } from '../daily/daily-options.js';
import { dailyTable } from '../daily/daily-table.js';
import { gridOfPlaces } from '../grid/grid-of-places.js';
import { checkStatisticsOptions } from '../statistics/options.js';
import { dailyTables } from '../stream/daily-tables.js';
import { ensemblesOfTables } from '../stream/statistics-of-tables.js';
import { tablesOfFile } from '../stream/tables-of-file.node.js';
import type { Variable } from '../variable/variable.js';
import { type CoveredDays, lackingDays } from './inspect-days.js';
import { inspectPlaces } from './inspect-places.js';
import type { InspectRequest } from './inspect-request.js';
import { ValueScan } from './inspect-values.js';
import type { InspectedVariable } from './inspection.js';
import type { InputFile } from './standard-input-file.js';
import { wholeTable } from './whole-input.js';

/** What is known of a table beside its values. */
export interface KnownOfTable {
  /** The days that rows are of. */
  readonly covered: CoveredDays | undefined;
  /** All rows, where they are in memory already. */
  readonly whole: Table | undefined;
}

/** What the daily values of a variable of a table are, and of which members and places. Throws what statistics of them would throw. */
export async function inspectTableValues(
  core: Core,
  file: InputFile,
  request: InspectRequest,
  asked: Variable | undefined,
  { covered, whole }: KnownOfTable,
): Promise<Pick<InspectedVariable, 'units' | 'conversions' | 'members' | 'places' | 'values'>> {
  const conversions: string[] = [];
  const [latitude, longitude]: [number[], number[]] = [[], []];
  let names: readonly string[] | undefined;
  let units: string | undefined;
  let scan: ValueScan | undefined;
  for await (const ensemble of dailyEnsembles(core, file, request, asked, conversions, whole)) {
    names ??= memberNames(ensemble);
    units ??= ensemble.units;
    scan ??= new ValueScan(ensemble.variable, names);
    for (const part of ensemble.parts) {
      const { firstDay, days } = part.field;
      scan.add(part, covered === undefined ? 0 : lackingDays(covered, firstDay, days));
      for (const degrees of part.latitude) latitude.push(degrees);
      for (const degrees of part.longitude) longitude.push(degrees);
    }
  }
  const { grid } = gridOfPlaces(Float64Array.from(latitude), Float64Array.from(longitude));
  return {
    ...(units !== undefined && { units }),
    conversions,
    ...(names && { members: { count: names.length, first: names[0], last: names[names.length - 1] } }),
    places: inspectPlaces(grid),
    ...(scan && { values: scan.end() }),
  };
}

/** Ensembles of whole locations as they come, or one of all rows where these can only be understood together. */
async function* dailyEnsembles(
  core: Core,
  { path, source }: InputFile,
  { options: { units, stamps }, columns }: InspectRequest,
  variable: Variable | undefined,
  conversions: string[],
  known: Table | undefined,
): AsyncGenerator<Ensemble> {
  const options: DailyTableOptions = { variable, units, stamps, columns, source };
  const tell = (told: readonly string[]) => conversions.push(...told);
  let isStreamed = false;
  if (known === undefined) {
    const daily = await dailyTables(tablesOfFile(core, path, { source }), options, { areViews: true, tell });
    const checked = checkStatisticsOptions({ variable, columns: daily.columns, source });
    for await (const ensemble of ensemblesOfTables(daily.tables, checked)) {
      isStreamed = true;
      yield ensemble;
    }
  }
  if (isStreamed) return;
  conversions.length = 0;
  const whole = known ?? (await wholeTable(core, path, source, 'rows can only be understood together'));
  const daily = dailyTable(whole, options);
  tell(daily.conversions);
  yield readEnsemble(daily.table, { variable, columns: daily.columns, source });
}

function memberNames({ parts, metadata }: Ensemble): readonly string[] {
  return originalNames(
    metadata,
    parts[0].field.members.map(({ name }) => name),
  );
}
