import type { Table } from 'apache-arrow';
import {
  type CheckedAgainstOptions,
  checkAgainstOptions,
  type StatisticsAgainstOptions,
} from '../../climate/against-options.js';
import { ClimateReferences } from '../../climate/climate-reference.js';
import type { Climatology } from '../../climate/climatology.js';
import type { Core } from '../../core/load.js';
import type { Amounts } from '../../ensemble/accumulation.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { DataError } from '../../errors.js';
import type { GridOptions } from '../../files/cf/grid-options.js';
import type { ReadTableOptions } from '../../files/read-table.js';
import type { Reference } from '../../statistics/comparison.js';
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../../statistics/options.js';
import type { ColumnRoles } from '../../table/column-roles.js';
import type { DailyTableOptions } from '../../table/daily/daily-options.js';
import { dailyTable } from '../../table/daily/daily-table.js';
import { type DailyTables, dailyTables } from './daily-tables.js';
import { tableGrowthWarning } from './growth-warning.js';
import { type Report, readingOptions, reportConversions } from './notice.js';
import { statisticsOfFile, statisticsOfStreamedFile } from './statistics-of-file.js';
import { ensemblesOfTables, type StreamHooks, statisticsOfTables } from './statistics-of-tables.js';
import { TableCollector } from './table-collector.js';

/**
 * What files do not state about their values, or state wrongly: `units`, `model` and `sort` of tables, `decimal` of
 * CSV; `array`, `init` and `coordinates` of files of arrays.
 */
export type ValueOptions = TableValueOptions &
  Pick<ReadTableOptions, 'decimal'> &
  Pick<GridOptions, 'array' | 'init' | 'coordinates'>;

type TableValueOptions = Pick<
  DailyTableOptions,
  'units' | 'model' | 'stamps' | 'accumulation' | 'calendar' | 'missing' | 'sort'
>;

/** The value options that apply to tables. */
export function tableOptions({ array, init, coordinates, decimal, ...options }: ValueOptions): TableValueOptions {
  return options;
}

/** The columns of a table by role; coordinates that are named as for a grid are columns too. */
export function columnsOfTable(
  columns: ColumnRoles | undefined,
  { coordinates }: ValueOptions,
): ColumnRoles | undefined {
  return coordinates === undefined ? columns : { ...coordinates, ...columns };
}

/** What to compute from each input. */
export interface InputRequest {
  readonly statistics: StatisticsAgainstOptions;
  readonly climatology?: Climatology;
  readonly values: ValueOptions;
  /** Called with the number of members before the first table. */
  readonly onMembers?: (members: number) => void;
}

/**
 * The tables of an input, from the first one on each time; with `areViews` each is valid until the next one is
 * requested.
 */
export interface InputTables {
  readonly tables: () => AsyncIterable<Table>;
  readonly areViews: boolean;
}

/**
 * The statistics of one input, after its values are converted to daily values in the variable's unit. Reports
 * conversions and warnings.
 */
export class InputStatistics {
  readonly source: string;
  readonly #core: Core;
  readonly #report: Report;
  readonly #request: InputRequest & { statistics: { source: string } };
  readonly #options: CheckedStatisticsOptions & { source: string };
  readonly #references?: ClimateReferences;
  #reading?: ReadTableOptions & { source: string };
  #hasReported = false;
  /** Whether it is known what daily amounts count, or has been checked. */
  #isGrowthKnown: boolean;

  /** Throws OptionError. */
  constructor(
    core: Core,
    source: string,
    { statistics, climatology, values, onMembers }: InputRequest,
    report: Report,
  ) {
    const requested = {
      ...statistics,
      calendar: values.calendar,
      source,
      columns: columnsOfTable(statistics.columns, values),
    };
    this.#isGrowthKnown = values.accumulation !== undefined;
    this.source = source;
    this.#core = core;
    this.#report = report;
    this.#request = { statistics: requested, climatology, values, onMembers };
    const against: CheckedAgainstOptions | undefined = climatology && checkAgainstOptions(climatology, requested);
    this.#options = { ...(against ?? checkStatisticsOptions(requested)), source };
    if (climatology && against) this.#references = new ClimateReferences(climatology, against);
  }

  /** The options to read the file; decisions are reported. */
  get reading(): ReadTableOptions & { source: string } {
    return (this.#reading ??= readingOptions(this.#report, this.source, this.#request.values));
  }

  /** Whether tables are read twice, because the metadata of all places has to be known before the first result. */
  get needsTwoPasses(): boolean {
    return this.#references?.hasDegenerate ?? false;
  }

  /** The statistics of one table with all rows. */
  ofTable(table: Table): Iterable<Table> {
    const { statistics, climatology } = this.#request;
    const daily = dailyTable(table, this.#daily);
    this.#reportOnce(daily.conversions, daily.accumulation);
    const request = { ...statistics, columns: daily.columns };
    return statisticsOfFile(this.#core, daily.table, request, this.#report, climatology, (ensemble) =>
      this.#onEnsemble(ensemble),
    );
  }

  /** The statistics of tables as they come; tables that have to be read together are collected, up to 1 GiB. */
  async *ofTables(input: InputTables): AsyncGenerator<Table> {
    const { source } = this;
    const hasRows = yield* this.#inParts(input, new TableCollector(source, input.areViews));
    if (!hasRows) throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
  }

  /** The statistics of tables as they come. Returns false, and yields nothing, if tables have to be read together. */
  ofStreamableTables(input: InputTables): AsyncGenerator<Table, boolean> {
    return this.#inParts(input);
  }

  async *#inParts({ tables, areViews }: InputTables, collector?: TableCollector): AsyncGenerator<Table, boolean> {
    const report = this.#reportOnce.bind(this);
    const daily = () => dailyTables(tables(), this.#daily, { areViews, report });
    const hooks = { createReference: await this.#referenceCreator(daily), collector };
    const openStream = (next: (ensemble: Ensemble, reference?: Reference) => void) => {
      const onEnsemble: StreamHooks['onEnsemble'] = (ensemble, reference) => {
        this.#onEnsemble(ensemble);
        next(ensemble, reference);
      };
      return this.#ofDaily(daily(), { ...hooks, onEnsemble });
    };
    return yield* statisticsOfStreamedFile(openStream, this.#options, this.#report);
  }

  async *#ofDaily(daily: Promise<DailyTables>, hooks: StreamHooks): AsyncGenerator<Table, boolean> {
    const { tables, columns } = await daily;
    return yield* statisticsOfTables(this.#core, tables, { ...this.#options, columns }, hooks);
  }

  async #referenceCreator(daily: () => Promise<DailyTables>): Promise<StreamHooks['createReference']> {
    const references = this.#references;
    if (references === undefined) return undefined;
    const options = this.#options;
    const degenerate = await references.degenerate(async function* () {
      const { tables, columns } = await daily();
      yield* ensemblesOfTables(tables, { ...options, columns });
    });
    return (ensemble, isWhole) => references.of(ensemble, isWhole ? undefined : degenerate);
  }

  get #daily(): DailyTableOptions {
    const { variable, variableName, variables, columns, source } = this.#options;
    return { variable, variableName, variables, columns, source, ...tableOptions(this.#request.values) };
  }

  #onEnsemble(ensemble: Ensemble): void {
    this.#request.onMembers?.(ensemble.parts[0].field.members.length);
    const warning = this.#isGrowthKnown ? undefined : tableGrowthWarning(ensemble);
    this.#isGrowthKnown = true;
    if (warning !== undefined) this.#report({ kind: 'warning', source: this.source, text: warning });
  }

  #reportOnce(conversions: readonly string[], accumulation?: Amounts['kind']): void {
    if (!this.#hasReported) reportConversions(this.#report, this.source, conversions);
    this.#hasReported = true;
    if (accumulation !== undefined) this.#isGrowthKnown = true;
  }
}
