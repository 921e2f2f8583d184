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
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../../statistics/options.js';
import type { Reference } from '../../statistics/reference.js';
import type { ColumnRoles } from '../../table/column-roles.js';
import type { DailyTableOptions } from '../../table/daily/daily-options.js';
import { dailyTable } from '../../table/daily/daily-table.js';
import { type DailyTables, dailyTables } from './daily-tables.js';
import { GatheredTables } from './gathered-tables.js';
import { tableGrowthWarning } from './growth-warning.js';
import { type Report, readingOptions, reportConversions } from './notice.js';
import { statisticsOfFile, statisticsOfStreamedFile } from './statistics-of-file.js';
import { ensemblesOfTables, type StreamHooks, statisticsOfTables } from './statistics-of-tables.js';

/**
 * What files do not tell of their values, or tell wrongly: `units`, `model` and `sort` of tables, `decimal` of CSV; `array`, `init` and
 * `coordinates` of files of arrays.
 */
export type ValueOptions = TableValueOptions &
  Pick<ReadTableOptions, 'decimal'> &
  Pick<GridOptions, 'array' | 'init' | 'coordinates'>;

type TableValueOptions = Pick<
  DailyTableOptions,
  'units' | 'model' | 'stamps' | 'accumulation' | 'calendar' | 'missing' | 'sort'
>;

/** What is said of the values of tables. */
export function tableOptions({ array, init, coordinates, decimal, ...ofTables }: ValueOptions): TableValueOptions {
  return ofTables;
}

/** The columns of a table by role: where its coordinates are named as those of a grid are, they are columns. */
export function columnsOfTable(
  columns: ColumnRoles | undefined,
  { coordinates }: ValueOptions,
): ColumnRoles | undefined {
  return coordinates === undefined ? columns : { ...coordinates, ...columns };
}

/** What is asked of each input. */
export interface InputRequest {
  readonly statistics: StatisticsAgainstOptions;
  readonly climatology?: Climatology;
  readonly values: ValueOptions;
  /** Told the number of members before the first table. */
  readonly seen?: (members: number) => void;
}

/** Tables of an input, from the first one on each time; those that are `views` are good until the next one is asked for. */
export interface InputTables {
  readonly tables: () => AsyncIterable<Table>;
  readonly areViews: boolean;
}

/** The statistics of one input, whose values become daily ones in the unit of their variable: what that takes is told. */
export class InputStatistics {
  readonly source: string;
  readonly #core: Core;
  readonly #report: Report;
  readonly #request: InputRequest & { statistics: { source: string } };
  readonly #options: CheckedStatisticsOptions & { source: string };
  readonly #references?: ClimateReferences;
  #reading?: ReadTableOptions & { source: string };
  #hasReported = false;
  /** Whether it is known what daily amounts count, or was looked at. */
  #isGrowthKnown: boolean;

  /** Throws OptionError. */
  constructor(core: Core, source: string, { statistics, climatology, values, seen }: InputRequest, report: Report) {
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
    this.#request = { statistics: requested, climatology, values, seen };
    const against: CheckedAgainstOptions | undefined = climatology && checkAgainstOptions(climatology, requested);
    this.#options = { ...(against ?? checkStatisticsOptions(requested)), source };
    if (climatology && against) this.#references = new ClimateReferences(climatology, against);
  }

  /** How the file is read; what was decided is told. */
  get reading(): ReadTableOptions & { source: string } {
    return (this.#reading ??= readingOptions(this.#report, this.source, this.#request.values));
  }

  /** Whether tables are gone through twice, as what their places have in common has to be known before the first result. */
  get needsTwo(): boolean {
    return this.#references?.hasDegenerate ?? false;
  }

  ofWhole(table: Table): Iterable<Table> {
    const { statistics, climatology } = this.#request;
    const daily = dailyTable(table, this.#daily);
    this.#note(daily.conversions, daily.accumulation);
    const request = { ...statistics, columns: daily.columns };
    return statisticsOfFile(this.#core, daily.table, request, this.#report, climatology, (ensemble) =>
      this.#see(ensemble),
    );
  }

  /** Of tables as they come; those that can only be understood together are gathered, up to 1 GiB. */
  async *ofTables(input: InputTables): AsyncGenerator<Table> {
    const { source } = this;
    const hasRows = yield* this.#inParts(input, new GatheredTables(source, input.areViews));
    if (!hasRows) throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
  }

  /** Of tables as they come. Returns false where they can only be understood together: nothing was yielded then. */
  ofTablesApart(input: InputTables): AsyncGenerator<Table, boolean> {
    return this.#inParts(input);
  }

  async *#inParts({ tables, areViews }: InputTables, gathered?: GatheredTables): AsyncGenerator<Table, boolean> {
    const report = this.#note.bind(this);
    const daily = () => dailyTables(tables(), this.#daily, { areViews, report });
    const hooks = { referenceOf: await this.#referenceOf(daily), gathered };
    const begin = (watch: (ensemble: Ensemble, reference?: Reference) => void) => {
      const seen: StreamHooks['seen'] = (ensemble, reference) => {
        this.#see(ensemble);
        watch(ensemble, reference);
      };
      return this.#ofDaily(daily(), { ...hooks, seen });
    };
    return yield* statisticsOfStreamedFile(begin, this.#options, this.#report);
  }

  async *#ofDaily(daily: Promise<DailyTables>, hooks: StreamHooks): AsyncGenerator<Table, boolean> {
    const { tables, columns } = await daily;
    return yield* statisticsOfTables(this.#core, tables, { ...this.#options, columns }, hooks);
  }

  async #referenceOf(daily: () => Promise<DailyTables>): Promise<StreamHooks['referenceOf']> {
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

  #see(ensemble: Ensemble): void {
    this.#request.seen?.(ensemble.parts[0].field.members.length);
    const warning = this.#isGrowthKnown ? undefined : tableGrowthWarning(ensemble);
    this.#isGrowthKnown = true;
    if (warning !== undefined) this.#report({ kind: 'warning', source: this.source, text: warning });
  }

  #note(conversions: readonly string[], accumulation?: Amounts['kind']): void {
    if (!this.#hasReported) reportConversions(this.#report, this.source, conversions);
    this.#hasReported = true;
    if (accumulation !== undefined) this.#isGrowthKnown = true;
  }
}
