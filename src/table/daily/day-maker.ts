import type { Table } from 'apache-arrow';
import type { Amounts } from '../../ensemble/accumulation.js';
import { LocalDays, requestedDays } from '../../ensemble/local-days.js';
import { type PlaceDays, requestedPlaceDays } from '../../ensemble/place-days.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError, isPlumecastError, NoWindowError, OptionError, subjectIn } from '../../errors.js';
import { unitsAgree } from '../../variable/unit-conversion.js';
import { columnOf } from '../arrow/table-schema.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { columnRoles } from '../columns/column-roles.js';
import { type Coordinates, tableCoordinates } from '../columns/coordinates.js';
import { tableCalendar } from '../columns/day-column.js';
import { CONVERT_OTHERS } from '../columns/table-variable.js';
import { valueColumns } from '../columns/value-columns.js';
import { readPlaces } from '../rows/read-places.js';
import { shiftRow } from '../rows/row-reader.js';
import { assertSameSteps, combinedColumns } from './combined-columns.js';
import type { DailyTableOptions } from './daily-options.js';
import { datedTable, type KnownDates } from './dated-table.js';
import { combineSteps, type DaysOfSteps, type KnownSteps, knownSteps, type TakenTimes } from './days-of-steps.js';
import { keptDays, noDailyZones } from './kept-days.js';
import { MissingValues } from './missing-values.js';
import { SingleRun } from './runs-of-table.js';
import { growingDays } from './step-amounts.js';
import { type StepTable, selectModel, stepTable } from './step-table.js';
import { convertedTable } from './step-units.js';
import { timeColumn } from './time-column.js';
import { unstatedUnits } from './unstated-units.js';

/** Tables that are kept until they are read as one. */
export interface KeptTables {
  /** `reason` says why they are kept. Throws DataError for too many rows. */
  add(table: Table, reason: string): void;
  table(): Table;
}

/** Why time steps are kept. */
const SEVERAL_A_DAY = 'several times a day';

/** How tables become tables of days, by what the first of them shows. */
interface Way {
  readonly kind: 'no-dates' | 'as-they-are' | 'converted' | 'steps';
  /** The column of dates. */
  readonly date?: string;
  readonly options: DailyTableOptions;
  readonly columns: ColumnRoles;
  /** Notes that follow those on the conversion of values, and that are before them. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether steps are days. */
  readonly areDays?: boolean;
  /** Whether steps go location by location, and several tables may come. */
  readonly isByLocation?: boolean;
}

/** The first table, as it is read, and what is known of it. */
interface FirstTable {
  readonly table: Table;
  readonly plan?: StepTable;
  readonly converted?: ReturnType<typeof convertedTable>;
}

/**
 * Makes tables of daily values, in the unit of their variable, of tables of one schema that come one after the other:
 * together they have the rows that `dailyTable` gives for all. The first table decides whether values are of time
 * steps, and in which units. Daily values are passed on as they come, converted table by table where they have another
 * unit. Time steps by location are combined location by location, unless `sort` says that they may be in any order;
 * others are kept until all are there. `keep` creates what holds tables; without it, there is one table, which makes
 * one.
 */
export class DayMaker {
  readonly #keep: (() => KeptTables) | undefined;
  /** The days that are made of steps, and that daily values are kept as; undefined for days of UTC. */
  readonly #local: LocalDays | PlaceDays | undefined;
  /** The options that are given, and how tables with readable dates are read. */
  readonly #given: DailyTableOptions;
  #options: DailyTableOptions;
  #dateNotes: readonly string[] | undefined;
  readonly #dates: KnownDates = {};
  #missing?: MissingValues;
  /** Makes the columns of a variable from two others, if the first table showed that they are needed. */
  #combined: ((table: Table) => Table) | undefined;
  #way: Way | undefined;
  #first: FirstTable | undefined;
  #notes: readonly string[] = [];
  #warnings: readonly string[] = [];
  #accumulation: Amounts['kind'] | undefined;
  #times: TakenTimes | undefined;
  /** The rows with readable dates so far, and those of which days were made. */
  #rows = 0;
  #rowsMade = 0;
  /** The first tables, while all of their rows have one time. */
  #firstTables: { readonly kept: KeptTables; readonly time: number } | undefined;
  #units: string | undefined;
  #steps?: KeptTables;
  #known?: KnownSteps;
  #undecided?: DaysOfSteps;
  #isReported = false;
  #hasDays = false;
  readonly #run: SingleRun;

  constructor(options: DailyTableOptions, keep?: () => KeptTables) {
    this.#given = { ...options, places: readPlaces };
    this.#local = requestedPlaceDays(options) ?? requestedDays(options);
    this.#options = this.#given;
    this.#keep = keep;
    this.#run = new SingleRun(options.source, options.columns);
  }

  /** The given names of columns that still apply; undefined until the first tables have shown it. */
  get columns(): ColumnRoles | undefined {
    return this.#way?.columns;
  }

  /** For people: what is done to values, and the columns that are left out, as far as tables have shown it. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** What may be wrong: defaults that change numbers, as far as tables have shown it. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** What amounts of steps count, as far as tables have shown it. */
  get accumulation(): Amounts['kind'] | undefined {
    return this.#accumulation;
  }

  /** What times of steps stand for, as far as tables have shown it. */
  get times(): TakenTimes | undefined {
    return this.#times;
  }

  /** Whether values are daily, and not made of time steps. */
  get areDaily(): boolean {
    return this.#way?.kind === 'converted' || this.#way?.kind === 'as-they-are';
  }

  /** Adds a table, and returns what is complete now. Throws as `dailyTable` does, with rows counted over all tables. */
  add(given: Table): Iterable<Table> {
    this.#run.check(given);
    const table = this.#dated(selectModel(given, this.#given));
    if (this.#way !== undefined) return this.#made(this.#way, this.#combined?.(table) ?? table);
    const first = this.#firstTimes(table);
    return first === undefined ? [] : this.#begun(first);
  }

  /** Returns what is left. Throws as `add` does, and NoWindowError if time steps make up no day. */
  *end(): Generator<Table> {
    if (this.#firstTables !== undefined) yield* this.#begun(this.#firstTables.kept.table());
    if (this.#way?.kind !== 'steps') return;
    if (this.#steps !== undefined) yield* this.#daysOf(this.#way, this.#steps.table());
    if (this.#undecided !== undefined) this.#report(this.#undecided);
    if (!this.#hasDays) throw noWholeDay(this.#given.source, this.#local);
  }

  /** The table with readable dates, and without numbers that stand for missing values. */
  #dated(table: Table): Table {
    return inRows(this.#rows, () => {
      const dated = datedTable(table, this.#given, this.#dates);
      if (this.#dateNotes === undefined) {
        this.#options = { ...this.#given, columns: dated.columns };
        this.#dateNotes = dated.notes;
        if (this.#given.missing !== undefined) this.#missing = new MissingValues(this.#options);
      }
      this.#rows += table.numRows;
      return this.#missing?.removed(dated.table) ?? dated.table;
    });
  }

  /** The first table, or the first ones together until there are two different times; undefined if more are needed. */
  #firstTimes(table: Table): Table | undefined {
    if (this.#keep === undefined) return table;
    const time = onlyTime(table, this.#options);
    if (this.#firstTables === undefined) {
      if (time === undefined) return table;
      this.#firstTables = { kept: this.#keep(), time };
    }
    const { kept, time: first } = this.#firstTables;
    kept.add(table, SEVERAL_A_DAY);
    return time === first ? undefined : kept.table();
  }

  /** Decides by the first table, and returns what it gives. */
  #begun(given: Table): Iterable<Table> {
    this.#firstTables = undefined;
    const { way, first } = this.#decide(given);
    this.#way = way;
    if (way.kind === 'converted' || this.#keep === undefined) this.#first = first;
    return this.#made(way, first.table);
  }

  #decide(given: Table): { readonly way: Way; readonly first: FirstTable } {
    const made = combinedColumns(given, this.#options);
    const combining = this.#options;
    if (made !== undefined) this.#combined = (table) => combinedColumns(table, combining)?.table ?? table;
    const { table, options } = made ?? { table: given, options: this.#options };
    const { columns = {} } = options;
    const plan = this.#planOf(table, options);
    if (plan === undefined) {
      return { way: { kind: 'no-dates', options, columns, before: [], after: [] }, first: { table } };
    }
    if (made !== undefined) assertSameSteps(made.combination, plan, options.source);
    const kept = this.#local && plan.times === undefined ? [`daily values are kept as ${this.#local}`] : [];
    const after = [...plan.notes, ...(this.#dateNotes ?? []), ...kept];
    const shared = { options, before: made?.notes ?? [], after, date: plan.dateColumn };
    const growing = plan.times === undefined ? growingDays(table, plan, options) : undefined;
    const steps = growing?.plan ?? (plan.times === undefined ? undefined : plan);
    if (steps !== undefined) {
      const way: Way = {
        ...{ ...shared, kind: 'steps', options: growing?.options ?? options, columns: columnsLeft(steps, options) },
        areDays: growing !== undefined,
        isByLocation:
          this.#keep !== undefined &&
          !options.sort &&
          typeof options.timeZones !== 'string' &&
          isByLocation(table, plan, options.source),
      };
      return { way, first: { table, plan } };
    }
    const converted = convertedTable(table, plan, options);
    const { variable } = plan;
    if (variable?.units && converted.units === undefined && table.numRows > 0) {
      this.#warnings = [unstatedUnits(table, plan, variable, options.source)];
    }
    if (converted.table !== table) {
      // Where units alone are added, columns are as they were.
      const isSame = converted.table.schema.fields === table.schema.fields;
      const way: Way = { ...shared, kind: 'converted', columns: isSame ? columns : columnsLeft(plan, options) };
      return { way, first: { table, plan, converted } };
    }
    this.#notes = [...shared.before, ...shared.after];
    return { way: { ...shared, kind: 'as-they-are', columns }, first: { table } };
  }

  #made(way: Way, table: Table): Iterable<Table> {
    if (way.kind === 'steps') return this.#stepsOf(way, table);
    return [this.#keptDays(way, way.kind === 'converted' ? this.#converted(way, table) : table)];
  }

  /** Daily values as days of the zone that is named. */
  #keptDays({ date }: Way, table: Table): Table {
    const days = this.#local;
    if (days === undefined || date === undefined) return table;
    if (!(days instanceof LocalDays)) throw noDailyZones(this.#given.source);
    return inRows(this.#rows - table.numRows, () => keptDays(table, date, days, this.#given.source));
  }

  /** What a table holds. Throws OptionError for days of a zone of a model calendar. */
  #planOf(table: Table, options: DailyTableOptions, areSteps?: boolean): StepTable | undefined {
    const plan = stepTable(table, { ...options, areOfZone: this.#local !== undefined }, areSteps);
    if (this.#local === undefined || plan?.calendar === undefined) return plan;
    throw new OptionError({
      ...{
        subject: subjectIn(options.source, 'timeZone'),
        problem: 'dates are of a model calendar, which has no zones',
      },
      ...{ received: plan.calendar, allowed: 'dates of the real calendar' },
    });
  }

  #converted(way: Way, table: Table): Table {
    const { options } = way;
    const converted = inRows(this.#rowsMade, () => {
      const first = this.#takeFirst(table);
      const plan = first?.plan ?? (this.#planOf(table, options) as StepTable);
      if (this.#units !== undefined && plan.units !== undefined && !unitsAgree(this.#units, plan.units)) {
        throw new DataError({
          ...{ source: options.source, row: 1, column: plan.roles.units, problem: 'mixed units', received: plan.units },
          allowed: `${this.#units}, as in the rows before${CONVERT_OTHERS}`,
        });
      }
      this.#units ??= plan.units;
      return first?.converted ?? convertedTable(table, plan, options);
    });
    this.#report(converted);
    this.#rowsMade += table.numRows;
    return converted.table;
  }

  /** The days of the steps of complete locations. */
  *#stepsOf(way: Way, table: Table): Generator<Table> {
    if (this.#keep === undefined) return yield* this.#daysOf(way, table);
    this.#steps ??= this.#keep();
    this.#steps.add(table, SEVERAL_A_DAY);
    const cut = way.isByLocation ? inRows(this.#rowsMade, () => lastLocation(table, way.options)) : 0;
    if (cut === 0) return;
    const kept = this.#steps.table();
    yield* this.#daysOf(way, kept.slice(0, kept.numRows - table.numRows + cut));
    this.#steps = this.#keep();
    this.#steps.add(table.slice(cut), SEVERAL_A_DAY);
  }

  *#daysOf(way: Way, table: Table): Generator<Table> {
    const daily = inRows(this.#rowsMade, () => {
      const plan = this.#takeFirst(table)?.plan ?? (this.#planOf(table, way.options, !way.areDays) as StepTable);
      const { plan: steps, options } = growingDays(table, plan, way.options) ?? { plan, options: way.options };
      const local = way.areDays ? undefined : this.#local;
      return combineSteps(table, steps, options, (this.#known ??= knownSteps(options)), local);
    });
    // Dry places do not show what amounts count: the report waits for a wet one.
    if (daily.accumulation === 'either') this.#undecided ??= daily;
    else this.#report(daily);
    this.#rowsMade += table.numRows;
    if (daily.table.numRows === 0) return;
    this.#hasDays = true;
    yield way.areDays ? this.#keptDays({ ...way, date: 'date' }, daily.table) : daily.table;
  }

  /** What is known of a table if it is the first one, which is needed once. */
  #takeFirst(table: Table): FirstTable | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first?.table === table ? first : undefined;
  }

  /** Keeps what the first days show. */
  #report(days: Pick<DaysOfSteps, 'conversions' | 'accumulation' | 'times'> & Partial<Pick<DaysOfSteps, 'warnings'>>) {
    const { conversions, accumulation, times, warnings = [] } = days;
    if (this.#isReported || this.#way === undefined) return;
    this.#isReported = true;
    this.#warnings = [...this.#warnings, ...warnings];
    this.#notes = [...this.#way.before, ...conversions, ...this.#way.after];
    this.#accumulation = accumulation;
    this.#times = times;
  }
}

/** The time of all rows, from which the number of steps a day is not known; undefined if they have several times. */
function onlyTime(table: Table, options: DailyTableOptions): number | undefined {
  const { columns, source } = options;
  const { date } = columnRoles(table, columns, source);
  const calendar = tableCalendar(table, options);
  const times = date === undefined ? undefined : timeColumn(columnOf(table, date), date, source, calendar);
  return times?.every((time) => time === times[0]) ? times[0] : undefined;
}

/** The given names of columns that are still valid in the daily table. */
function columnsLeft({ times, values }: StepTable, { columns = {} }: DailyTableOptions): ColumnRoles {
  const { hasId = false, names } = values.labels ?? { names: [] };
  if (times !== undefined) return hasId ? { id: names[0] } : {};
  const { units: _, value, ...others } = columns;
  return values.form === 'list' || value === undefined ? others : { ...others, value };
}

/** The error for time steps that make up no day. */
function noWholeDay(source?: string, local?: LocalDays | PlaceDays): DataError {
  if (local !== undefined) {
    const problem = `none of the ${local} is covered by its time steps`;
    return new NoWindowError({
      source,
      problem,
      allowed: 'all steps from the start of a day to its end, of one at least',
    });
  }
  return new NoWindowError({
    source,
    problem: 'no UTC day is covered by its time steps',
    allowed: 'the steps of 24 hours from 00:00 on, for one day at least',
  });
}

/** Whether rows go location by location, each with all members. */
function isByLocation(table: Table, plan: StepTable, source?: string): boolean {
  const { latitude, longitude } = rowPlaces(table, plan, source);
  if (plan.values.form === 'long' || latitude === undefined || longitude === undefined) return false;
  const places = new PlaceRows();
  for (let row = 0; row < table.numRows; row++) {
    const isSame = row > 0 && latitude[row - 1] === latitude[row] && longitude[row - 1] === longitude[row];
    if (!isSame && places.add(latitude[row], longitude[row], row) !== undefined) return false;
  }
  return true;
}

/** The place of each row, by coordinates or by number. */
function rowPlaces(table: Table, plan: Pick<StepTable, 'roles' | 'values'>, source?: string): Coordinates {
  const coordinates = tableCoordinates(table, plan.roles, source);
  return plan.values.labels?.begin(table).numbered(table, coordinates) ?? coordinates;
}

/** The first row of the last location of a table; 0 if all rows may belong to one location. */
function lastLocation(table: Table, options: DailyTableOptions): number {
  const roles = columnRoles(table, options.columns, options.source);
  const values = valueColumns(table, roles, options);
  const { latitude, longitude } = rowPlaces(table, { roles, values }, options.source);
  if (latitude === undefined || longitude === undefined) return 0;
  let row = table.numRows - 1;
  while (row > 0 && latitude[row - 1] === latitude[row] && longitude[row - 1] === longitude[row]) row--;
  return row;
}

/** Runs `work`; in errors it throws, rows are counted from the first table on. */
function inRows<T>(rowsBefore: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isPlumecastError(error, 'data') ? shiftRow(error, rowsBefore) : error;
  }
}
