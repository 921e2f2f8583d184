import { tmpdir } from 'node:os';
import { type Schema, Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import type { MemberUse } from '../blend/member-use.js';
import type { Core } from '../core/load.js';
import { temporaryPath } from '../disk/temporary-file.node.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { type WholeMembers, withWholeMembers } from '../ensemble/whole-members.js';
import { isPlumecastError } from '../errors.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import { describeFilesWithout } from '../files/array/files-with-values.js';
import type { ResultCube } from '../files/cf/content/result-cube.js';
import type { ModelCalendar } from '../period/calendar.js';
import type { CheckedStatisticsOptions } from '../statistics/options.js';
import { StatisticsRun } from '../statistics/statistics-plan.js';
import { withSchema } from '../table/arrow/same-schema.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { RowOrderError } from '../table/rows/row-index.js';
import type { OpenResults } from './compute-grid.js';
import { dailyEnsembles, type ReadEnsemble, type RowsExpected, type TableReading } from './daily-ensembles.js';
import { filesWithoutValues } from './files-without-values.js';
import type { GridStatistics } from './grid-statistics.js';
import { type Input, openInput, type TableInput } from './input.js';
import { type InputFile, STANDARD } from './input-file.js';
import {
  type CheckedRequest,
  checkRequest,
  type DailyRequest,
  describeFewMembers,
  type InputRequest,
  noStoredPeriods,
  referenceOf,
} from './input-request.js';
import {
  DaySpan,
  describeCoincidingLimits,
  describeConditions,
  type Notice,
  noWindowError,
  type Report,
  ResultCheck,
} from './notice.js';
import { ROW_LIMITS, type RowLimits } from './spilled-bytes.js';
import { namesOfMembers, ValueCoverage } from './value-coverage.js';

/** The maximum number of bytes of values of a file of arrays held at a time. */
const GRID_BYTES = 536_870_912;

/**
 * Computes statistics of a file of any format or of standard input, as `statistics` does of its daily values, or
 * `statistics` with a climatology: location by location for a long table whose rows go by location, block by
 * block for files of arrays. Reports conversions and warnings.
 */
export async function* statisticsOfInput(
  core: Core,
  file: string | InputFile,
  request: InputRequest,
  report: Report,
): AsyncGenerator<Table> {
  const input = await openFor(file, request, report);
  try {
    const statistics = await openStatistics(core, input, request);
    if (statistics.kind === 'table') yield* statistics.tables();
    else yield* tablesOfGrid(core, statistics);
  } finally {
    await input.close();
  }
}

/**
 * Computes the same statistics on the grid of a file of arrays, or on the one that the places of a table form, and
 * calls `write` with them: they can be read until it ends. `progress` is called with the share of a grid's blocks.
 */
export async function writeCubeOfInput(
  core: Core,
  file: string | InputFile,
  request: InputRequest,
  report: Report,
  write: (results: ResultCube) => Promise<void>,
  progress: (share: number) => void = () => {},
): Promise<void> {
  const input = await openFor(file, request, report);
  try {
    const statistics = await openStatistics(core, input, { ...request, keepsGrid: true });
    if (statistics.kind === 'table') {
      const { resultCube } = await import('./grid-door.js');
      await write(resultCube(joinTables(await allTables(statistics.tables()))));
    } else await writeGrid(core, statistics, write, progress);
  } finally {
    await input.close();
  }
}

async function writeGrid(
  core: Core,
  statistics: GridStatistics,
  write: (results: ResultCube) => Promise<void>,
  progress: (share: number) => void,
): Promise<void> {
  const { results, close } = await openResults(core, statistics, progress);
  try {
    await write(statistics.onGrid(results));
  } finally {
    close();
  }
}

function openFor(file: string | InputFile, request: InputRequest, report: Report): Promise<Input> {
  return openInput(file, request.values, report, {
    // With a climatology, tables may be read twice.
    once: request.climatology === undefined,
    threads: request.threads,
    variable: slugOf(request.statistics.variable),
    selection: () => arraysFor(request),
    use: request.use,
  });
}

function slugOf(variable: InputRequest['statistics']['variable']): string | undefined {
  return typeof variable === 'object' ? variable.slug : variable;
}

/** The arrays that a request reads. Loaded when arrays are met, as all that reads them. */
export async function arraysFor({ statistics, values }: InputRequest): Promise<ArraySelection | undefined> {
  return (await import('./grid-door.js')).selectArrays([{ ...statistics, ...values }]);
}

/**
 * Prepares the statistics of an input. Throws OptionError, and DataError for problems that are known before values are
 * read.
 */
export async function openStatistics(
  core: Core,
  input: Input,
  request: InputRequest,
): Promise<TableStatistics | GridStatistics> {
  // Loaded when arrays are met: tables are computed sooner without it.
  if (input.kind === 'arrays') return (await import('./grid-door.js')).openGridStatistics(core, input, request);
  if (request.native !== true) return new TableStatistics(core, input, request);
  throw noStoredPeriods(input.source);
}

async function* tablesOfGrid(core: Core, statistics: GridStatistics): AsyncGenerator<Table> {
  const { results, close } = await openResults(core, statistics);
  try {
    yield* statistics.tables(results);
  } finally {
    close();
  }
}

/** Computes all results of a grid. Large ones are in a temporary file without a name until they are closed. */
async function openResults(
  core: Core,
  statistics: GridStatistics,
  progress: (share: number) => void = () => {},
): Promise<OpenResults> {
  const { computeResults } = await import('./grid-door.js');
  const path = temporaryPath(tmpdir(), 'plumecast');
  const open = await computeResults(statistics, { core, bytes: GRID_BYTES, results: path, progress }, 'unnamed');
  statistics.reportCoverage();
  return open;
}

/**
 * The statistics of the file of a table, as `statistics` computes them of its daily values.
 */
export class TableStatistics {
  readonly kind = 'table';
  readonly #core: Core;
  readonly #input: TableInput;
  readonly #request: DailyRequest;
  readonly #options: CheckedStatisticsOptions;
  readonly #checked: CheckedRequest;
  readonly #limits: RowLimits;
  readonly #whole: WholeMembers | undefined;
  /** Whether the input is one of the parts of a larger one. */
  readonly #isPart: boolean;
  readonly #use: InputRequest['use'];
  #members: number | undefined;
  /** Whether later rows may show that results count for nothing. */
  #isOrderAssumed = false;

  /** Throws OptionError. */
  constructor(core: Core, input: TableInput, request: InputRequest, limits = ROW_LIMITS) {
    const checked = checkRequest(request, input.source);
    const { options } = checked;
    this.#core = core;
    this.#input = input;
    this.#request = { ...options, values: request.values };
    this.#options = options;
    this.#checked = checked;
    this.#limits = limits;
    this.#whole = request.part?.members;
    this.#isPart = request.part !== undefined;
    this.#use = request.use;
  }

  /** The number of members; known from the first table on. */
  get members(): number | undefined {
    return this.#members;
  }

  /**
   * Computes tables of some results each, and warns of what is not plausible. Throws what reading throws, and DataError
   * if there are no windows.
   */
  async *tables(): AsyncGenerator<Table> {
    // Against a climatology an input is read twice as it is, and standard input can be read once.
    const mayBeLong = this.#checked.references === undefined && this.#input.path !== STANDARD;
    if (!mayBeLong) return yield* this.#compute(this.#input, 'together');
    const held = new HeldResults(this.#input.report, this.#limits);
    try {
      for await (const table of this.#compute({ ...this.#input, report: held.report }, 'by-location')) {
        yield* held.add(table);
        if (!this.#isOrderAssumed) yield* held.release();
      }
      yield* held.release();
    } catch (error) {
      if (held.isReleased || !(error instanceof RowOrderError)) {
        held.reportNotices();
        throw error instanceof RowOrderError ? (error.cause ?? error) : error;
      }
      held.discard();
      yield* this.#compute(this.#input, 'any');
    } finally {
      held.discard();
    }
  }

  async *#compute(input: TableInput, expected: RowsExpected): AsyncGenerator<Table> {
    const { source, report } = input;
    // Metadata have to name these periods before the first result, for which the ensembles are read once more if there
    // may be some; a single ensemble shows its own.
    const degenerate = await this.#checked.references?.degenerate(() => this.#streamedEnsembles());
    let run: StatisticsRun | undefined;
    let use: MemberUse | undefined;
    const span = new DaySpan();
    const coverage = new ValueCoverage();
    let check: ResultCheck | undefined;
    let calendar: ModelCalendar | undefined;
    let slug: string | undefined;
    for await (const { ensemble, isAll, isOrderAssumed, findings } of this.#ensembles(input, { expected })) {
      this.#isOrderAssumed = isOrderAssumed;
      const reference = referenceOf(this.#core, this.#checked, ensemble, isAll ? undefined : degenerate);
      if (check === undefined) {
        this.#members = ensemble.parts[0].field.members.length;
        use = await memberUse(ensemble.metadata);
        const areDaily = findings.times === undefined;
        this.#use?.read(ensemble.variable, source, areDaily);
        const coinciding = reference && describeCoincidingLimits(reference.metadata);
        if (coinciding !== undefined) report({ kind: 'warning', source, text: coinciding });
        check = new ResultCheck(ensemble.variable, source, report);
        const { metadata } = ensemble;
        calendar = statedCalendar(metadata);
        slug = ensemble.variable?.slug;
        const few = describeFewMembers(this.#checked, { metadata, members: this.#members });
        if (few !== undefined) report({ kind: 'note', source, text: few });
        const conditions = this.#isPart ? undefined : describeConditions(ensemble, this.#options);
        if (conditions !== undefined) report({ kind: 'note', source, text: conditions });
      }
      span.add(ensemble);
      for (const part of ensemble.parts) coverage.see(part, namesOfMembers(ensemble, part));
      run ??= new StatisticsRun(
        this.#core,
        use === undefined ? this.#options : { ...this.#options, minMemberShare: 0 },
      );
      for (const computed of run.add(ensemble, reference)) {
        const table = use === undefined ? computed : use.complete(computed, this.#options);
        check.check(table);
        yield table;
      }
    }
    if (!run?.hasResults) throw noWindowError(span, this.#options);
    const leftOut = this.#isPart ? undefined : span.leftOut(this.#options);
    if (leftOut !== undefined) report({ kind: 'note', source, text: leftOut });
    if (this.#isPart || use !== undefined) return;
    coverage.report(report, source, calendar);
    const empty = coverage.hasGaps ? await filesWithoutValues(this.#core, input.files ?? [], this.#request) : [];
    if (empty.length > 0)
      report({ kind: 'warning', source, text: describeFilesWithout(empty, slug ?? 'the variable') });
  }

  async *#streamedEnsembles(): AsyncGenerator<Ensemble> {
    for await (const { ensemble } of this.#ensembles(this.#input, { onlyAsTheyCome: true })) yield ensemble;
  }

  async *#ensembles(input: TableInput, reading: TableReading): AsyncGenerator<ReadEnsemble> {
    const whole = this.#whole;
    const limits = this.#limits;
    for await (const read of dailyEnsembles(this.#core, input, this.#request, { ...reading, limits })) {
      yield whole === undefined ? read : { ...read, ensemble: withWholeMembers(read.ensemble, whole, input.source) };
    }
  }
}

/** How a timeline uses all members, where it has them. */
async function memberUse(metadata: ReadonlyMap<string, string>): Promise<MemberUse | undefined> {
  if (!metadata.has('trajectories')) return undefined;
  return (await import('./grid-door.js')).MemberUse.of(metadata);
}

/** The place of a table in the temporary file. */
interface Spilled {
  readonly at: number;
  readonly length: number;
}

/** Results and notices that count for nothing if the rows turn out to be in another order than expected. */
class HeldResults {
  isReleased = false;
  readonly #report: Report;
  readonly #options: RowLimits;
  readonly #notices: Notice[] = [];
  /** In their order: those in memory come first. */
  #tables: Table[] = [];
  #spilled: Spilled[] = [];
  #file?: ReturnType<RowLimits['openFile']>;
  #bytes = 0;
  #schema?: Schema;

  constructor(report: Report, options: RowLimits) {
    this.#report = report;
    this.#options = options;
  }

  readonly report: Report = (notice) => {
    if (this.isReleased) this.#report(notice);
    else this.#notices.push(notice);
  };

  /** Adds a table, and returns those that are released: all from some number of bytes on, or where the disk is full. */
  *add(table: Table): Iterable<Table> {
    if (this.isReleased) return yield table;
    this.#bytes += table.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    const { heldBytes, maxHeldBytes } = this.#options;
    const isHeld = this.#bytes <= heldBytes ? this.#tables.push(table) > 0 : this.#spill(table);
    if (isHeld && this.#bytes < maxHeldBytes) return;
    yield* this.release();
    if (!isHeld) yield table;
  }

  /** Forgets all of them. */
  discard(): void {
    this.#tables = [];
    this.#spilled = [];
    this.#notices.length = 0;
    this.#file?.close();
    this.#file = undefined;
  }

  /** Passes the notices on. */
  reportNotices(): void {
    this.isReleased = true;
    for (const notice of this.#notices.splice(0)) this.#report(notice);
  }

  /** Passes the notices on, and returns the tables. */
  *release(): Iterable<Table> {
    this.reportNotices();
    yield* this.#tables.splice(0);
    for (const { at, length } of this.#spilled.splice(0)) {
      const bytes = new Uint8Array(length);
      this.#file?.read(bytes, at);
      yield new Table(tableFromIPC(bytes).batches.map((batch) => withSchema(batch, this.#schema ?? batch.schema)));
    }
    this.discard();
  }

  /** Writes a table to the temporary file; false if that cannot hold it. */
  #spill(table: Table): boolean {
    // All tables have one schema; Arrow's bytes do not keep which dictionaries are the same.
    this.#schema ??= table.schema;
    const bytes = tableToIPC(table, 'stream');
    const last = this.#spilled.at(-1);
    const at = last === undefined ? 0 : last.at + last.length;
    try {
      this.#file ??= this.#options.openFile();
      this.#file.write(bytes, at);
    } catch (error) {
      if (isPlumecastError(error, 'file')) return false;
      throw error;
    }
    this.#spilled.push({ at, length: bytes.length });
    return true;
  }
}
