import type { Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { COLUMN_ROLES, type ColumnRole, type ColumnRoles, givenRoles } from './column-role.js';

/** The usual names, the more exact ones first: a table with `time` and `valid_time` is dated by `valid_time`. */
const USUAL_NAMES: Record<ColumnRole, readonly string[]> = {
  date: ['valid_time', 'valid_date', 'datetime', 'date', 'time', 'day', 'timestamp'],
  member: [
    'member',
    'number',
    'realization',
    'realisation',
    'ensemble_member',
    'ensemble',
    'ens',
    'parameter',
    'perturbation',
  ],
  value: ['value', 'prediction'],
  latitude: ['latitude', 'lat'],
  longitude: ['longitude', 'lon', 'long', 'lng'],
  // Found by what its name is made of.
  id: [],
  variable: ['variable', 'var'],
  units: ['units', 'unit'],
  // `dailyTable` makes dates from these; other functions use them only if the caller names them.
  year: [],
  month: [],
  day: [],
  hour: [],
};

const ALL_USUAL_NAMES = /* @__PURE__ */ (() => new Set(Object.values(USUAL_NAMES).flat()))();

/** Columns that number the rows, some of them written by pandas: they are ignored. */
const ROW_NUMBER = /^(|id|index|level_\d+|row|row_?(id|nr|num|number)|rownames|unnamed: ?\d+|__index_level_\d+__)$/;

/** Columns that name the place of a row. */
const PLACE_NAME =
  /^(site|station|location|place|point|farm|cell|grid|city|basin|catchment|region|name)s?([_ ]?(id|no|nr|num|number|code|name|index))?$/;

/** Other columns that describe a row and hold no values. */
const BESIDE = /* @__PURE__ */ (() =>
  new Set(
    [
      'step lead lead_time leadtime lead_day lead_days forecast_day forecast_hour horizon init_time init_date run cycle',
      'reference_time reference_date reference_datetime forecast_reference_time time_origin pub_datetime family model',
      'model_id project_id elevation elev altitude alt height surface depth level year month doy dayofyear day_of_year',
      'week season hour minute x y n_members ensemble_size',
    ]
      .join(' ')
      .split(' '),
  ))();

/** Columns of statistics that some files have next to the members. */
const STATISTIC =
  /^((ens|ensemble)[_ ]?)?(mean|avg|average|median|std|stdev|sd|var|variance|spread|min|minimum|max|maximum|sum|total)$|^(q|pct|perc|percentile|quantile)[_ ]?\d/;

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
    if (roles[role] !== undefined) continue;
    const usual = USUAL_NAMES[role].find((name) => firstOf.has(name));
    if (usual !== undefined) roles[role] = firstOf.get(usual);
  }
  return roles;
}

/** The columns without a role that may hold values: all, unless their name says that they hold something else. */
export function otherColumns(table: Table, roles: ColumnRoles): string[] {
  return withoutRole(table, roles).filter((name) => {
    return !isBeside(name) && !isPlaceName(name);
  });
}

/** The columns without a role that may distinguish rows of the same day, those of places first. */
export function labelColumns(table: Table, roles: ColumnRoles): string[] {
  const [places, others]: [string[], string[]] = [[], []];
  for (const name of withoutRole(table, roles)) {
    if (isPlaceName(name)) places.push(name);
    else if (!ROW_NUMBER.test(plain(name))) others.push(name);
  }
  return [...places, ...others];
}

/** Whether a column of this name describes a row, and neither holds values nor says where it is. */
export function isBeside(name: string): boolean {
  const word = plain(name);
  return ALL_USUAL_NAMES.has(word) || BESIDE.has(word) || STATISTIC.test(word) || ROW_NUMBER.test(word);
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
 * Throws a DataError for rows that must not be pooled: those of several places that only have names, unless `places` are read, and
 * those of parameters of a distribution, such as mean and standard deviation with a `family` of `normal`.
 */
export function assertUnmixedRows(table: Table, roles: ColumnRoles, source?: string, places?: unknown): void {
  for (const column of withoutRole(table, roles)) {
    const isPlace = !places && roles.latitude === undefined && isPlaceName(column);
    if (!isPlace && plain(column) !== 'family') continue;
    const { codes, values } = codedColumn(columnOf(table, column));
    const other = values.findIndex((value, code) => (isPlace ? code === 1 : !MEMBER_FAMILIES.has(String(value))));
    if (other < 0) continue;
    throw new DataError({
      source,
      row: codes.indexOf(other) + 1,
      column,
      problem: isPlace ? 'another place than in the rows before' : 'parameters of a distribution, not members',
      received: values[other],
      allowed: isPlace
        ? `one place, ${values[0]}; several need columns of latitude and longitude, or a table each`
        : [...MEMBER_FAMILIES].join(', '),
    });
  }
}
