import type { EnsembleField } from '../../core/field.js';
import { MeansJob } from '../../core/generated/jobs.js';
import type { Core } from '../../core/load.js';
import type { CoreMemory } from '../../core/memory.js';
import { floatArray, typeSuffix } from '../../core/number-arrays.js';
import { copyFiniteRows } from '../../ensemble/finite-rows.js';
import { type Horizon, placeInHorizon } from '../horizon.js';
import type { LoadedDays } from '../horizon-block.js';
import type { DaySpan, MemberSource } from './cell-pairer.js';

/** Reads members at each cell that is loaded; the days to read are among those that are. Readers throw DataError where a mean is infinite. */
export function membersByCell(core: Core, blocks: readonly LoadedDays[]): MemberSource {
  const { kernels, memory } = core;
  return {
    reader(h, spans, locations) {
      const { horizon, table, cellStride, firstDay: firstLoaded } = blocks[h];
      const { field } = horizon;
      const memberCount = field.members.length;
      const present = spans.filter(({ firstDay, days, address }) => {
        if (hasDays(field, firstDay - field.firstDay, days)) return true;
        memory.float64(address, locations * memberCount).fill(Number.NaN);
        return false;
      });
      const words = present.flatMap(({ firstDay, days, address }) => [firstDay - firstLoaded, days, address]);
      const spansAt = memory.scratch(4 * words.length);
      memory.int32(spansAt, words.length).set(words);
      const job = new MeansJob(memory, {
        members: table,
        memberCount,
        cellStride,
        spans: spansAt,
        spanCount: present.length,
      });
      const kernel = kernels[`memberMeans${typeSuffix(field.type)}`];
      return () => {
        const { offset, cells } = blocks[h];
        job.set(offset, cells);
        if (kernel(job.address)) for (const span of present) assertFinite(memory, blocks[h], span);
      };
    },
  };
}

/** Whether a field has `days` days from its day `from` on, counted from 0. */
function hasDays(field: EnsembleField, from: number, days: number): boolean {
  return from >= 0 && from + days <= field.days;
}

/** Throws DataError for an infinite value that made a mean infinite. */
function assertFinite(memory: CoreMemory, loaded: LoadedDays, { firstDay, days, address }: DaySpan): void {
  const { cell, cells } = loaded;
  const field = placed(loaded.horizon);
  const { members, type } = field;
  const means = memory.float64(address, cells * members.length);
  const place = means.findIndex((mean) => Math.abs(mean) === Number.POSITIVE_INFINITY);
  if (place === -1) return;
  const row = (cell + Math.floor(place / members.length)) * field.days + firstDay - field.firstDay;
  copyFiniteRows(field, place % members.length, row, floatArray(type, days));
}

/** A horizon's field that states the places of its values in the input. */
export function placed(horizon: Horizon): EnsembleField {
  return { ...horizon.field, place: (member, row) => placeInHorizon(horizon, member, row) };
}
