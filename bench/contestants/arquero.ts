import type { Contestant, Results } from '../contestant.js';
import type { Members } from '../members.js';
import { loadPeer } from '../peers.js';
import { DAYS, MEMBERS, PROBABILITIES, type Workload, windowRows } from '../workloads.js';

/** The functions of Arquero that are used. */
interface Arquero {
  table(columns: Record<string, ArrayLike<number>>): Table;
  op: Record<'sum' | 'mean', (column: string) => unknown> & { quantile(column: string, p: number): unknown };
}
interface Table {
  groupby(...columns: string[]): Table;
  rollup(values: Record<string, unknown>): Table;
  array(column: string, type: Float32ArrayConstructor): Float32Array;
}

/**
 * Long tables of the days in windows, a row for each value, grouped by key columns that are made before the timing
 * starts.
 */
export async function arqueroContestant(): Promise<Contestant> {
  const { table, op } = await loadPeer<Arquero>('arquero');
  const names = ['mean', ...PROBABILITIES.map((p) => `q${p}`)];
  const summaries = (column: string) =>
    Object.fromEntries(
      names.map((name, k) => [name, k === 0 ? op.mean(column) : op.quantile(column, PROBABILITIES[k - 1])]),
    );
  return {
    name: 'Arquero',
    formulation: 'long table, groupby and rollup',
    kind: 'library',
    order: 'cell-first',
    prepare(workload, parts) {
      const tables = parts.map((members) => table(longColumns(workload, members)));
      const isRaw = workload.windows.count === DAYS;
      const combine = workload.rule === 'mean' ? op.mean : op.sum;
      return (part): Results => {
        const totals = isRaw
          ? tables[part]
          : tables[part].groupby('output', 'member').rollup({ value: combine('value') });
        const results = totals.groupby('output').rollup(summaries('value'));
        return names.map((name) => results.array(name, Float32Array));
      };
    },
  };
}

/** The number of the cell's window, the member, the value: cell by cell, day by day, member by member. */
function longColumns({ windows }: Workload, members: Members): Record<string, Int32Array | Float32Array> {
  const { row, window } = windowRows(windows, members[0].length / DAYS);
  const outputs = row.map((at, i) => Math.floor(at / DAYS) * windows.count + window[i]);
  const length = outputs.length * MEMBERS;
  return {
    output: Int32Array.from({ length }, (_, i) => outputs[Math.floor(i / MEMBERS)]),
    member: Int32Array.from({ length }, (_, i) => i % MEMBERS),
    value: Float32Array.from({ length }, (_, i) => members[i % MEMBERS][row[Math.floor(i / MEMBERS)]]),
  };
}
