import type { Horizon } from '../../blend/horizon.js';
import type { DayRange } from '../../blend/pairing/seam-anomalies.js';
import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { Axis, Dataset } from '../source/dataset.js';

/** So many places are read at a time. */
export const READS_AT_ONCE = 16;

/** Reads a variable of a horizon at a cell of the first one; undefined where it does not have the variable. */
export async function readHorizon(
  dataset: Dataset,
  name: string,
  slug: string,
  first: Dataset,
  cell: number,
): Promise<Horizon | undefined> {
  const axis = dataset.variables.get(slug);
  if (axis === undefined) return undefined;
  return { name, field: fieldOf(axis, await readOwn(dataset, axis, slug, first, cell)) };
}

/** The values of a variable of a horizon at a cell of the first one: member after member. */
async function readOwn(
  dataset: Dataset,
  axis: Axis,
  slug: string,
  first: Dataset,
  cell: number,
): Promise<Float32Array<ArrayBuffer>> {
  const values = new Float32Array(axis.days * axis.members);
  const { latitude, longitude } = first.places;
  const own =
    dataset === first ? cell : dataset.places.covering({ latitude: latitude[cell], longitude: longitude[cell] });
  if (own === undefined) values.fill(Number.NaN);
  else await dataset.read(slug, own, values);
  return values;
}

/** The values of a place as a field. */
export function fieldOf({ firstDay, days }: Pick<Axis, 'firstDay' | 'days'>, values: Float32Array): EnsembleField {
  return { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members: memberColumns(values, days) };
}

/**
 * Reads a variable of a horizon at some cells of the first one, on those days of a range that it has; undefined where it
 * does not have the variable.
 */
export async function readCells(
  dataset: Dataset,
  name: string,
  slug: string,
  first: Dataset,
  cells: Int32Array,
  range: DayRange,
): Promise<Horizon | undefined> {
  const axis = dataset.variables.get(slug);
  if (axis === undefined) return undefined;
  const { members } = axis;
  const firstDay = Math.max(range.from, axis.firstDay);
  const days = Math.max(0, Math.min(range.to, axis.firstDay + axis.days) - firstDay);
  const values = new Float32Array(members * cells.length * days);
  // Objects for each member and cell would take longer than reading.
  const place = (own: Float32Array, c: number) => {
    for (let m = 0, row = firstDay - axis.firstDay; m < members; m++, row += axis.days) {
      for (let at = (m * cells.length + c) * days, end = at + days, i = row; at < end; at++, i++) values[at] = own[i];
    }
  };
  const read = async (c: number) => place(await readOwn(dataset, axis, slug, first, cells[c]), c);
  for (let from = 0; from < cells.length; from += READS_AT_ONCE) {
    const some = Array.from({ length: Math.min(READS_AT_ONCE, cells.length - from) }, (_, i) => from + i);
    await Promise.all(some.map(read));
  }
  const field = {
    ...fieldOf({ firstDay, days }, values),
    cells: cells.length,
    members: memberColumns(values, cells.length * days),
  };
  return { name, field };
}
