import { loadCore } from 'plumecast';
import {
  type CoreMemory,
  computeStatistics,
  type EnsembleField,
  MemberColumn,
  type StatisticsColumns,
  windowTable,
} from 'plumecast/arrays';
import { createPool } from 'plumecast/threads';
import { seededField } from '../reference/fields.js';

/** The results of a pool of two workers. */
export interface PoolOutcome {
  readonly isIsolated: boolean;
  readonly threads: number;
  /** Whether one thread and the pool agree to the last bit, for values in ordinary memory and in the pool's. */
  readonly agrees: { readonly outside: boolean; readonly inPlace: boolean };
  /** Of an infinite value, from one thread and from the pool. */
  readonly messages: readonly string[];
  readonly afterClose: string;
}

const request = {
  window: 'sum',
  quantiles: [0.05, 0.5, 0.95],
  quantileType: 7,
  thresholds: [{ operator: '>', limit: 1 }],
  spread: true,
  minMemberShare: 0.8,
} as const;

export async function run(): Promise<PoolOutcome> {
  const core = await loadCore();
  const pool = await createPool({ threads: 2 });
  const threads = pool.threads;
  const field = seededField({ cells: 2001, members: 31, days: 60, missing: 0.01 });
  const windows = windowTable('weekly', field.firstDay, field.firstDay + field.days - 1);
  const expected = bits(computeStatistics(core, field, windows, request));
  const message = async (compute: () => unknown) => {
    try {
      await compute();
      return 'no error';
    } catch (error) {
      return String(error);
    }
  };
  const outside = bits(await pool.computeStatistics(field, windows, request)) === expected;
  const placed = inPool(pool.core.memory, field);
  const inPlace = bits(await pool.computeStatistics(placed, windows, request)) === expected;
  const infinite = seededField({ cells: 2001, members: 31, days: 60 });
  infinite.members[7].chunks[0].values[90_030] = Number.POSITIVE_INFINITY;
  const messages = [
    await message(() => computeStatistics(core, infinite, windows, request)),
    await message(() => pool.computeStatistics(infinite, windows, request)),
    await message(() => pool.computeStatistics(inPool(pool.core.memory, infinite), windows, request)),
  ];
  await pool.close();
  const afterClose = await message(() => pool.computeStatistics(field, windows, request));
  return {
    isIsolated: globalThis.crossOriginIsolated === true,
    threads,
    agrees: { outside, inPlace },
    messages,
    afterClose,
  };
}

function inPool(memory: CoreMemory, field: EnsembleField): EnsembleField {
  const rows = field.cells * field.days;
  const addresses = field.members.map(() => memory.allocate(4 * rows));
  const members = field.members.map((member, m) => {
    const values = memory.float32(addresses[m], rows);
    for (let row = 0; row < rows; row++) values[row] = member.value(row);
    return new MemberColumn(member.name, [{ values }]);
  });
  return { ...field, members };
}

/** The bits of all columns as text. */
function bits({ mean, spread, quantiles, probabilities, members }: StatisticsColumns): string {
  const columns = [mean, ...(spread ? [spread] : []), ...quantiles, ...probabilities, members];
  return columns
    .map((column) => new Int32Array(column.slice().buffer).reduce((sum, x) => (Math.imul(sum, 31) + x) | 0, 0))
    .join();
}
