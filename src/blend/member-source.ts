import { copyFiniteRows } from '../arrow/finite-rows.js';
import type { EnsembleField } from '../core/field.js';
import { type FloatArray, floatArray, valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { type Horizon, placeInHorizon } from './horizon.js';
import type { HorizonBlock } from './horizon-block.js';
import type { MemberSource } from './seam-pairer.js';

/** Members at each cell of the group that is loaded. Throws DataError where a mean is infinite. */
export function membersByCell({ kernels, memory }: Core, blocks: readonly HorizonBlock[]): MemberSource {
  return {
    means(h, firstDay, days, address) {
      const { horizon, table, offset, cellStride, cells } = blocks[h];
      const { field } = horizon;
      const count = field.members.length;
      const from = firstDay - field.firstDay;
      if (!hasDays(field, from, days)) {
        memory.float64(address, cells * count).fill(Number.NaN);
        return;
      }
      const size = valueBytes(field.type);
      const kernel = size === 4 ? kernels.memberMeansF32 : kernels.memberMeansF64;
      const isInfinite = kernel(table, count, offset + from * size, cellStride, cells, days, address);
      if (isInfinite) refuseInfinite(horizon, from, days, memory.float64(address, cells * count));
    },
    sides(h, day, address) {
      const { horizon, table, offset, cellStride, cells } = blocks[h];
      const { field } = horizon;
      const count = field.members.length;
      const from = day - field.firstDay;
      const size = valueBytes(field.type);
      const kernel = size === 4 ? kernels.sidesOfMeanF32 : kernels.sidesOfMeanF64;
      if (hasDays(field, from, 1)) kernel(table, count, offset + from * size, cellStride, cells, address);
      else memory.bytes(address, cells * count).fill(0);
    },
  };
}

/** Members over a whole field, weighted by cell; a cell where a day is missing is left out for that member. */
export function membersOfField({ memory }: Core, horizons: readonly Horizon[], weights: Float64Array): MemberSource {
  const means = (h: number, firstDay: number, days: number) => fieldMeans(horizons[h], firstDay, days, weights);
  return {
    means(h, firstDay, days, address) {
      const found = means(h, firstDay, days);
      memory.float64(address, found.length).set(found);
    },
    sides(h, day, address) {
      const found = means(h, day, 1);
      const there = found.filter((mean) => !Number.isNaN(mean));
      const centre = meanOf(there);
      memory.bytes(address, found.length).set(Int8Array.from(found, (mean) => Math.sign(mean - centre)));
    },
  };
}

/** Each member's mean over all cells of its mean over some days. */
function fieldMeans(horizon: Horizon, firstDay: number, days: number, weights: Float64Array): Float64Array {
  const field = placed(horizon);
  const from = firstDay - field.firstDay;
  const isThere = hasDays(field, from, days);
  const some = floatArray(field.type, days);
  return Float64Array.from(field.members.keys(), (member) => {
    let [total, weight] = [0, 0];
    for (let cell = 0; isThere && cell < field.cells; cell++) {
      const row = cell * field.days + from;
      copyFiniteRows(field, member, row, some);
      const mean = meanOf(some);
      if (Number.isNaN(mean)) continue;
      total += mean * weights[cell];
      weight += weights[cell];
    }
    return total / weight;
  });
}

function hasDays(field: EnsembleField, from: number, days: number): boolean {
  return from >= 0 && from + days <= field.days;
}

function meanOf(values: FloatArray): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Finds the infinite value that made a mean infinite. */
function refuseInfinite(horizon: Horizon, from: number, days: number, means: Float64Array): void {
  const field = placed(horizon);
  const place = means.findIndex((mean) => Math.abs(mean) === Number.POSITIVE_INFINITY);
  const cell = Math.floor(place / field.members.length);
  copyFiniteRows(field, place % field.members.length, cell * field.days + from, floatArray(field.type, days));
}

/** A horizon's field that knows where its values stand. */
function placed(horizon: Horizon): EnsembleField {
  return { ...horizon.field, place: (member, row) => placeInHorizon(horizon, member, row) };
}
