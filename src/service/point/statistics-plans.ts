import type { EnsembleField } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { WindowTable } from '../../period/window-table.js';
import { prepareStatistics } from '../../statistics/compute.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { StatisticsRequest } from '../../statistics/statistics-request.js';

/** So many plans are kept: those of every variable, granularity and list of quantiles that are often requested. */
const MAX_PLANS = 64;

/**
 * Statistics of fields that all lie at the same address in the core's memory. What does not depend on the values is
 * prepared once for each shape of field, windows and request.
 */
export class StatisticsPlans {
  readonly #core: Core;
  readonly #plans = new Map<string, () => StatisticsColumns>();
  /** Where the scratch of the plans begins; undefined while there are none. */
  #mark: number | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /** As `computeColumns`, for requests without thresholds and categories. */
  compute(field: EnsembleField, windows: WindowTable, request: StatisticsRequest): StatisticsColumns {
    const { firstDay, days, members } = field;
    const { granularity, firstDay: from, lastDay: to } = windows;
    const { window, quantiles } = request;
    const name = `${granularity} ${window} ${firstDay} ${days} ${members.length} ${from} ${to} ${quantiles.join()}`;
    const plan = this.#plans.get(name) ?? this.#add(name, field, windows, request);
    return plan();
  }

  #add(name: string, field: EnsembleField, windows: WindowTable, request: StatisticsRequest): () => StatisticsColumns {
    const { memory } = this.#core;
    // The memory is a stack: all plans go together. Between requests, nothing else lies above them.
    if (this.#plans.size === MAX_PLANS && this.#mark !== undefined) {
      this.#plans.clear();
      memory.release(this.#mark);
    }
    if (this.#plans.size === 0) this.#mark = memory.mark();
    const plan = prepareStatistics(this.#core, field, windows, request);
    this.#plans.set(name, plan);
    return plan;
  }
}
