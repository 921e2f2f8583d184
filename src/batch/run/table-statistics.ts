import type { Table } from 'apache-arrow';
import type { ClimateReferences } from '../../climate/climate-reference.js';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { type WholeMembers, withWholeMembers } from '../../ensemble/whole-members.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';
import { StatisticsRun } from '../../statistics/statistics-run.js';
import { RowOrderError } from '../../table/rows/long-location-stream.js';
import { dailyEnsembles, type TableReading } from './daily-ensembles.js';
import type { DailyRequest } from './daily-request.js';
import { GATHERING, type Gathering } from './gathered-ensembles.js';
import { HeldResults } from './held-results.js';
import type { TableInput } from './input.js';
import { STANDARD } from './input-file.js';
import { checkRequest, type InputRequest } from './input-request.js';
import { DaySpan, noWindowError } from './no-window.js';
import { describeCoincidingLimits, ResultCheck } from './result-warnings.js';
import { TooLargeError } from './table-collector.js';
import type { LongReading, StreamedEnsemble } from './table-ensembles.js';

/**
 * The statistics of the file of a table, as `statistics` computes them of its daily values, or `statisticsAgainst` with
 * a climatology.
 */
export class TableStatistics {
  readonly kind = 'table';
  readonly #core: Core;
  readonly #input: TableInput;
  readonly #request: DailyRequest;
  readonly #options: CheckedStatisticsOptions;
  readonly #references: ClimateReferences | undefined;
  readonly #gathering: Gathering;
  readonly #whole: WholeMembers | undefined;
  #members: number | undefined;
  /** Whether later rows may show that results count for nothing. */
  #isOrderAssumed = false;

  /** Throws OptionError. */
  constructor(core: Core, input: TableInput, request: InputRequest, gathering = GATHERING) {
    const { options, references } = checkRequest(request, input.source);
    this.#core = core;
    this.#input = input;
    this.#request = { ...options, values: request.values };
    this.#options = options;
    this.#references = references;
    this.#gathering = gathering;
    this.#whole = request.part?.members;
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
    const mayBeLong = this.#references === undefined && this.#input.path !== STANDARD;
    if (!mayBeLong) return yield* this.#compute(this.#input);
    const held = new HeldResults(this.#input.report, this.#gathering);
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
      yield* this.#computeInAnyOrder();
    } finally {
      held.discard();
    }
  }

  /** The statistics of rows in any order, which are gathered by location if that is possible, else read together. */
  async *#computeInAnyOrder(): AsyncGenerator<Table> {
    try {
      yield* this.#compute(this.#input, 'in-any-order');
    } catch (error) {
      // It is thrown before the first result.
      if (!(error instanceof RowOrderError)) throw error;
      yield* this.#computeTogether(error);
    }
  }

  /** The statistics of all rows together; where they are too large for that, throws what is wrong with their order. */
  async *#computeTogether(order: RowOrderError): AsyncGenerator<Table> {
    try {
      yield* this.#compute(this.#input);
    } catch (error) {
      throw error instanceof TooLargeError ? (order.cause ?? order) : error;
    }
  }

  async *#compute(input: TableInput, longOrder?: LongReading['order']): AsyncGenerator<Table> {
    const { source, report } = input;
    const degenerate = await this.#degeneratePeriods();
    const run = new StatisticsRun(this.#core, this.#options);
    const span = new DaySpan();
    let check: ResultCheck | undefined;
    for await (const { ensemble, isAll, isOrderAssumed } of this.#ensembles(input, {
      longOrder,
      gathering: this.#gathering,
    })) {
      this.#isOrderAssumed = isOrderAssumed;
      const reference = this.#references?.of(ensemble, isAll ? undefined : degenerate);
      if (check === undefined) {
        this.#members = ensemble.parts[0].field.members.length;
        const coinciding = reference && describeCoincidingLimits(reference.metadata);
        if (coinciding !== undefined) report({ kind: 'warning', source, text: coinciding });
        check = new ResultCheck(ensemble.variable, source, report);
      }
      span.add(ensemble);
      for (const table of run.add(ensemble, reference)) {
        check.check(table);
        yield table;
      }
    }
    if (!run.hasResults) throw noWindowError(span, this.#options);
  }

  /**
   * The periods that metadata have to name before the first result, for which the ensembles are read once more if there
   * may be some. Those of a single ensemble are read from it.
   */
  async #degeneratePeriods(): Promise<readonly number[] | undefined> {
    return this.#references?.degenerate(() => this.#streamedEnsembles());
  }

  async *#streamedEnsembles(): AsyncGenerator<Ensemble> {
    for await (const { ensemble } of this.#ensembles(this.#input, { onlyAsTheyCome: true })) yield ensemble;
  }

  async *#ensembles(input: TableInput, reading: TableReading): AsyncGenerator<StreamedEnsemble> {
    const whole = this.#whole;
    for await (const read of dailyEnsembles(this.#core, input, this.#request, reading)) {
      yield whole === undefined ? read : { ...read, ensemble: withWholeMembers(read.ensemble, whole, input.source) };
    }
  }
}
