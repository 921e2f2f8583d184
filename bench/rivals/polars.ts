import type { Measured, Rival, RivalJob } from '../contestant.js';
import type { Members } from '../members.js';
import { loadPeer, peerVersions } from '../peers.js';
import { medianRun } from '../timing.js';
import { DAYS, MEMBERS, PROBABILITIES, quantilePlaces, type Workload, windowRows } from '../workloads.js';

/** The functions of Polars that are used. */
interface Polars {
  DataFrame(columns: Record<string, Int32Array | Float32Array>): Frame;
  col(name: string): Expression;
  concatList(columns: readonly string[]): Expression;
}
interface Frame {
  lazy(): Lazy;
  getColumn(name: string): { toTypedArray(): Float32Array };
}
interface Lazy {
  groupBy(names: readonly string[], maintainOrder: boolean): { agg(...columns: Expression[]): Lazy };
  select(...columns: Expression[]): Lazy;
  collectSync(): Frame;
}
interface Expression {
  alias(name: string): Expression;
  sum(): Expression;
  mean(): Expression;
  quantile(p: number, interpolation: 'linear'): Expression;
  readonly lst: { sort(): Expression; get(place: number): Expression; mean(): Expression };
  add(other: Expression): Expression;
  sub(other: Expression): Expression;
  mul(factor: number): Expression;
}

const names = Array.from({ length: MEMBERS }, (_, m) => `m${m}`);
const statistics = ['mean', ...PROBABILITIES.map((p) => `q${p}`)];

/** Polars with one thread, from data frames to a data frame. */
export async function polarsRival(): Promise<Rival> {
  // Polars makes its threads when it is loaded.
  process.env.POLARS_MAX_THREADS = '1';
  const polars = await loadPeer<Polars>('nodejs-polars');
  return {
    name: 'Polars',
    kind: 'library',
    versions: { Polars: peerVersions['nodejs-polars'] },
    timed: 'from a data frame to a data frame of results',
    maxCells: () => 2_000,
    measure: (job) => measure(polars, job),
  };
}

async function measure(polars: Polars, { workload, cells, members, turns }: RivalJob): Promise<Measured[]> {
  const found: Measured[] = [];
  for (const [formulation, query] of Object.entries(formulations(polars, workload, members))) {
    const time = await medianRun(turns, () => query.collectSync());
    const frame = query.collectSync();
    const results = statistics.map((name) => Float32Array.from(frame.getColumn(name).toTypedArray()));
    const nanoseconds = time / (cells * workload.windows.count);
    found.push({ name: 'Polars', formulation, nanoseconds, order: 'cell-first', results });
  }
  return found;
}

/** Groups come in the order of their first rows: by cell and then window. */
function formulations(polars: Polars, { rule, windows }: Workload, members: Members): Record<string, Lazy> {
  const { col, concatList, DataFrame } = polars;
  const isRaw = windows.count === DAYS;
  const { output, row } = windowOutputs(windows, members[0].length / DAYS);
  const days = Object.fromEntries(members.map((values, m) => [names[m], Float32Array.from(row, (at) => values[at])]));
  const wide = DataFrame({ output, ...days }).lazy();
  const length = row.length * MEMBERS;
  const long = DataFrame({
    output: Int32Array.from({ length }, (_, i) => output[Math.floor(i / MEMBERS)]),
    member: Int32Array.from({ length }, (_, i) => i % MEMBERS),
    value: Float32Array.from({ length }, (_, i) => members[i % MEMBERS][row[Math.floor(i / MEMBERS)]]),
  }).lazy();
  const combine = (name: string) => (rule === 'mean' ? col(name).mean() : col(name).sum());
  const wideTotals = isRaw ? wide : wide.groupBy(['output'], true).agg(...names.map(combine));
  const longTotals = isRaw ? long : long.groupBy(['output', 'member'], true).agg(combine('value'));
  const sorted = () => col('sorted').lst;
  const ofSorted = quantilePlaces(MEMBERS).map(({ low, high, weight }, k) => {
    const below = sorted().get(low);
    const value = low === high ? below : below.add(sorted().get(high).sub(below).mul(weight));
    return value.alias(statistics[k + 1]);
  });
  const ofValue = PROBABILITIES.map((p, k) =>
    col('value')
      .quantile(p, 'linear')
      .alias(statistics[k + 1]),
  );
  return {
    'wide frame, sorted lists': wideTotals
      .select(concatList(names).alias('list'))
      .select(col('list').lst.mean().alias('mean'), col('list').lst.sort().alias('sorted'))
      .select(col('mean'), ...ofSorted),
    'long frame, quantile': longTotals.groupBy(['output'], true).agg(col('value').mean().alias('mean'), ...ofValue),
  };
}

/** For every row that lies in a window: the number of its output, and its place in the input. */
function windowOutputs(windows: Workload['windows'], cells: number) {
  const { row, window } = windowRows(windows, cells);
  return { row, output: row.map((at, i) => Math.floor(at / DAYS) * windows.count + window[i]) };
}
