import type { Table } from 'apache-arrow';
import type { ClimateReferences } from '../../climate/climate-reference.js';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';
import { StatisticsRun } from '../../statistics/statistics-run.js';
import { type DailyRequest, dailyEnsembles } from './daily-ensembles.js';
import type { TableInput } from './input.js';
import { checkRequest, type InputRequest } from './input-request.js';
import { DaySpan, noWindowError } from './no-window.js';
import { describeCoincidingLimits, ResultCheck } from './result-warnings.js';

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
