import { assertKind, isPlainObject, type OptionSchema } from '../check/option-checks.js';
import { checkAgainstOptions, type StatisticsAgainstOptions } from '../climate/against-options.js';
import { ClimateReferences } from '../climate/climate-reference.js';
import type { Climatology } from '../climate/climatology.js';
import { type Condition, neededQuantiles } from '../condition/condition.js';
import { ConditionReference } from '../condition/condition-reference.js';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import type { LocalDayKey } from '../ensemble/local-days.js';
import type { Point } from '../ensemble/nearest-place.js';
import type { WholeMembers } from '../ensemble/whole-members.js';
import { mentionOption, OptionError, subjectIn } from '../errors.js';
import { GRID_OPTIONS, type GridOptions } from '../files/cf/grid-options.js';
import { assertDecimal } from '../files/open-source.js';
import type { ReadTableOptions } from '../files/read-table.js';
import { MISSING_CHUNKS, type MissingChunks } from '../files/zarr/zarr-file.js';
import { BandReference, describeMissingBands } from '../statistics/bands/band-reference.js';
import { horizonMembers } from '../statistics/bands/distinct-members.js';
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../statistics/options.js';
import type { Reference } from '../statistics/statistics-plan.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { DAILY_OPTIONS, type DailyTableOptions } from '../table/daily/daily-options.js';
import type { RowOptions } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import { defineVariable, type VariableDefinition } from '../variable/define-variable.js';
import type { NamedVariable } from '../variable/find-variable.js';
import { variableByName } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import { assertPlaceOptions, PLACE_OPTIONS, type PlaceOptions, withoutPlaces } from './place-options.js';
import { readThresholdTexts, readWindowTexts } from './window-texts.js';

/**
 * What files do not state about their values, or state wrongly: `model`, `sort` and `dateFormat` of tables, `decimal` of CSV,
 * `sheet` of workbooks;
 * `array`, `init`, `memberDimension` and `coordinates` of files of arrays. And which of their places are read: `bbox`, `ids`;
 * where chunks may lie that a store refers to, and what those are that it lacks: `virtualChunks`, `missingChunks`.
 */
export type ValueOptions = TableValueOptions &
  Pick<ReadTableOptions, 'decimal' | 'sheet'> &
  Pick<GridOptions, 'array' | 'init' | 'memberDimension' | 'coordinates' | 'bbox' | 'ids'> &
  PlaceOptions & { readonly virtualChunks?: readonly string[]; readonly missingChunks?: MissingChunks };

type TableValueOptions = Pick<
  DailyTableOptions,
  | 'units'
  | 'model'
  | 'stamps'
  | 'accumulation'
  | 'calendar'
  | 'missing'
  | 'sort'
  | 'dateFormat'
  | 'timeZones'
  | LocalDayKey
>;

/** Batches hash requests as JSON: another order is another request. */
export const VALUE_OPTIONS = /* @__PURE__ */ (() => {
  const { units, model, stamps, accumulation, missing, sort, dateFormat } = DAILY_OPTIONS;
  const { timeZone, dayStart, hours, splitExtremes, timeZones } = DAILY_OPTIONS;
  const { calendar, array, init, memberDimension, coordinates, bbox, ids } = GRID_OPTIONS;
  return {
    ...{ units, model, stamps, accumulation, calendar, array, init, memberDimension, missing, sort },
    decimal: { check: assertDecimal, choices: ['.', ','] },
    coordinates,
    bbox,
    ids,
    dateFormat,
    ...{ timeZone, dayStart, hours, splitExtremes, timeZones },
    ...PLACE_OPTIONS,
    sheet: { type: 'text', allowed: 'the name of a sheet' },
    virtualChunks: { check: (list: readonly string[]) => assertKind('virtualChunks', list, 'texts') },
    missingChunks: { choices: MISSING_CHUNKS },
  } satisfies OptionSchema<ValueOptions>;
})();

/** The value options that apply to tables. */
export function tableOptions(values: ValueOptions): TableValueOptions {
  const {
    array,
    init,
    memberDimension,
    coordinates,
    bbox,
    ids,
    decimal,
    sheet,
    virtualChunks,
    missingChunks,
    ...others
  } = values;
  return withoutPlaces(others);
}

/** The columns of a table by role; coordinates that are named as for a grid are columns too. */
export function columnsOfTable(
  columns: ColumnRoles | undefined,
  { coordinates }: ValueOptions,
): ColumnRoles | undefined {
  return coordinates === undefined ? columns : { ...coordinates, ...columns };
}

/** What an input holds. */
export interface HeldForm {
  readonly kind: 'table' | 'arrays';
  /** Of a table, where it is known. */
  readonly format?: string | undefined;
  readonly isCsv?: boolean | undefined;
  readonly isWorkbook?: boolean | undefined;
  /** Whether it is a store that may refer to chunks elsewhere. */
  readonly mayRefer?: boolean | undefined;
  /** Whether it is a store of chunks, which may lack some. */
  readonly isStore?: boolean | undefined;
}

/** Sees which value options inputs use. May throw OptionError for one that cannot be used. */
export interface SeenUse {
  /** Sees what an input holds. */
  opened(held: HeldForm, source: string): void;
  /** Sees a variable of an input that is read; `areDaily` says of tables whether their values are of days as they are. */
  read(variable: Variable | undefined, source: string, areDaily?: boolean): void;
}

/** Which daily values to read from an input; without a variable, those of the one that it names. */
export interface DailyRequest extends Partial<NamedVariable> {
  /** Variables besides the built-in ones. */
  readonly variables?: readonly Variable[];
  /** Names of columns of tables that are not the usual ones. */
  readonly columns?: ColumnRoles;
  /** Selects the place nearest to it. */
  readonly point?: Point;
  readonly values: ValueOptions;
  /** Whether values of a file of arrays are those of days, ISO weeks or months: `GridOptions.native`. */
  readonly native?: boolean;
  /** Whether results are written on the grid of the input: cells without a place, which no table has, stay. */
  readonly keepsGrid?: boolean;
  /** Sees which value options the variable uses. */
  readonly use?: Pick<SeenUse, 'read'> | undefined;
}

/** How to make daily tables of the values requested. */
export function dailyOptions(request: DailyRequest, source: string): DailyTableOptions {
  const { variable, variableName, variables, columns, values } = request;
  return {
    variable,
    variableName,
    variables,
    columns: columnsOfTable(columns, values),
    source,
    ...tableOptions(values),
  };
}

/** How to read the rows of daily tables, of which only the names of `columns` still apply. */
export function rowOptions(
  { variable, variableName, variables, point, values: { calendar } }: DailyRequest,
  source: string,
  columns: ColumnRoles,
): RowOptions {
  return { variable, variableName, variables, columns, calendar, source, point, places: readPlaces };
}

/** What a part of a divided ensemble does not show. */
export interface PartOfWhole {
  /** The members of the whole; by default the members of the part. */
  readonly members?: WholeMembers;
}

/** What to compute from each input. */
export interface InputRequest {
  /** Thresholds may be texts of any conditions on the variable. */
  readonly statistics: StatisticsAgainstOptions;
  readonly climatology?: Climatology;
  /** More conditions on the variable, which they do not name: the share of members with each follows the statistics. */
  readonly conditions?: readonly Condition[];
  /** The probability of bands of sampling error, which follow all others; none by default. */
  readonly bands?: number | undefined;
  readonly values: ValueOptions;
  /**
   * Whether the windows are the periods of the values as they are stored: days, ISO weeks or calendar months. Only for
   * files of arrays, and without a climatology.
   */
  readonly native?: boolean;
  /** Whether results are written on the grid of the input: cells without a place, which no table has, stay. */
  readonly keepsGrid?: boolean;
  /** Says that the input is a part of a divided ensemble. */
  readonly part?: PartOfWhole;
  /** Whether the request is of this input alone: windows of one day that are given a rule are an error. */
  readonly isOnly?: boolean;
  /** Sees which value options the input uses. */
  readonly use?: SeenUse | undefined;
  /** The most threads that read and compute; by default one for each processor. */
  readonly threads?: number;
}

/** Checked options of statistics, and the references of ensembles if they are compared with a climatology. */
export interface CheckedRequest {
  readonly options: CheckedStatisticsOptions;
  readonly references: ClimateReferences | undefined;
  readonly conditions: readonly Condition[];
  readonly bands?: number | undefined;
}

/** What is added to the statistics of an ensemble: shares of conditions, and what compares it with a climatology. */
export function referenceOf(
  core: Core,
  { options, references, conditions, bands }: CheckedRequest,
  ensemble: Ensemble,
  degenerate?: Parameters<ClimateReferences['of']>[1],
): Reference | undefined {
  const climate = references?.of(ensemble, degenerate);
  const inner =
    conditions.length === 0 ? climate : new ConditionReference(core, conditions, ensemble, options, climate);
  return bands === undefined ? inner : new BandReference(core, ensemble, options, { level: bands, inner });
}

/** A note for quantiles of which an ensemble has too few members for bands; undefined where there are none. */
export function describeFewMembers(
  { options, bands }: CheckedRequest,
  { metadata, members }: { readonly metadata: ReadonlyMap<string, string>; readonly members: number },
): string | undefined {
  if (bands === undefined) return undefined;
  const fewest = Math.min(members, ...horizonMembers(metadata).map((horizon) => horizon.members));
  return describeMissingBands(options.quantiles, fewest, bands);
}

/** The error for the periods of stored values that tables do not have. */
export function noStoredPeriods(source: string): OptionError {
  return new OptionError({
    ...{ subject: `${source}, granularity`, problem: 'tables hold daily values', received: 'native' },
    allowed: 'daily, weekly or monthly; native for files of arrays',
  });
}

/** Checks what to compute from an input. Throws OptionError. */
export function checkRequest(request: InputRequest, source: string): CheckedRequest {
  const { climatology, bands, values, native = false, isOnly = false } = request;
  const { statistics, conditions: others } = readThresholdTexts(request.statistics);
  const conditions = [...(request.conditions ?? []), ...others];
  const requested = { ...readWindowTexts(statistics), calendar: values.calendar, source };
  if (climatology === undefined) assertNoClimatology(statistics, conditions);
  if (climatology === undefined) {
    const options = checkStatisticsOptions(requested);
    if (isOnly && !native) assertWindows(options);
    return { options, references: undefined, conditions, bands };
  }
  const options = checkAgainstOptions(climatology, requested, neededQuantiles(conditions));
  if (isOnly && !native) assertWindows(options);
  return { options, references: new ClimateReferences(climatology, options), conditions, bands };
}

/** Throws OptionError for what needs a climatology. */
function assertNoClimatology({ exceed }: StatisticsAgainstOptions, conditions: readonly Condition[]): void {
  const areExceeded = Array.isArray(exceed) && exceed.length > 0;
  if (!areExceeded && neededQuantiles(conditions).length === 0) return;
  const problem = 'have quantiles of a climatology, and there is none';
  throw new OptionError({ subject: 'thresholds', problem, allowed: `${mentionOption('climatology')}, or numbers` });
}

/**
 * Throws OptionError for options about the days of windows where windows have one day; not for a rule that makes any name one
 * of a variable.
 */
function assertWindows({ granularity, window, partial, source, variable }: CheckedStatisticsOptions): void {
  const isOwnName = variable !== undefined && variableByName(variable.slug) === undefined;
  const subject = window !== undefined && !isOwnName ? 'window' : partial ? 'partial' : undefined;
  if (subject === undefined || `${granularity}` !== 'daily') return;
  throw new OptionError({
    ...{
      subject: subjectIn(source, subject),
      problem: 'is for windows of several days',
      received: subject === 'window' ? `${window}` : partial,
    },
    allowed: `${mentionOption('granularity', 'weekly')} or monthly with it, or other windows`,
  });
}

/** Options whose definitions of variables, which JSON has in short, are complete. Throws OptionError. */
export function withDefinitions(options: Record<string, unknown>): Record<string, unknown> {
  const complete = (given: unknown): unknown =>
    Array.isArray(given)
      ? given.map(complete)
      : isPlainObject(given)
        ? defineVariable(given as VariableDefinition)
        : given;
  const given = Object.entries({ variable: options.variable, variables: options.variables });
  const found = given.filter(([, value]) => value !== undefined).map(([name, value]) => [name, complete(value)]);
  return { ...options, ...Object.fromEntries(found) };
}

/**
 * Throws OptionError where two of a point, points, regions, a box and ids are given, or an option without the one it
 * needs.
 */
export function assertOnePlace(point: unknown, values: Pick<ValueOptions, 'bbox' | 'ids'> & PlaceOptions): void {
  assertPlaceOptions(values);
  const { bbox, ids, points, regions } = values;
  const given = Object.entries({ point, points, regions, ids, bbox }).filter(([, value]) => value !== undefined);
  if (given.length < 2) return;
  const [[first], [second]] = given;
  throw new OptionError({
    ...{ subject: second, problem: `cannot be given together with ${mentionOption(first as 'point')}` },
    allowed: 'one of the two',
  });
}
