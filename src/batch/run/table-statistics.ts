import type { Table } from 'apache-arrow';
import { checkAgainstOptions, type StatisticsAgainstOptions } from '../../climate/against-options.js';
import { ClimateReferences } from '../../climate/climate-reference.js';
import type { Climatology } from '../../climate/climatology.js';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { DataError, mentionOption } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../../statistics/options.js';
import { StatisticsRun } from '../../statistics/statistics-run.js';
import { statedCalendar } from '../../table/table-calendar.js';
import { type DailyRequest, dailyEnsembles } from './daily-ensembles.js';
import type { TableInput } from './input.js';
import { describeCoincidingLimits, ResultCheck } from './result-warnings.js';
import type { ValueOptions } from './value-options.js';

/** What to compute from each input. */
export interface InputRequest {
  readonly statistics: StatisticsAgainstOptions;
  readonly climatology?: Climatology;
  readonly values: ValueOptions;
}

/** Checked options of statistics, and the references of ensembles if they are compared with a climatology. */
export interface CheckedRequest {
  readonly options: CheckedStatisticsOptions;
  readonly references: ClimateReferences | undefined;
}

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
  #members: number | undefined;

  /** Throws OptionError. */
  constructor(core: Core, input: TableInput, request: InputRequest) {
    const { options, references } = checkRequest(request, input.source);
    this.#core = core;
    this.#input = input;
    this.#request = { ...options, values: request.values };
    this.#options = options;
    this.#references = references;
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
    const { source, report } = this.#input;
    const degenerate = await this.#degeneratePeriods();
    const run = new StatisticsRun(this.#core, this.#options);
    const span = new DaySpan();
    let check: ResultCheck | undefined;
    for await (const { ensemble, isAll } of dailyEnsembles(this.#core, this.#input, this.#request)) {
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
    const ensembles = dailyEnsembles(this.#core, this.#input, this.#request, { onlyAsTheyCome: true });
    for await (const { ensemble } of ensembles) yield ensemble;
  }
}

/** Checks what to compute from an input. Throws OptionError. */
export function checkRequest({ statistics, climatology, values }: InputRequest, source: string): CheckedRequest {
  const requested = { ...statistics, calendar: values.calendar, source };
  if (climatology === undefined) return { options: checkStatisticsOptions(requested), references: undefined };
  const options = checkAgainstOptions(climatology, requested);
  return { options, references: new ClimateReferences(climatology, options) };
}

/** The range of days of ensembles, and their calendar if it is a model calendar. */
export class DaySpan {
  #calendar: ModelCalendar | undefined;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add({ parts, metadata }: Pick<Ensemble, 'metadata'> & DayParts): this {
    this.#calendar = statedCalendar(metadata);
    for (const { firstDay, days } of parts.map(({ field }) => field)) {
      this.#first = Math.min(this.#first, firstDay);
      this.#last = Math.max(this.#last, firstDay + days - 1);
    }
    return this;
  }

  toString(): string {
    return `${dateText(this.#calendar, this.#first)} to ${dateText(this.#calendar, this.#last)}`;
  }
}

interface DayParts {
  readonly parts: readonly { readonly field: { readonly firstDay: number; readonly days: number } }[];
}

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

/** The error for an input without any requested window; it names the days that the input has. */
export function noWindowError(
  span: DaySpan,
  { granularity, startDate, endDate, partial, source }: CheckedStatisticsOptions,
): DataError {
  const requested = [
    startDate === undefined ? '' : ` from ${startDate}`,
    endDate === undefined ? '' : ` to ${endDate}`,
  ].join('');
  const orPartial = partial || granularity === 'daily' ? '' : `; or ${mentionOption('partial', true)}`;
  return new DataError({
    source,
    problem: `no ${partial ? 'window' : WINDOWS[granularity]}${requested}`,
    allowed: `windows within the days available, ${span}${orPartial}`,
  });
}
