import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { MemberColumn } from '../../core/member-column.js';
import type { Axis, Dataset } from '../../store/dataset.js';

/** Room for a variable's values at one place, and its members as columns. */
export interface SeriesBuffer {
  readonly values: Float32Array<ArrayBuffer>;
  readonly members: readonly MemberColumn[];
}

function seriesBuffer({ days, members }: Axis): SeriesBuffer {
  const values = new Float32Array(days * members);
  return { values, members: memberColumns(values, days) };
}

/** Buffers that are used again: making one costs as much as computing on it. */
export class SeriesBuffers {
  readonly #free = new Map<number, SeriesBuffer[]>();

  take(axis: Axis): SeriesBuffer {
    return this.#freeOf(axis).pop() ?? seriesBuffer(axis);
  }

  /** Gives back a buffer that nobody reads any more. */
  give(axis: Axis, buffer: SeriesBuffer): void {
    const free = this.#freeOf(axis);
    if (free.length < MOST_FREE) free.push(buffer);
  }

  #freeOf({ days, members }: Axis): SeriesBuffer[] {
    const key = days * MOST_MEMBERS + members;
    let free = this.#free.get(key);
    if (free === undefined) {
      if (this.#free.size === MOST_SHAPES) this.#free.clear();
      free = [];
      this.#free.set(key, free);
    }
    return free;
  }
}

const MOST_FREE = 16;
const MOST_SHAPES = 64;
const MOST_MEMBERS = 65_536;

/**
 * Reads a variable at a cell to a buffer; the field shares its values. What the dataset throws or rejects with, this rejects with:
 * several are read at a time, and where one threw, nobody would wait for the others.
 */
export function readSeries(
  dataset: Dataset,
  slug: string,
  cell: number,
  buffer: SeriesBuffer = seriesBuffer(axisOf(dataset, slug)),
): EnsembleField | Promise<EnsembleField> {
  const { firstDay, days } = axisOf(dataset, slug);
  const { values, members } = buffer;
  const field: EnsembleField = { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members };
  try {
    const reading = dataset.read(slug, cell, values);
    return reading === undefined ? field : reading.then(() => field);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The days and members of a variable that the dataset has. */
export function axisOf(dataset: Dataset, slug: string): Axis {
  return dataset.variables.get(slug) as Axis;
}
