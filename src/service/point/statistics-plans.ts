import type { EnsembleField } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { WindowTable } from '../../period/window-table.js';
import { type PreparedStatistics, prepareStatistics } from '../../statistics/compute.js';
import type { StatisticsRequest } from '../../statistics/statistics-request.js';

/** So many plans are kept: those of every variable, granularity and list of quantiles that are often requested. */
const MAX_PLANS = 64;

/**
 * Statistics of fields that all lie at the same address in the core's memory. What does not depend on the values is
 * prepared once for each shape of field, windows and request.
 */
export class StatisticsPlans {
  readonly #core: Core;
  readonly #plans = new Map<string, PreparedStatistics>();
  /** Where the scratch of the plans begins; undefined while there are none. */
  #mark: number | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /** What computes a request without thresholds and categories. */
  find(field: EnsembleField, windows: WindowTable, request: StatisticsRequest): PreparedStatistics {
    return this.named(planName(field, windows, request), field, windows, request);
  }

  /** As `find`, with the `planName` of its arguments. */
  named(name: string, field: EnsembleField, windows: WindowTable, request: StatisticsRequest): PreparedStatistics {
    return this.#plans.get(name) ?? this.#add(name, field, windows, request);
  }

  #add(name: string, field: EnsembleField, windows: WindowTable, request: StatisticsRequest): PreparedStatistics {
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

/** A text that is the same for all fields, windows and requests with the same plan. */
export function planName(
  { firstDay, days, members }: EnsembleField,
  { granularity, firstDay: from, lastDay: to }: WindowTable,
  { window, quantiles }: StatisticsRequest,
): string {
  return `${granularity} ${window} ${firstDay} ${days} ${members.length} ${from} ${to} ${quantiles.join()}`;
}
