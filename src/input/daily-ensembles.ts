import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { giveTableKernels, takeTableKernels } from '../core/table-kernels.js';
import { DAILY_GROWTH_WARNING, MIN_GROWING_DAYS, type StepEdges } from '../ensemble/accumulation.js';
import {
  AccumulationEvidence,
  isFall,
  MIN_WET_STEPS,
  roundingTolerance,
  seemToGrow,
} from '../ensemble/accumulation-evidence.js';
import { chosenCells } from '../ensemble/cells-with-ids.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { DataError, isPlumecastError } from '../errors.js';
import { readArrowInto } from '../files/arrow/read-arrow-into.node.js';
import { DAY_SECONDS } from '../period/day.js';
import { makeDaily } from '../table/daily/daily-table.js';
import { runsOfTable, statesRun } from '../table/daily/runs-of-table.js';
import { ROWS_SORTED } from '../table/daily/sorted-table.js';
import { stepRule } from '../table/daily/step-table.js';
import { numberedStepsOf } from '../table/daily/time-steps.js';
import type { RowStores } from '../table/rows/added-rows.js';
import { GatheredRows } from '../table/rows/gathered-rows.js';
import { ensembleOf } from '../table/rows/read-ensemble.js';
import { RowOrderError } from '../table/rows/row-index.js';
import { readHead } from '../table/rows/row-reader.js';
import { RowsByLocation } from '../table/rows/rows-by-location.js';
import type { Input, TableInput } from './input.js';
import { STANDARD } from './input-file.js';
import { assertOnePlace, type DailyRequest, dailyOptions, rowOptions } from './input-request.js';
import { inMemberOrder } from './member-order.js';
import { neededColumns } from './needed-columns.js';
import { reportNotes, reportWarnings } from './notice.js';
import { readRowsOfVariable, readVariableTables, tablesOfVariable } from './rows-of-variable.js';
import { ROW_LIMITS, type RowLimits, SpilledBytes } from './spilled-bytes.js';
import {
  builtEnsembles,
  type DailyTables,
  dailyTables,
  type StreamedEnsemble,
  TableCollector,
  TooLargeError,
} from './table-ensembles.js';

/** An ensemble of daily values, and what is known of them: `findings` may grow until the last one is read. */
export interface ReadEnsemble extends StreamedEnsemble {
  readonly findings: Findings;
}

/** What was done to values, and what amounts of steps count. */
type Findings = Pick<DailyTables['shown'], 'notes' | 'accumulation' | 'times'>;

/**
 * In which order the rows of a long table are expected: `by-location`, so that locations are given as they come; a
 * RowOrderError then says that rows are in another order, and what was given before counts for nothing. `any`: rows are
 * gathered by location. `together`: rows are read together, as they have to be where they are neither.
 */
export type RowsExpected = 'by-location' | 'any' | 'together';

/** How the rows of a table are read as they come. */
export interface TableReading {
  /** Whether rows that have to be read together give nothing. */
  readonly onlyAsTheyCome?: boolean;
  /** By default `together`. */
  readonly expected?: RowsExpected;
  readonly limits?: RowLimits;
}

/** The bytes of values of a file of arrays that are read at a time when all are needed. */
const GRID_BYTES = 134_217_728;

/**
 * Reads all daily values of one variable of an input, in the variable's unit. Reports what was done to them, and warns
 * of daily amounts that never fall. Throws OptionError, DataError, and what reading throws.
 */
export async function readDailyEnsemble(core: Core, input: Input, request: DailyRequest): Promise<Ensemble> {
  if (input.kind === 'arrays') {
    // Loaded when arrays are met: tables are read sooner without it.
    const { gridInput, openGrid, readAllCells } = await import('./grid-door.js');
    return readAllCells(gridInput(core, await openGrid(input, request)), GRID_BYTES);
  }
  return withMembersInOrder(dailyEnsembleOfTable(await input.read(), input, request), input).ensemble;
}

/**
 * Like `readDailyEnsemble`, for a table: an ensemble for each of its runs, where a column has their starts. A table with
 * one start, or with a row for each start, is one ensemble.
 */
export async function readDailyRuns(input: TableInput, request: DailyRequest): Promise<ReadEnsemble[]> {
  const all = await input.read();
  const runs = runsOfTable(all);
  const tables = runs.every(({ numRows }) => numRows === 1) ? [all] : runs;
  return tables.map((table) => withMembersInOrder(dailyEnsembleOfTable(table, input, request), input));
}

/** Of parts, whose rows come in any order, the ensemble with its members in order. */
function withMembersInOrder(read: ReadEnsemble, { form }: Pick<TableInput, 'form'>): ReadEnsemble {
  return form === 'folder' && read.isLong ? { ...read, ensemble: inMemberOrder(read.ensemble) } : read;
}

/** Like `readDailyEnsemble`, for a table that was read. */
export function dailyEnsembleOfTable(
  table: Table,
  input: Pick<Input, 'source' | 'report'>,
  request: DailyRequest,
): ReadEnsemble {
  const { point, values } = request;
  assertOnePlace(point, values);
  const all = ensembleOfTable(table, input, request);
  const cells = chosenCells(values, input.source);
  if (cells === undefined) return all;
  const ensemble = cells.select(all.ensemble);
  cells.assertFound();
  reportNotes(input.report, input.source, [cells.note]);
  return { ...all, ensemble: ensemble as Ensemble };
}

/** The time steps of a table as an ensemble whose days are their numbers, and when each begins and ends. */
export function stepsOfTable(
  given: Table,
  { source, report }: Pick<Input, 'source' | 'report'>,
  request: DailyRequest,
): { readonly ensemble: Ensemble; readonly edges: StepEdges } {
  assertOnePlace(request.point, request.values);
  const options = dailyOptions(request, source);
  const read = readRowsOfVariable(given, options, (table) => {
    const steps = numberedStepsOf(table, options);
    reportNotes(report, source, steps.conversions);
    reportWarnings(report, source, steps.warnings);
    const ensemble = ensembleOf(steps.table, rowOptions(request, source, steps.columns));
    request.use?.read(ensemble.variable, source);
    return { ensemble: { ...ensemble, notes: undefined }, edges: steps.edges };
  });
  const cells = chosenCells(request.values, source);
  if (cells === undefined) return read;
  const ensemble = cells.select(read.ensemble);
  cells.assertFound();
  return { ...read, ensemble: ensemble as Ensemble };
}

function ensembleOfTable(given: Table, input: Pick<Input, 'source' | 'report'>, request: DailyRequest): ReadEnsemble {
  const options = dailyOptions(request, input.source);
  return readRowsOfVariable(given, options, (table) => ensembleOfRows(table, input, request));
}

function ensembleOfRows(
  table: Table,
  { source, report }: Pick<Input, 'source' | 'report'>,
  request: DailyRequest,
): ReadEnsemble {
  const daily = makeDaily(table, dailyOptions(request, source));
  reportNotes(report, source, daily.conversions);
  reportWarnings(report, source, daily.warnings);
  const options = rowOptions(request, source, daily.columns);
  const ensemble = ensembleOf(daily.table, options);
  request.use?.read(ensemble.variable, source, daily.times === undefined);
  const isGrowthKnown = request.values.accumulation !== undefined || daily.accumulation !== undefined;
  const growth = new GrowthCheck();
  if (!isGrowthKnown) growth.add(ensemble, statesRun(table));
  if (growth.warning !== undefined) report({ kind: 'warning', source, text: growth.warning });
  const { accumulation, times } = daily;
  const findings = { notes: daily.conversions, accumulation, times };
  const isLong = readHead(daily.table, options).values.form === 'long';
  const isAll = { isAll: true, isOrderAssumed: false, isInOrder: true, isLong };
  return { ...isAll, ensemble: { ...ensemble, notes: undefined }, findings };
}

/**
 * Reads the daily values of one variable of a table as ensembles, as `readDailyEnsemble` does: of each location as soon
 * as all its rows are there, if the file is long and its rows go by location; else of all at once. Of rows that have to
 * be read together it reads at most 1 GiB, and of an Arrow file as much as the core's memory holds. Long tables are
 * read as they come, too, if their order is given.
 */
export async function* dailyEnsembles(
  core: Core,
  input: TableInput,
  request: DailyRequest,
  reading: TableReading = {},
): AsyncGenerator<ReadEnsemble> {
  const { source, report } = input;
  assertOnePlace(request.point, request.values);
  const cells = chosenCells(request.values, source);
  if (cells === undefined) return yield* allEnsembles(core, input, request, reading);
  for await (const read of allEnsembles(core, input, request, reading)) {
    const ensemble = cells.select(read.ensemble);
    if (ensemble !== undefined) yield { ...read, ensemble };
  }
  cells.assertFound();
  reportNotes(report, source, [cells.note]);
}

async function* allEnsembles(
  core: Core,
  input: TableInput,
  request: DailyRequest,
  reading: TableReading,
): AsyncGenerator<ReadEnsemble> {
  if (input.form === 'short') {
    if (!reading.onlyAsTheyCome) yield ensembleOfTable(await input.read(), input, request);
    return;
  }
  // The rows of a table in parts come in any order.
  const isInParts = input.form === 'folder';
  const { sort } = request.values;
  const given = reading.expected ?? (isInParts ? 'any' : 'together');
  // Standard input is read once.
  let expected = input.path === STANDARD ? 'together' : sort ? 'any' : given;
  for (let order: RowOrderError | undefined; ; expected = expected === 'by-location' ? 'any' : 'together') {
    let isGiven = false;
    // That the rows of parts go by location is only assumed, whatever the first ones show.
    const isTried = isInParts && expected === 'by-location' && !sort;
    const options = dailyOptions(request, input.source);
    const tables = input.tables(core, { inTurn: true, needed: (names) => neededColumns(names, options) });
    const values = { ...request.values, ...(isInParts && expected === 'any' && { sort: true }) };
    try {
      for await (const read of readVariableTables(tables, options, (first) =>
        ensemblesInParts(core, { ...input, first }, { ...request, values }, { ...reading, expected }),
      )) {
        isGiven = true;
        yield withMembersInOrder(isTried ? { ...read, isOrderAssumed: true } : read, input);
      }
      return;
    } catch (fault) {
      const error = isTried ? orderError(fault) : fault;
      // What is wrong with the order of rows is the fault that can be mended, if they cannot be read together.
      if (order !== undefined && !sort && error instanceof TooLargeError) throw order.cause ?? order;
      if (isGiven || expected === 'together' || !(error instanceof RowOrderError)) throw error;
      order = error;
    }
  }
}

/** A fault of rows that may only be in another order: to read them sorted succeeds, or finds what is wrong. */
function orderError(fault: unknown): unknown {
  if (fault instanceof RowOrderError || fault instanceof TooLargeError || !isPlumecastError(fault, 'data'))
    return fault;
  return new RowOrderError({ problem: fault.problem, cause: fault });
}

/** The ensembles of a file that is read part by part; `first` are its tables, which are read again where needed. */
async function* ensemblesInParts(
  core: Core,
  input: TableInput & { readonly first: AsyncIterable<Table> },
  request: DailyRequest,
  { onlyAsTheyCome = false, expected, limits = ROW_LIMITS }: TableReading,
): AsyncGenerator<ReadEnsemble> {
  const { source, report, form, keepsTables = false } = input;
  const areViews = !keepsTables;
  const { sort, accumulation } = request.values;
  const options = dailyOptions(request, source);
  async function* again() {
    const needed = (names: readonly string[]) => neededColumns(names, options);
    const given = tablesOfVariable(input.tables(core, { inTurn: true, needed }), options);
    yield* (await dailyTables(given, options, { areViews })).tables;
  }
  let isOfRun = false;
  async function* seen(tables: AsyncIterable<Table>) {
    let isFirst = true;
    for await (const table of tables) {
      if (isFirst) isOfRun = statesRun(table);
      isFirst = false;
      yield table;
    }
  }
  const daily = await dailyTables(seen(input.first), options, { areViews });
  const { shown } = daily;
  const rows = { ...rowOptions(request, source, daily.columns), sort };
  const growth = new GrowthCheck();
  let hasEnsembles = false;
  for await (const read of builtEnsembles(withNotices(daily, input), rows, {
    collect: onlyAsTheyCome || form === 'arrow-file' ? undefined : () => new TableCollector(source, areViews),
    gathering:
      expected === 'together'
        ? undefined
        : {
            again,
            open: (needsLoops) => openStores(source, limits, needsLoops),
            isUnordered: expected === 'any',
          },
  })) {
    hasEnsembles = true;
    growth.add(read.ensemble, isOfRun);
    const notes = read.isInOrder ? shown.notes : [...shown.notes, ROWS_SORTED];
    if (sort) reportNotes(report, source, notes);
    yield { ...read, findings: sort ? { notes, accumulation: shown.accumulation, times: shown.times } : shown };
  }
  const isGrowthKnown = accumulation !== undefined || shown.accumulation !== undefined;
  if (growth.warning !== undefined && !isGrowthKnown) report({ kind: 'warning', source, text: growth.warning });
  if (hasEnsembles || onlyAsTheyCome) return;
  if (form !== 'arrow-file') throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
  const inCore = await readArrowInto(core, input.path, { source });
  try {
    yield ensembleOfTable(inCore.table, input, request);
  } finally {
    inCore.release();
  }
}

/** Opens what keeps rows: in memory of kernels, and, where they are gathered, also in a temporary file. */
async function openStores(
  source: string,
  limits: RowLimits,
  needsKernels: boolean,
): Promise<RowStores & { close(): void }> {
  const kernels = needsKernels ? await takeTableKernels() : undefined;
  let bytes: SpilledBytes | undefined;
  return {
    byLocation: () => new RowsByLocation(kernels),
    gathered: (options) => new GatheredRows(options, (bytes ??= new SpilledBytes(source, limits)), limits),
    close() {
      bytes?.close();
      if (kernels !== undefined) giveTableKernels(kernels);
    },
  };
}

/** The tables, with their notes reported as soon as they are known. */
async function* withNotices({ tables, shown }: DailyTables, { source, report }: TableInput): AsyncGenerator<Table> {
  for await (const table of tables) {
    reportNotes(report, source, shown.notes);
    reportWarnings(report, source, shown.warnings);
    yield table;
  }
  reportNotes(report, source, shown.notes);
  reportWarnings(report, source, shown.warnings);
}

/** How many series are checked, and how many days of each, before a warning that none falls. */
const MAX_SERIES = 256;
const MAX_DAYS = 400;
const FEW_SERIES = 8;

/**
 * Finds out whether the daily amounts of the ensembles of a table never fall, in a sample of the members and places of
 * each, by the rule of arrays.
 */
class GrowthCheck {
  /** By the days of places. */
  readonly #evidence = new Map<string, { readonly evidence: AccumulationEvidence; readonly days: number }>();
  #isOfRun = false;
  #hasFalls = false;

  /** Adds an ensemble, of a run that states its start or not; values that are no amounts show nothing. */
  add({ variable, parts }: Ensemble, isOfRun: boolean): void {
    if (this.#hasFalls || variable === undefined || stepRule(variable) !== 'sum') return;
    this.#isOfRun = isOfRun;
    const long = parts.filter(({ field }) => field.days >= (isOfRun ? MIN_WET_STEPS + 1 : MIN_GROWING_DAYS));
    const perPart = Math.ceil(MAX_SERIES / long.length);
    const smallest = 10 ** -variable.decimals;
    for (const part of long.slice(0, MAX_SERIES)) {
      this.#hasFalls = fallsSoon(part, roundingTolerance(smallest, variable.bounds[1]));
      if (this.#hasFalls) return;
      const evidence = this.#evidenceOf(part, smallest);
      evidence?.add(sampledSeries(part, perPart));
      if (evidence?.hasFalls) this.#hasFalls = true;
    }
  }

  /** A warning if they never fall. */
  get warning(): string | undefined {
    if (this.#hasFalls) return undefined;
    const isGrowing = [...this.#evidence.values()].some(({ evidence, days }) =>
      seemToGrow(evidence, days, this.#isOfRun),
    );
    return isGrowing ? DAILY_GROWTH_WARNING : undefined;
  }

  /** The evidence of all places with the same days; undefined where places have too many different ones. */
  #evidenceOf({ field: { firstDay, days } }: EnsemblePart, smallest: number): AccumulationEvidence | undefined {
    const key = `${firstDay} ${days}`;
    const known = this.#evidence.get(key)?.evidence;
    if (known !== undefined || this.#evidence.size >= MAX_SERIES) return known;
    const starts = Float64Array.from({ length: Math.min(days, MAX_DAYS) }, (_, day) => (firstDay + day) * DAY_SECONDS);
    const ends = starts.map((start) => start + DAY_SECONDS);
    const evidence = new AccumulationEvidence({ starts, ends }, { smallest });
    this.#evidence.set(key, { evidence, days });
    return evidence;
  }
}

/** Whether a few series fall, by more than the rounding of any amount: all others, whose reading takes longer, show no more. */
function fallsSoon(part: EnsemblePart, rounding: number): boolean {
  return sampledSeries(part, FEW_SERIES).some((amounts) =>
    amounts.some((amount, day) => isFall(amounts[day - 1], amount, rounding)),
  );
}

/** The series of some members and cells, spread over all. */
function sampledSeries({ field }: EnsemblePart, wanted: number): Float64Array[] {
  const { members, cells, order } = field;
  const days = Math.min(field.days, MAX_DAYS);
  const all = members.length * cells;
  const count = Math.min(all, wanted);
  return Array.from({ length: count }, (_, i) => {
    const which = Math.floor((i * all) / count);
    const [member, cell] = [members[which % members.length], Math.floor(which / members.length)];
    const rowOf = (day: number) => (order === 'day-fastest' ? cell * field.days + day : day * cells + cell);
    return Float64Array.from({ length: days }, (_, day) => member.value(rowOf(day)));
  });
}
