import type { PlaceIndex } from '../../ensemble/nearest-place.js';
import { readCell } from '../../files/cf/read-cell.js';
import type { ReadPlan } from '../../files/cf/read-plan.js';
import type { Axis, Dataset } from '../source/dataset.js';

/** A variable of a grid, and the days of it that are used. */
export interface GridVariable {
  readonly plan: ReadPlan;
  readonly axis: Axis;
}

/** The arrays of a grid as a dataset: a read of a place reads the chunks that hold it, and no others. */
export function gridDataset(
  revision: string,
  places: PlaceIndex,
  variables: ReadonlyMap<string, GridVariable>,
): Dataset {
  return {
    ...{ revision, places },
    variables: new Map(Array.from(variables, ([slug, { axis }]) => [slug, axis])),
    read: (slug, cell, into) => read(variables.get(slug) as GridVariable, cell, into),
  };
}

async function read({ plan, axis }: GridVariable, cell: number, into: Float32Array<ArrayBuffer>): Promise<void> {
  const { firstDay, days } = plan.steps;
  if (days === axis.days) return readCell(plan, cell, into);
  const all = new Float32Array(axis.members * days);
  await readCell(plan, cell, all);
  const skipped = axis.firstDay - firstDay;
  for (let m = 0; m < axis.members; m++) {
    const at = m * days + skipped;
    into.set(all.subarray(at, at + axis.days), m * axis.days);
  }
}
