import type { Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { COLUMN_ROLES, type ColumnRole, type ColumnRoles, givenRoles } from './column-role.js';

const words = (text: string) => text.split(' ');

/**
 * The usual names, the more exact ones first: a table with `time` and `valid_time` is dated by `valid_time`. An id is found
 * by what its name is made of; of the year, month, day and hour of a date, only `dailyTable` makes dates.
 */
const USUAL_NAMES: Partial<Record<ColumnRole, readonly string[]>> = /* @__PURE__ */ (() => ({
  date: words('valid_time valid_date datetime date time day timestamp'),
  member: words('member number realization realisation ensemble_member ensemble ens parameter perturbation'),
  value: words('value prediction'),
  latitude: words('latitude lat'),
  longitude: words('longitude lon long lng'),
  variable: words('variable var'),
  units: words('units unit'),
}))();

/** Columns that number the rows, some of them written by pandas and Dask: they are ignored. */
const ROW_NUMBER = /^(|id|index|level_\d+|row|row_?(id|nr|num|number)|rownames|unnamed: ?\d+|__.*index.*)$/;

/** Columns that name the place of a row. */
const PLACE_NAME =
  /^(site|station|location|place|point|farm|cell|grid|city|basin|catchment|region|name)s?([_ ]?(id|no|nr|num|number|code|name|index))?$/;

/** Columns that say when the run of a row starts. */
export const RUN_STARTS =
  /^(init(iali[sz]ation)?|run|cycle|issued?|(forecast_)?reference|time_origin)(_?(date)?(time)?)$/;

/** Names of columns that hold no values: the usual ones of roles, and others that describe a row. */
const BESIDE = /* @__PURE__ */ (() => [
  ...Object.values(USUAL_NAMES).flat(),
  ...words(
    'step lead lead_time leadtime lead_day lead_days forecast_day forecast_hour horizon pub_datetime family model model_id project_id elevation elev altitude alt height surface depth level year month doy dayofyear day_of_year week season hour minute x y n_members ensemble_size',
  ),
])();

/** Columns of statistics that some files have next to the members, and what results say of points and regions of a grid. */
const STATISTIC =
  /^((ens|ensemble)[_ ]?)?(mean|avg|average|median|std|stdev|sd|var|variance|spread|min|minimum|max|maximum|sum|total|cell_[el].+|distance_km|area_share)$|^(q|pct|perc|percentile|quantile)[_ ]?\d/;

/**
 * Finds the column of each role: by the given names, else by the usual ones, in upper or lower case. Throws OptionError
 * if a given name is not in the table, or if a column is given two roles, and DataError if two columns have the same
 * name.
 */
export function columnRoles(table: Table, given: ColumnRoles = {}, source?: string): ColumnRoles {
  const names = uniqueNames(table, source);
  const roles = givenRoles(given, names, source);
  const taken = new Set(Object.values(roles));
  const firstOf = new Map<string, string>();
  for (const name of names) if (!taken.has(name) && !firstOf.has(plain(name))) firstOf.set(plain(name), name);
  for (const role of COLUMN_ROLES) {
    const usual = USUAL_NAMES[role]?.find((name) => firstOf.has(name));
    if (usual !== undefined) roles[role] ??= firstOf.get(usual);
  }
  return roles;
}

/**
 * The columns without a role that may hold values: all, unless their name says that they hold something else; `wanted` does
 * whatever its name says.
 */
export function otherColumns(table: Table, roles: ColumnRoles, wanted?: string): string[] {
  return withoutRole(table, roles).filter((name) => name === wanted || !(isBeside(name) || isPlaceName(name)));
}

/** The columns without a role that may distinguish rows of the same day, those of places first. */
export function labelColumns(table: Table, roles: ColumnRoles): string[] {
  return withoutRole(table, roles)
    .filter((name) => isPlaceName(name) || !ROW_NUMBER.test(plain(name)))
    .sort((a, b) => Number(isPlaceName(b)) - Number(isPlaceName(a)));
}

/** Whether a column of this name describes a row, and neither holds values nor says where it is. */
export function isBeside(name: string): boolean {
  const word = plain(name);
  return BESIDE.includes(word) || RUN_STARTS.test(word) || STATISTIC.test(word) || ROW_NUMBER.test(word);
}

/** Whether a column of this name names the place of a row. */
export function isPlaceName(name: string): boolean {
  return PLACE_NAME.test(plain(name));
}

export function withoutRole(table: Table, roles: ColumnRoles): string[] {
  const taken = new Set(Object.values(roles));
  return table.schema.fields.flatMap(({ name }) => (taken.has(name) ? [] : name));
}

export function plain(name: string): string {
  return name.trim().toLowerCase();
}

/** The names of all columns. Throws a DataError for a column that has the name of another one. */
function uniqueNames({ schema: { fields } }: Table, source?: string): string[] {
  const places = new Map<string, number>();
  for (const [i, { name }] of fields.entries()) {
    const before = places.get(name);
    if (before !== undefined) {
      throw new DataError({
        source,
        column: name,
        problem: 'two columns of this name',
        received: `columns ${before + 1} and ${i + 1}`,
        allowed: 'another name for each column',
      });
    }
    places.set(name, i);
  }
  return [...places.keys()];
}

/** Families of forecasts whose rows are members; rows of other families are parameters of a distribution. */
const MEMBER_FAMILIES = new Set(['ensemble', 'sample']);

/**
 * Throws a DataError for rows that must not be pooled: of several places that only have names, unless `places` are read, of
 * parameters of a distribution, such as mean and standard deviation with a `family` of `normal`, and if `days` names the
 * column of days, of several runs, unless each day may have a run of its own, as in analyses.
 */
export function assertUnmixedRows(
  table: Table,
  roles: ColumnRoles,
  source?: string,
  places?: unknown,
  days?: string,
): void {
  const coded = (column: string) => codedColumn(columnOf(table, column));
  const run = days && runColumn(table, roles);
  for (const column of withoutRole(table, roles)) {
    const isPlace = !places && roles.latitude === undefined && isPlaceName(column);
    const isRun = column === run;
    if (!isPlace && !isRun && plain(column) !== 'family') continue;
    const { codes, values } = coded(column);
    // Numbers of members and hours are shorter than the starts of runs.
    if (isRun && (String(values[0]).length < 10 || values.length >= coded(days as string).values.length)) continue;
    const noun = isRun ? 'run' : isPlace ? 'place' : '';
    const other = values.findIndex((value, code) => (noun ? code === 1 : !MEMBER_FAMILIES.has(String(value))));
    if (other < 0) continue;
    throw new DataError({
      source,
      row: codes.indexOf(other) + 1,
      column,
      problem: noun ? `another ${noun} than in the rows before` : 'parameters of a distribution, not members',
      received: values[other],
      allowed: noun
        ? `one ${noun}, ${values[0]}; several need ${isRun ? '' : 'columns of latitude and longitude, or '}a table each`
        : [...MEMBER_FAMILIES].join(', '),
    });
  }
}

/** The column that says when the run of a row starts; undefined where it has a role, or the metadata state a run. */
function runColumn(table: Table, roles: ColumnRoles): string | undefined {
  const isOne = table.schema.metadata.has('init_time');
  return withoutRole(table, roles).find((name) => !isOne && RUN_STARTS.test(plain(name)));
}
