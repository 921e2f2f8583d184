// Reference distributions: a pool of samples for each key of the year; each pool is made from the one before.
//
//   samples     f64, all samples of one cell; NaN where missing, none infinite or -0
//   changes     for each key: i32 kept, i32 removed, i32 added, then as many u32 places among the samples to remove, and to add. Kept is 0
//               if a new pool begins; removed samples are in the pool.
//   required    i32 for each key: the samples that must be valid, at least 1
//   plan        for one sample more than the largest pool has; its column holds the samples to remove in lane 0, and to add in lane 1
//   buffers     two of bufferBytes, each for one f64 more than the largest pool has
//   thresholds  as the statistics kernel reads them
//   out         one row per statistic, outBytes apart: mean, quantiles, shares; one result for each key
//   counts      i32 for each key: valid samples
//
// The pool is kept sorted: consecutive days share most of their samples, so that one pass over it makes the next pool.
// Sums add the samples at even places of the sorted pool, then those at odd places. Arithmetic is in f64, and results
// are rounded once.
import { PoolJob } from './generated/jobs';
import { planColumn, positionsFor, quantileCount } from './plan';
import { sortRows, unsortedColumn } from './sort';

/**
 * Copies the samples at `count` places to a lane of `length` rows; missing samples and the rest of the rows become
 * infinity.
 */
@inline function gather(samples: usize, places: usize, count: i32, lane: usize, length: i32): void {
  for (let i = 0; i < length; i++, lane += 16) {
    let x: f64 = Infinity;
    if (i < count) {
      x = load<f64>(samples + (<usize>load<u32>(places + (<usize>i << 2)) << 3));
      if (x != x) x = Infinity;
    }
    store<f64>(lane, x);
  }
}

/**
 * Writes the next pool to `to`: the pool without the values of lane 0 of the column and with those of lane 1, sorted.
 * Returns its size. Pools and lanes end with infinity.
 */
function slide(pool: usize, column: usize, to: usize): i32 {
  const first = to;
  let removed = column;
  let added = column + 8;
  let leaving = load<f64>(removed);
  let joining = load<f64>(added);
  for (;;) {
    const next = joining <= leaving ? joining : leaving;
    let x = load<f64>(pool);
    for (; x < next; to += 8) {
      store<f64>(to, x);
      pool += 8;
      x = load<f64>(pool);
    }
    if (next == Infinity) break;
    if (joining <= leaving) {
      store<f64>(to, joining);
      to += 8;
      added += 16;
      joining = load<f64>(added);
    } else {
      pool += 8;
      removed += 16;
      leaving = load<f64>(removed);
    }
  }
  store<f64>(to, Infinity);
  return <i32>((to - first) >> 3);
}

function total(pool: usize, size: i32): f64 {
  let sums = f64x2.splat(0);
  for (const end = pool + (<usize>(size & ~1) << 3); pool < end; pool += 16) sums = f64x2.add(sums, v128.load(pool));
  const even = f64x2.extract_lane(sums, 0);
  return (size & 1 ? even + load<f64>(pool) : even) + f64x2.extract_lane(sums, 1);
}

/** How many samples, rounded to the type of results, are above the limit. */
@inline function above<Out>(pool: usize, size: i32, limit: f64): i32 {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (<f64><Out>load<f64>(pool + (<usize>middle << 3)) > limit) high = middle;
    else low = middle + 1;
  }
  return size - low;
}

@inline function write<Out>(pool: usize, size: i32, plan: usize, thresholds: usize, thresholdCount: i32, out: usize, outBytes: usize): void {
  store<Out>(out, <Out>(total(pool, size) / <f64>size));
  const quantiles = quantileCount(plan);
  let position = positionsFor(plan, size);
  for (let k = 0; k < quantiles; k++, position += 16) {
    // The places in a plan are byte offsets of 16-byte vectors.
    const low = load<f64>(pool + (load<u32>(position) >> 1));
    const high = load<f64>(pool + (load<u32>(position, 4) >> 1));
    out += outBytes;
    store<Out>(out, <Out>min(low + load<f64>(position, 8) * (high - low), high));
  }
  for (let k = 0; k < thresholdCount; k++, thresholds += 16) {
    const count = above<Out>(pool, size, load<f64>(thresholds));
    out += outBytes;
    store<Out>(out, <Out>(<f64>(load<f64>(thresholds, 8) != 0 ? size - count : count) / <f64>size));
  }
}

@inline function pools<Out>(job: PoolJob): void {
  const samples = job.samples, keys = job.keys, plan = job.plan, buffers = job.buffers, bufferBytes = job.bufferBytes;
  const thresholds = job.thresholds, thresholdCount = job.thresholdCount, outBytes = job.outBytes;
  let changes = job.changes, required = job.required, out = job.out, counts = job.counts;
  let pool = buffers;
  let other = buffers + bufferBytes;
  const column = planColumn(plan);
  const rows = 1 + quantileCount(plan) + thresholdCount;
  for (let key = 0; key < keys; key++, out += sizeof<Out>(), required += 4, counts += 4) {
    if (!load<i32>(changes)) store<f64>(pool, Infinity);
    const removed = load<i32>(changes, 4);
    const added = load<i32>(changes, 8);
    const length = max(removed, added);
    changes += 12;
    const unsorted = unsortedColumn(column, length);
    gather(samples, changes, removed, unsorted, length);
    changes += <usize>removed << 2;
    gather(samples, changes, added, unsorted + 8, length);
    changes += <usize>added << 2;
    if (length) sortRows<f64>(unsorted, 16, length, column);
    v128.store(column + (<usize>length << 4), f64x2.splat(Infinity));
    const size = slide(pool, column, other);
    const swap = pool;
    pool = other;
    other = swap;
    store<i32>(counts, size);
    if (size >= load<i32>(required)) {
      write<Out>(pool, size, plan, thresholds, thresholdCount, out, outBytes);
    } else {
      for (let row = 0; row < rows; row++) store<Out>(out + <usize>row * outBytes, <Out>NaN);
    }
  }
}

export function poolsF32(job: PoolJob): void {
  pools<f32>(job);
}
export function poolsF64(job: PoolJob): void {
  pools<f64>(job);
}
