import type { EnsembleField } from '../core/field.js';
import { floatArray, valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { copyFiniteRows } from '../ensemble/finite-rows.js';
import { type Horizon, placeInHorizon } from './horizon.js';
import type { HorizonBlock } from './horizon-block.js';
import type { MemberSource } from './seam-pairer.js';

/** Reads members at each cell of the loaded group. Throws DataError where a mean is infinite. */
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
      if (isInfinite) assertFinite(horizon, from, days, memory.float64(address, cells * count));
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

/** Whether a field has `days` days from its day `from` on, counted from 0. */
export function hasDays(field: EnsembleField, from: number, days: number): boolean {
  return from >= 0 && from + days <= field.days;
}

/** Throws DataError for the infinite value that made a mean infinite. */
function assertFinite(horizon: Horizon, from: number, days: number, means: Float64Array): void {
  const field = placed(horizon);
  const place = means.findIndex((mean) => Math.abs(mean) === Number.POSITIVE_INFINITY);
  const cell = Math.floor(place / field.members.length);
  copyFiniteRows(field, place % field.members.length, cell * field.days + from, floatArray(field.type, days));
}

/** A horizon's field that states the places of its values in the input. */
export function placed(horizon: Horizon): EnsembleField {
  return { ...horizon.field, place: (member, row) => placeInHorizon(horizon, member, row) };
}
