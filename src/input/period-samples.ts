import type { Table } from 'apache-arrow';
import { columnOf } from '../table/arrow/table-schema.js';

/** So many rows of a table are looked at: windows that are missing are so at all places. */
const MAX_ROWS = 10_000;

/** How many samples the periods of a climatology have, of its tables together. */
export class PeriodSamples {
  /** By period, the most samples of any place. */
  readonly #most = new Map<string, number>();

  /** Sees a table of the climatology. Days and weeks are left out: not every year has 29 February, or a week 53. */
  see(table: Table): void {
    if (['daily', 'weekly'].includes(table.schema.metadata.get('granularity') ?? '')) return;
    const [periods, samples] = [columnOf(table, 'period'), columnOf(table, 'n_samples')];
    for (let row = 0; row < Math.min(MAX_ROWS, table.numRows); row++) {
      const period = String(periods.get(row));
      const found = Math.max(this.#most.get(period) ?? 0, Number(samples.get(row)));
      if (found > 0) this.#most.set(period, found);
    }
  }

  /** Says which periods that have samples have fewer than the others; undefined where all have the same. */
  describe(): string | undefined {
    const most = Math.max(...this.#most.values());
    const fewer = [...this.#most].filter(([, samples]) => samples < most);
    if (fewer.length === 0) return undefined;
    const named = fewer.map(([period, samples]) => `${period} (${samples})`).join(', ');
    return `${named} ${fewer.length === 1 ? 'has' : 'have'} fewer samples than the other periods (${most})`;
  }
}
