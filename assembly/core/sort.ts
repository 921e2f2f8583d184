// A column is a sequence of vectors of 16 bytes, one per member. Each lane is sorted by itself, ascending.
//
// A comparator is `pmin(a, b)`, `pmax(b, a)`: single instructions that keep both values if they are equal. The values
// must not be NaN.
//
// Up to MAX_NETWORK members are sorted by a network in straight-line code, more members in blocks that are then merged
// in pairs:
//
//   scratch   column | unsorted | other | padding
//
// Each of the first three has space for `columnVectors` vectors, the padding for one block. The sorted members end up
// in the column.
import {
  hasSelection, MAX_NETWORK, networkSize, selectionNetwork_f32x4, selectionNetwork_f64x2, sortNetwork_f32x4, sortNetwork_f64x2,
} from './generated/networks';

/** The number of blocks that a network can sort: a power of two. */
@inline function blockCount(members: i32): i32 {
  return members <= MAX_NETWORK ? 1 : 1 << (32 - clz((members - 1) / MAX_NETWORK));
}

/** The vectors of a column: one more than there may be members, for an infinity at the end. */
@inline function columnVectors(members: i32): i32 {
  return blockCount(members) * MAX_NETWORK + 1;
}

/** Bytes of scratch space that sorting needs. */
export function sortBytes(members: i32): usize {
  const columns = members <= MAX_NETWORK ? 2 : 3;
  return <usize>(columns * columnVectors(members) + MAX_NETWORK) << 4;
}

/** The address in the scratch space at `column` for unsorted members, as input of `sortRows`. */
@inline export function unsortedColumn(column: usize, members: i32): usize {
  return column + (<usize>columnVectors(members) << 4);
}

@inline export function least<T>(a: v128, b: v128): v128 {
  return sizeof<T>() == 8 ? f64x2.pmin(a, b) : f32x4.pmin(a, b);
}

@inline function greatest<T>(a: v128, b: v128): v128 {
  return sizeof<T>() == 8 ? f64x2.pmax(a, b) : f32x4.pmax(a, b);
}

@inline export function infinite<T>(): v128 {
  return sizeof<T>() == 8 ? f64x2.splat(Infinity) : f32x4.splat(Infinity);
}

@inline function sortNetwork<T>(row: usize, rowBytes: usize, size: i32, column: usize): void {
  if (sizeof<T>() == 8) sortNetwork_f64x2(row, rowBytes, size, column);
  else sortNetwork_f32x4(row, rowBytes, size, column);
}

/** Sorts the vectors at `row`, `rowBytes` apart, with the smallest network that sorts at least so many. */
function sortBlock<T>(row: usize, rowBytes: usize, count: i32, column: usize, padding: usize): void {
  const size = networkSize(count);
  if (size == count) {
    sortNetwork<T>(row, rowBytes, count, column);
    return;
  }
  let to = padding;
  for (let i = 0; i < count; i++, row += rowBytes, to += 16) v128.store(to, v128.load(row));
  for (let i = count; i < size; i++, to += 16) v128.store(to, infinite<T>());
  sortNetwork<T>(padding, 16, size, column);
}

/** Sorts the members in the rows at `row`, which may be the unsorted column, into the column. */
export function sortRows<T>(row: usize, rowBytes: usize, members: i32, column: usize): void {
  if (members <= MAX_NETWORK) {
    sortBlock<T>(row, rowBytes, members, column, paddingOf(column, members));
  } else {
    const other = sortHalves<T>(row, rowBytes, members, column);
    merge<T>(other, other + halfBytes(members), members, column);
  }
}

/**
 * Like `sortRows`, but writes at least the order statistics that quantiles are between, by the `positions` of a plan.
 */
@inline export function selectRows<T>(
  row: usize, rowBytes: usize, members: i32, column: usize, positions: usize, quantiles: i32, strategy: Strategy, ranks: u64,
): void {
  if (strategy == Strategy.Network) {
    if (sizeof<T>() == 8) selectionNetwork_f64x2(row, rowBytes, members, ranks, column);
    else selectionNetwork_f32x4(row, rowBytes, members, ranks, column);
  } else if (strategy == Strategy.Halves) selectFromHalves<T>(row, rowBytes, members, column, positions, quantiles);
  else sortRows<T>(row, rowBytes, members, column);
}

/** How order statistics are found: with a network for only these, from two sorted halves, or by sorting all members. */
export const enum Strategy { Network, Halves, Sort }

function selectFromHalves<T>(
  row: usize, rowBytes: usize, members: i32, column: usize, positions: usize, quantiles: i32,
): void {
  const other = sortHalves<T>(row, rowBytes, members, column);
  const half = halfBytes(members);
  for (let k = 0; k < quantiles; k++, positions += 16) {
    const low = load<u32>(positions);
    const high = load<u32>(positions, 4);
    v128.store(column + low, select<T>(other, other + half, members, <i32>(low >> 4)));
    if (high != low) v128.store(column + high, select<T>(other, other + half, members, <i32>(high >> 4)));
  }
}

/** The ranks that quantiles are between, as bits; for up to 64 members. */
export function rankBits(positions: usize, quantiles: i32): u64 {
  let ranks: u64 = 0;
  for (let k = 0; k < quantiles; k++, positions += 16) {
    ranks |= (<u64>1 << (load<u32>(positions) >> 4)) | (<u64>1 << (load<u32>(positions, 4) >> 4));
  }
  return ranks;
}

/** The fastest strategy to find the order statistics that quantiles need. */
export function chooseStrategy(members: i32, positions: usize, quantiles: i32): Strategy {
  if (members <= MAX_NETWORK) return hasSelection(members, rankBits(positions, quantiles)) ? Strategy.Network : Strategy.Sort;
  let steps = 0; // comparators, as those of merging below
  for (let k = 0; k < quantiles; k++, positions += 16) {
    steps += stepsOf(<i32>(load<u32>(positions) >> 4), members) + stepsOf(<i32>(load<u32>(positions, 4) >> 4), members);
  }
  return steps < (members * (32 - clz(members))) >> 1 ? Strategy.Halves : Strategy.Sort;
}

@inline function stepsOf(rank: i32, members: i32): i32 {
  return min(rank + 1, members - rank);
}

@inline function paddingOf(column: usize, members: i32): usize {
  return column + sortBytes(members) - (<usize>MAX_NETWORK << 4);
}

/** Bytes from the address of the first half to that of the second. */
@inline function halfBytes(members: i32): usize {
  return <usize>(blockCount(members) * MAX_NETWORK) << 3;
}

/**
 * Sorts the members at even places and those at odd places separately, and returns their address, which is not the
 * column.
 */
function sortHalves<T>(row: usize, rowBytes: usize, members: i32, column: usize): usize {
  const unsorted = unsortedColumn(column, members);
  const other = unsorted + (unsorted - column);
  const padding = paddingOf(column, members);
  let blocks = blockCount(members);
  let blockBytes = <usize>MAX_NETWORK << 4;
  // The two buffers swap with each round of merging; after the last, the halves must not be in the column.
  let from = ctz(blocks) & 1 ? other : column;
  let to = ctz(blocks) & 1 ? column : other;
  for (let b = 0; b < blocks; b++) {
    sortBlock<T>(row + <usize>b * rowBytes, <usize>blocks * rowBytes, blockSize(members, blocks, b), from + <usize>b * blockBytes, padding);
  }
  while (blocks > 2) {
    const half = blocks >> 1;
    for (let b = 0; b < half; b++) {
      const first = from + <usize>b * blockBytes;
      merge<T>(first, first + <usize>half * blockBytes, blockSize(members, half, b), to + <usize>b * 2 * blockBytes);
    }
    blocks = half;
    blockBytes <<= 1;
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}

/** How many of the members are at places `block`, `block + blocks`, ... */
@inline function blockSize(members: i32, blocks: i32, block: i32): i32 {
  return (members - block + blocks - 1) / blocks;
}

/**
 * Merges two sorted lists with `members` in total into `to`; the first is as long as the second or longer by one. These
 * are the last steps of Batcher's merge exchange (Knuth, The Art of Computer Programming, vol. 3, 5.2.2, algorithm M),
 * with the first list at even places. Both lists change.
 */
function merge<T>(first: usize, second: usize, members: i32, to: usize): void {
  const pairs = members >> 1;
  exchange<T>(first, second, pairs);
  for (let d = 1 << (30 - clz(members - 1)); d > 0; d >>= 1) {
    // Place 2k + 1 is compared with place 2k + 2d.
    const count = min(pairs, ((members - 1) >> 1) - d + 1);
    exchange<T>(second, first + (<usize>d << 4), count);
  }
  let i = 0;
  for (; i < pairs; i++, first += 16, second += 16, to += 32) {
    v128.store(to, v128.load(first));
    v128.store(to, v128.load(second), 16);
  }
  if (members & 1) v128.store(to, v128.load(first));
}

/** Puts the lesser of each pair into the row `low`, and the greater into the row `high`. */
@inline function exchange<T>(low: usize, high: usize, count: i32): void {
  for (const end = low + (<usize>max(count, 0) << 4); low < end; low += 16, high += 16) {
    const a = v128.load(low);
    const b = v128.load(high);
    v128.store(low, least<T>(a, b));
    v128.store(high, greatest<T>(b, a));
  }
}

/**
 * The member of a rank, counted from 0, of two sorted lists. For each split of the first `rank + 1` places between the
 * lists, take the greater of the last members of the two parts: the least of these is the result. High ranks are
 * counted from above in the same way: the greatest of the lesser ones.
 */
@inline function select<T>(first: usize, second: usize, members: i32, rank: i32): v128 {
  const ones = (members + 1) >> 1;
  const twos = members >> 1;
  if (2 * rank < members) {
    const count = rank + 1;
    let result = infinite<T>();
    // All places from one list.
    if (count <= ones) result = v128.load(first + (<usize>(count - 1) << 4));
    if (count <= twos) result = least<T>(result, v128.load(second + (<usize>(count - 1) << 4)));
    const i0 = max(1, count - twos);
    const i1 = min(count - 1, ones);
    let a = first + (<usize>(i0 - 1) << 4);
    let b = second + (<usize>(count - i0 - 1) << 4);
    for (let i = i0; i <= i1; i++, a += 16, b -= 16) result = least<T>(result, greatest<T>(v128.load(a), v128.load(b)));
    return result;
  }
  const count = members - rank;
  let result = sizeof<T>() == 8 ? f64x2.splat(-Infinity) : f32x4.splat(-Infinity);
  if (count <= ones) result = v128.load(first + (<usize>(ones - count) << 4));
  if (count <= twos) result = greatest<T>(result, v128.load(second + (<usize>(twos - count) << 4)));
  const i0 = max(1, count - twos);
  const i1 = min(count - 1, ones);
  let a = first + (<usize>(ones - i0) << 4);
  let b = second + (<usize>(twos - count + i0) << 4);
  for (let i = i0; i <= i1; i++, a -= 16, b += 16) result = greatest<T>(result, least<T>(v128.load(a), v128.load(b)));
  return result;
}
