import { DataType, type Table } from 'apache-arrow';
import { checkAgainstOptions, type StatisticsAgainstOptions } from '../climate/against-options.js';
import { ClimateReference } from '../climate/climate-reference.js';
import { areOfClimatology, type Climatology } from '../climate/climatology.js';
import { climatologyTable } from '../climate/climatology-table.js';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { noValues } from '../ensemble/has-values.js';
import type { Point } from '../ensemble/nearest-place.js';
import { mentionOption, OptionError } from '../errors.js';
import { isStatisticsFile } from '../files/cf/content/statistics-netcdf.js';
import { isStatisticsTable } from '../files/cf/content/table-results.js';
import { canonicalMetadata, tablesOfPart } from '../files/cf/part-tables.js';
import { BandReference, describeMissingBands } from '../statistics/bands/band-reference.js';
import { horizonMembers } from '../statistics/bands/distinct-members.js';
import { memberWindows } from '../statistics/member-windows.js';
import { checkStatisticsOptions, checkWindowOptions, type WindowOptions } from '../statistics/options.js';
import { statistics } from '../statistics/statistics.js';
import { statisticsTable } from '../statistics/statistics-plan.js';
import { windowedParts } from '../statistics/windowed-part.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { ensembleOf } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import { resolveVariable } from '../variable/find-variable.js';
import { chosenResults } from './chosen-results.js';
import { dailyEnsembleOfTable } from './daily-ensembles.js';
import { gridInput, readAllCells } from './daily-input.js';
import { type Input, openInput } from './input.js';
import type { InputFile } from './input-file.js';
import type { DailyRequest, ValueOptions } from './input-request.js';
import { assertDrawable, labelsOf, namedPlaces } from './named-places.js';
import { DaySpan, noWindowError, type Report, reportOnce } from './notice.js';
import { openGrid } from './open-grid.js';
import type { OptionUse } from './option-use.js';
import { readStatisticsNetcdf } from './read-statistics-netcdf.js';
import { collectTable } from './table-ensembles.js';
import { readWindowTexts } from './window-texts.js';

/** What to show of an input. */
export interface PlotRequest {
  /** Which variable, if the input has several or does not name it. */
  readonly variable?: string;
  /** What to compute of an ensemble. */
  readonly statistics: Omit<StatisticsAgainstOptions, 'variable'>;
  readonly values: ValueOptions;
  /** Sees which value options the panels use. */
  readonly use: OptionUse;
  readonly climatology?: Climatology;
  /** The probability of bands of sampling error of the statistics; none by default. */
  readonly bands?: number | undefined;
  /** How many places are drawn at most, and whether each has a picture of its own. */
  readonly maxPlaces: number;
  readonly hasOwnPictures: boolean;
}

/** The tables of one panel of a meteogram. */
export interface PlotTables {
  /** Members by window, of an ensemble. */
  readonly ensemble?: Table;
  readonly statistics: Table;
  readonly climatology?: Table;
  /** The place to select in `statistics`, if they are results that may have several. */
  readonly point?: Point;
  /** The id of the place of an ensemble. */
  readonly place?: string | undefined;
}

/** Bytes of values of a file of arrays that are read at a time. */
export const GRID_BYTES = 134_217_728;

/**
 * Reads what panels of a meteogram show, one for each place that was asked for: a result of statistics as it is, or the
 * members of an ensemble by window, and their statistics. Reports conversions and warnings. Throws DataError for ensembles
 * of several places of which none was asked for, and what reading and computing throw.
 */
export async function plotTables(
  core: Core,
  file: string | InputFile,
  request: PlotRequest,
  report: Report,
): Promise<PlotTables[]> {
  const input = await openInput(file, request.values, report, {
    use: request.use,
    variable: request.variable,
  });
  const climatology = request.climatology && climatologyTable(request.climatology);
  try {
    const { results, ensemble } = await readInput(core, input, request);
    if (results !== undefined) {
      assertSomeValue([results], input.source);
      if (request.bands !== undefined) throw bandsOfResults(input.source);
      request.use.results(input.source);
      return [{ statistics: results, climatology, point: request.statistics.point }];
    }
    const places = namedPlaces(ensemble, input.source, request);
    const { granularity = request.climatology?.granularity, ...options } = readWindowTexts(request.statistics);
    const { startDate, endDate, partial, window } = options;
    const windows = { granularity, startDate, endDate, partial, window, source: input.source };
    const isComparable = areWindowsOf(request.climatology, ensemble, windows);
    assertComparable(ensemble, windows, isComparable ? undefined : request.climatology);
    const normal = request.climatology;
    // Windows of the climatology have shares in its categories, too.
    const isCompared = normal !== undefined && normal.categories > 0 && isComparable;
    const against = { climatology: isCompared ? normal : undefined, bands: request.bands, report: reportOnce(report) };
    const computed = { ...windows, ...statisticsOf(options) };
    const tables = places.map(({ ensemble: one, id }) => {
      return { ...tablesOfPlace(core, tableOfPlace(one), windows, computed, against), climatology, place: id };
    });
    const checked = checkStatisticsOptions({ ...windows, quantiles: [0.5] });
    const span = new DaySpan().add(ensemble);
    if (tables.every((each) => each.ensemble.numRows === 0)) throw noWindowError(span, checked);
    const leftOut = span.leftOut(checked);
    if (leftOut !== undefined) report({ kind: 'note', source: input.source, text: leftOut });
    assertSomeValue(
      tables.flatMap((each) => [each.ensemble, each.statistics]),
      input.source,
    );
    return tables;
  } finally {
    await input.close();
  }
}

/** The windows of the members of one place, and their statistics. */
function tablesOfPlace(
  core: Core,
  table: Table,
  windows: Omit<WindowOptions, 'source'>,
  computed: StatisticsAgainstOptions,
  { climatology, bands, report }: Pick<PlotRequest, 'climatology' | 'bands'> & { readonly report: Report },
): { readonly ensemble: Table; readonly statistics: Table } {
  const against = climatology === undefined ? computed : { ...computed, climatology };
  const found =
    bands === undefined
      ? statistics(core, table, against)
      : statisticsWithBands(core, table, computed, { level: bands, climatology, report });
  return { ensemble: memberWindows(core, table, windows), statistics: found };
}

/** The statistics of an ensemble with bands of sampling error, of which the one of the median is drawn; reports that members are too few for it. */
function statisticsWithBands(
  core: Core,
  table: Table,
  options: StatisticsAgainstOptions,
  {
    level,
    climatology,
    report,
  }: { readonly level: number; readonly climatology: Climatology | undefined; readonly report: Report },
): Table {
  const checked = climatology ? checkAgainstOptions(climatology, options) : checkStatisticsOptions(options);
  const ensemble = ensembleOf(table, { ...checked, places: readPlaces });
  const inner =
    climatology && new ClimateReference(climatology, ensemble, checked as ReturnType<typeof checkAgainstOptions>);
  const members = ensemble.parts[0].field.members.length;
  const fewest = Math.min(members, ...horizonMembers(ensemble.metadata).map((horizon) => horizon.members));
  // No other quantile has its band drawn.
  const note = describeMissingBands(checked.quantiles.includes(0.5) ? [0.5] : [], fewest, level);
  if (note !== undefined) report({ kind: 'note', source: checked.source ?? 'input', text: note });
  return statisticsTable(core, ensemble, checked, new BandReference(core, ensemble, checked, { level, inner }));
}

/** The error for bands of results, whose members are not there any more. */
function bandsOfResults(source: string): OptionError {
  return new OptionError({
    ...{ subject: `${source}, ${mentionOption('bands')}`, problem: 'is for members, and the file has results' },
    allowed: 'daily values of members; or results that have bands, which are drawn as they are',
  });
}

/** Throws DataError where no column of members or statistics has a value. */
export function assertSomeValue(tables: readonly Table[], source: string): void {
  const isPlace = /^(latitude|longitude)$/;
  const hasValue = tables.some((table) =>
    table.schema.fields.some(
      ({ name, type }) =>
        DataType.isFloat(type) && !isPlace.test(name) && (table.getChild(name)?.nullCount ?? 0) < table.numRows,
    ),
  );
  if (!hasValue) throw noValues(source);
}

/** Whether the windows of an ensemble are windows of a climatology; false without one. */
function areWindowsOf(climatology: Climatology | undefined, ensemble: Ensemble, options: WindowOptions): boolean {
  if (climatology === undefined) return false;
  const parts = windowedParts(ensemble, checkWindowOptions(options));
  return parts.every(({ windows }) => areOfClimatology(climatology.granularity, windows));
}

/** Throws OptionError for sums or counts of other windows than those of the climatology, which have no common scale. */
function assertComparable(
  { variable }: Ensemble,
  { granularity, window = variable?.window }: WindowOptions,
  climatology: Climatology | undefined,
): void {
  if (climatology === undefined || granularity === undefined) return;
  if (window !== 'sum' && window !== 'count' && typeof window !== 'object') return;
  const normal = `${climatology.granularity} ${window}s of the climatology`;
  throw new OptionError({
    subject: 'granularity',
    problem: `is not that of the climatology, and ${granularity} ${window}s and the ${normal} have no common scale`,
    received: `${granularity}`,
    allowed: `${climatology.granularity}, or a climatology with ${mentionOption('granularity', `${granularity}`)}`,
  });
}

/** The options for computing statistics; the point was selected before. */
function statisticsOf({ quantiles, quantileType, minMemberShare }: PlotRequest['statistics']) {
  return { quantiles, quantileType, minMemberShare };
}

type ReadInput =
  | { readonly results: Table; readonly ensemble?: never }
  | { readonly results?: never; readonly ensemble: Ensemble };

async function readInput(core: Core, input: Input, request: PlotRequest): Promise<ReadInput> {
  const { variable, values, use, statistics: options } = request;
  const daily: DailyRequest = {
    ...(variable !== undefined && resolveVariable(variable, [], options.window)),
    ...{ columns: options.columns, point: options.point, values, use },
  };
  if (input.kind === 'arrays') {
    if (isStatisticsFile(input.arrays)) return { results: await resultsOfFile(input.arrays, variable, input.source) };
    const grid = await openGrid(input, daily);
    assertDrawable(grid.cells, labelsOf(grid.grid), input.source, request);
    return { ensemble: await readAllCells(gridInput(core, grid), GRID_BYTES) };
  }
  const table = await collectTable(core, input, 'it is drawn');
  if (isStatisticsTable(table))
    return { results: chosenResults(table, { variable, calendar: values.calendar }, input.source) };
  return { ensemble: dailyEnsembleOfTable(table, input, daily).ensemble };
}

async function resultsOfFile(
  arrays: Parameters<typeof readStatisticsNetcdf>[0],
  variable: string | undefined,
  source: string,
): Promise<Table> {
  return chosenResults(joinTables(await allTables(readStatisticsNetcdf(arrays))), { variable }, source);
}

/** The daily values of an ensemble of one place. */
export function tableOfPlace({ parts: [part], metadata, variable, units }: Ensemble): Table {
  const members = part.field.members.map(({ name }) => name);
  const texts = canonicalMetadata({ metadata, variable: variable?.slug, units, members });
  return joinTables([...tablesOfPart(part, texts)]);
}
