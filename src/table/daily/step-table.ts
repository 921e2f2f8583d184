import { makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { OptionError, subjectIn } from '../../errors.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { nameNotes, variableByName } from '../../variable/find-variable.js';
import { unitConversion } from '../../variable/unit-conversion.js';
import type { Variable } from '../../variable/variable.js';
import { assertTable } from '../arrow/own-table.js';
import type { CodedColumn } from '../arrow/stored-values.js';
import { columnOf, quickSchema } from '../arrow/table-schema.js';
import { longestEnding, parseColumnName, splitUnits } from '../columns/column-name.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { assertUnmixedRows, columnRoles } from '../columns/column-roles.js';
import { calendarNotes, tableCalendar } from '../columns/day-column.js';
import type { ReadOptions } from '../columns/read-options.js';
import { heldValues, tableUnits } from '../columns/table-variable.js';
import { severalModels, type ValueColumns } from '../columns/value-columns.js';
import { areSubDaily, checkUtcDays, timeColumn } from './time-column.js';

/** How the columns of a table are found; daily values of a zone that is named need not be of UTC days. */
type StepTableOptions = ReadOptions & { readonly areOfZone?: boolean };

/** What the columns of a table are; its values may be of time steps, or in units other than the variable's. */
export interface StepTable {
  readonly roles: ColumnRoles;
  readonly dateColumn: string;
  readonly values: ValueColumns;
  readonly variable: Variable | undefined;
  /**
   * The table's names for its values: in its column of variables; else in its metadata, and the name of the column of
   * values.
   */
  readonly names: readonly string[];
  /** The units that the table states, which may not be those of the variable. */
  readonly units: string | undefined;
  /** The calendar of the dates, if it is not the real one. */
  readonly calendar?: ModelCalendar;
  readonly use?: (row: number) => boolean;
  /** For people: which columns of numbers are left out, and which members have no column. */
  readonly notes: readonly string[];
  /** Whether values are of the time steps before their times. */
  readonly areOfPrecedingSteps: boolean;
  /** The time of each row in seconds since 1970-01-01 UTC, if there are several a day. */
  readonly times?: Float64Array;
}

/**
 * Finds out what a table holds; undefined if it has no column of dates, which is an error for readers. `areSteps` says
 * whether its rows are time steps, if that is known. Throws DataError and OptionError as `readEnsemble` does for wrong
 * columns and variables.
 */
export function stepTable(table: Table, options: StepTableOptions, areSteps?: boolean): StepTable | undefined {
  const { source, areOfZone = false } = options;
  assertTable(table, source);
  const roles = columnRoles(table, options.columns, source);
  const dateColumn = roles.date;
  if (dateColumn === undefined) return undefined;
  assertUnmixedRows(table, roles, source, options.places);
  const calendar = tableCalendar(table, options);
  const times = timeColumn(columnOf(table, dateColumn), dateColumn, source, calendar);
  const hasSteps = times !== undefined && (areSteps ?? areSubDaily(times));
  const ofDates = times === undefined || hasSteps || areOfZone ? [] : checkUtcDays(table, dateColumn, times, source);
  const requested = hasSteps ? asSteps(options) : options;
  const { values, listed, variable, use } = heldValues(table, roles, requested);
  return {
    ...{ roles, dateColumn, values, use, calendar },
    notes: [
      ...calendarNotes(calendar),
      ...nameNotes(options),
      ...values.notes,
      ...ofDates,
      ...(hasSteps ? zoneNote(table) : []),
    ],
    areOfPrecedingSteps: areOfPrecedingSteps(table, values.names),
    variable: options.variable ?? variable,
    names: namesOf(table, listed, values, use),
    units: tableUnits(table, roles, values, undefined, use, source),
    ...(hasSteps && { times }),
  };
}

/** The note on times that have another zone in the file. */
export function zoneNote({ schema }: Table): string[] {
  const zone = schema.metadata.get('printed_time_zone');
  return zone === undefined ? [] : [`times of ${zone} shifted to UTC`];
}

function asSteps(options: ReadOptions): ReadOptions {
  const { variable, variables = [] } = options;
  if (variable === undefined) return options;
  const named = namedAsSteps(variable);
  return { ...options, variable: named, variables: [named, ...variables] };
}

function namesOf(
  table: Table,
  listed: CodedColumn | undefined,
  { named }: ValueColumns,
  use: (row: number) => boolean = () => true,
): string[] {
  const { metadata } = table.schema;
  const stated = [metadata.get('standard_name'), metadata.get('variable'), named].filter((name) => name !== undefined);
  if (listed === undefined) return stated;
  const used = new Set<number>();
  listed.codes.forEach((code, row) => {
    if (!used.has(code) && use(row)) used.add(code);
  });
  return [...used].filter((code) => code >= 0).map((code) => String(listed.values[code]));
}

/**
 * Names of Open-Meteo's variables whose value is the sum, the mean or the highest value of the time step before its
 * time; values of all others are of that instant. Source: "Valid time" in the tables of hourly variables of its
 * documentation.
 */
const OF_PRECEDING_STEP =
  /^(precipitation|rain|showers|snowfall(?!_height)|hail|freezing_rain|(et0_fao_|potential_)?evapotranspiration|sunshine_duration|wind_?gusts|lightning_potential)|radiation|irradiance|_(sum|mean|max|min)$/;

/** Whether the values of a table are of the time steps before their times, so that times mark the ends of steps. */
function areOfPrecedingSteps(table: Table, columns: readonly string[]): boolean {
  if (table.schema.metadata.get('provider') !== 'Open-Meteo') return false;
  const { stem } = parseColumnName(columns[0]);
  return OF_PRECEDING_STEP.test(stem) && !stem.endsWith('_instant');
}

/** How the values of a day's time steps become the value of the day. */
export type StepRule = 'sum' | 'mean' | 'min' | 'max';

/**
 * How the time steps of a variable make its daily value: the lowest or highest if its window rule or the end of its
 * slug (`_min`,
 * `_max`) says so, the sum if it is a total over a day (a depth of water, an energy over an area), else the mean.
 */
export function stepRule({ slug, window, units }: Variable): StepRule {
  if (window === 'min' || slug.endsWith('_min')) return 'min';
  if (window === 'max' || slug.endsWith('_max')) return 'max';
  const isTotal = window === 'sum' || unitConversion('W m-2', units)?.perSecond === true;
  return isTotal ? 'sum' : 'mean';
}

const IN_WORDS: Record<StepRule, string> = { sum: 'sums', mean: 'means', min: 'minima', max: 'maxima' };

/** What is done to steps of `seconds` seconds, for people: `3-hourly values to daily means`. */
export function stepsInWords(seconds: number, rule: StepRule): string {
  const hours = seconds / 3_600;
  const steps = Number.isInteger(hours) && hours > 0 ? (hours === 1 ? 'hourly' : `${hours}-hourly`) : 'sub-daily';
  return `${steps} values to daily ${IN_WORDS[rule]}`;
}

/**
 * A variable with the names of its time steps in addition to its own: the daily maximum of temperature is made from
 * values that are just called temperature.
 */
function namedAsSteps(variable: Variable): Variable {
  const { standardName, fileNames } = variable;
  const plain = standardName === undefined ? undefined : variableByName(standardName);
  const names = plain === undefined || plain.slug === variable.slug ? [] : [plain.slug, ...plain.fileNames];
  return { ...variable, fileNames: [...fileNames, ...names, ...(standardName === undefined ? [] : [standardName])] };
}

/**
 * Selects the columns of one model, and removes the model from their names. The metadata of the table list the models
 * that names of columns end with (`models`, as in tables of Open-Meteo); a table without such a list is returned as it
 * is. Throws OptionError if one of several models must be named, or the named one is not among them.
 */
export function selectModel(table: Table, { model, source }: { model?: string; source?: string }): Table {
  assertTable(table, source);
  const { fields, metadata } = table.schema;
  const models = metadata.get('models')?.split(',');
  if (models === undefined) {
    if (model === undefined) return table;
    const subject = subjectIn(source, 'model');
    const problem = 'the table does not name models';
    throw new OptionError({ subject, problem, received: model, allowed: 'no model: all members are of one' });
  }
  const chosen = model ?? (models.length === 1 ? models[0] : undefined);
  if (chosen === undefined || !models.includes(chosen)) throw severalModels(models, source, model);
  const known = new Set(models);
  const modelOf = (name: string) => longestEnding(plainName(name), known);
  const places = [...fields.keys()].filter((place) => [undefined, chosen].includes(modelOf(fields[place].name)));
  const kept = places.map((place) => {
    const field = fields[place];
    return modelOf(field.name) === undefined ? field : field.clone({ name: withoutModel(field.name, chosen) });
  });
  const ofModel = new Map(metadata).set('model', chosen);
  ofModel.delete('models');
  const schema = quickSchema(new Schema(kept, ofModel));
  const batches = table.batches.map(({ data, numRows: length }) => {
    const children = places.map((place) => data.children[place]);
    return new RecordBatch(schema, makeData({ type: new Struct(kept), length, nullCount: 0, children }));
  });
  return new Table(schema, batches);
}

function plainName(name: string): string {
  return splitUnits(name)?.plain ?? name;
}

function withoutModel(name: string, model: string): string {
  const { plain, suffix } = splitUnits(name) ?? { plain: name, suffix: '' };
  return `${plain.slice(0, -model.length - 1)}${suffix}`;
}
