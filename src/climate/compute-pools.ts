import { type FloatArray, type FloatType, floatArray } from '../core/float-array.js';
import { PoolJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { makePlan, writeThresholds } from '../statistics/compute.js';
import { combineWindows } from '../statistics/compute-member-windows.js';
import { rowBytes } from '../statistics/lane-source.js';
import type { QuantileType } from '../statistics/quantile-options.js';
import type { Threshold } from '../statistics/thresholds.js';
import type { WindowRule } from '../variable/variable.js';
import type { PoolChanges } from './pool-changes.js';
import { cellsInFloat64, type SampleSource, samplesOf } from './sample-source.js';

/** What to compute of each pool of samples. */
export interface PoolRequest {
  readonly window: WindowRule;
  /** Numbers in [0, 1]. */
  readonly quantiles: readonly number[];
  readonly quantileType: QuantileType;
  readonly thresholds: readonly Threshold[];
  /** The share of a pool's samples that must be valid, in [0, 1]; at least one always must. */
  readonly minSampleShare: number;
}

/** Statistics by cell, then key; NaN where too few samples are valid. */
export interface PoolColumns {
  /** The number of valid samples. */
  readonly samples: Int32Array;
  readonly mean: FloatArray;
  readonly quantiles: readonly FloatArray[];
  readonly probabilities: readonly FloatArray[];
}

/** The number of daily values that become samples at a time, unless a single cell has more. */
const VALUES_AT_ONCE = 1_048_576;

/**
 * Computes mean, quantiles and exceedance of the pools of samples of all cells, a pool for each key. Sources have the
 * same cells. Arithmetic is in float64 throughout and rounded once to the sources' type. Throws DataError for an
 * infinite value.
 */
export function computePools(
  core: Core,
  sources: readonly SampleSource[],
  pools: PoolChanges,
  request: PoolRequest,
): PoolColumns {
  const [{ field }] = sources;
  const keys = pools.sizes.length;
  const column = () => floatArray(field.type, field.cells * keys);
  const mean = column();
  const quantiles = request.quantiles.map(column);
  const probabilities = request.thresholds.map(column);
  const counts = new Int32Array(mean.length);
  const samplesPerCell = sources.reduce((sum, source) => sum + samplesOf(source), 0);
  const columns = [mean, ...quantiles, ...probabilities];
  const mark = core.memory.mark();
  try {
    const job = createCellJob(core, field.type, samplesPerCell, pools, request);
    const valuesPerCell = sources.reduce((sum, source) => sum + source.field.members.length * source.field.days, 0);
    const cells = Math.max(1, Math.floor(VALUES_AT_ONCE / valuesPerCell));
    for (let from = 0; from < field.cells; from += cells) {
      const to = Math.min(from + cells, field.cells);
      const members = sources.flatMap((source) =>
        combineWindows(core, cellsInFloat64(source.field, from, to), source.windows, request.window),
      );
      for (let cell = from; cell < to; cell++) {
        fillSamples(core.memory.float64(job.samples, samplesPerCell), members, cell - from, to - from);
        job.run();
        columns.forEach((column, k) => {
          column.set(resultsAt(core, field.type, job.out + k * job.outBytes, keys), cell * keys);
        });
        counts.set(core.memory.int32(job.counts, keys), cell * keys);
      }
    }
  } finally {
    core.memory.release(mark);
  }
  return { samples: counts, mean, quantiles, probabilities };
}

/** The kernel's work on one cell, and the addresses of its input and output. */
interface CellJob {
  readonly samples: number;
  /** Rows of mean, quantiles and shares, `outBytes` apart. */
  readonly out: number;
  readonly outBytes: number;
  readonly counts: number;
  run(): void;
}

/** Lays out the kernel's input and output in scratch of the core's memory. */
function createCellJob(
  core: Core,
  type: FloatType,
  samplesPerCell: number,
  { changes, sizes }: PoolChanges,
  request: PoolRequest,
): CellJob {
  const { memory, kernels } = core;
  const { quantiles, thresholds, minSampleShare } = request;
  const largest = sizes.reduce((most, size) => Math.max(most, size), 1);
  // 1e-9: the product may be above a whole number by its last bit, and must not be rounded up then.
  const required = sizes.map((size) => Math.max(1, Math.ceil(minSampleShare * size - 1e-9)));
  const samples = memory.scratch(8 * samplesPerCell);
  const bufferBytes = rowBytes(largest + 1);
  const outBytes = rowBytes(sizes.length);
  const out = memory.scratch(outBytes * (1 + quantiles.length + thresholds.length));
  const counts = memory.scratch(4 * sizes.length);
  const job = new PoolJob(memory, {
    samples,
    changes: integersInScratch(core, changes),
    keys: sizes.length,
    required: integersInScratch(core, required),
    plan: makePlan(core, largest + 1, request),
    buffers: memory.scratch(2 * bufferBytes),
    bufferBytes,
    thresholds: writeThresholds(core, thresholds, type === 'float32'),
    thresholdCount: thresholds.length,
    out,
    outBytes,
    counts,
  });
  const kernel = type === 'float32' ? kernels.poolsF32 : kernels.poolsF64;
  const run = () => kernel(job.address);
  return { samples, out, outBytes, counts, run };
}

function integersInScratch({ memory }: Core, values: Int32Array): number {
  const address = memory.scratch(values.byteLength);
  memory.int32(address, values.length).set(values);
  return address;
}

/** Copies the values of cell `cell` of `cells`, member after member. */
function fillSamples(samples: Float64Array, members: readonly FloatArray[], cell: number, cells: number): void {
  let filled = 0;
  for (const values of members) {
    const count = values.length / cells;
    samples.set(values.subarray(cell * count, (cell + 1) * count), filled);
    filled += count;
  }
}

function resultsAt({ memory }: Core, type: FloatType, address: number, count: number): FloatArray {
  return type === 'float32' ? memory.float32(address, count) : memory.float64(address, count);
}
