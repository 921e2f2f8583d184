import type { EnsembleField } from '../../core/field.js';
import { type FloatArray, floatArray } from '../../core/number-arrays.js';
import { columnsOf, type DailySource, type SomeCells } from '../../ensemble/daily-source.js';
import type { Variable } from '../../variable/variable.js';
import type { Axis, Dataset } from '../source/dataset.js';

/** What values of a store are called in messages, and what they are of. */
interface StoreSourceOptions {
  readonly source: string;
  readonly variable: Variable;
  readonly metadata?: ReadonlyMap<string, string>;
}

/** Values of a store that are read some places at a time, as files are. */
export function storeSource(
  dataset: Dataset,
  { source, variable, metadata = new Map() }: StoreSourceOptions,
): DailySource {
  const { slug, units } = variable;
  const { firstDay, days, members: count } = dataset.variables.get(slug) as Axis;
  const { latitude, longitude } = dataset.places;
  const members = Array.from({ length: count }, (_, m) => `${m}`);
  const one = new Float32Array(days * count);
  return {
    ...{ source, variable, units, metadata, members, type: 'float32', firstDay, days, latitude, longitude },
    blocks(bytes) {
      const step = Math.max(1, Math.floor(bytes / one.byteLength));
      const blocks: SomeCells[] = [];
      for (let cell = 0; cell < latitude.length; cell += step)
        blocks.push({ cell, cells: Math.min(step, latitude.length - cell) });
      return blocks;
    },
    async read({ cell, cells }, type, order): Promise<EnsembleField> {
      const values: FloatArray[] = members.map(() => floatArray(type, cells * days));
      for (let c = 0; c < cells; c++) {
        const reading = dataset.read(slug, order === undefined ? cell + c : order[cell + c], one);
        if (reading !== undefined) await reading;
        for (let m = 0; m < count; m++) values[m].set(one.subarray(m * days, (m + 1) * days), c * days);
      }
      return { type, order: 'day-fastest', firstDay, days, cells, members: columnsOf(members, values) };
    },
  };
}
