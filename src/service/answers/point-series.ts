import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { MemberColumn } from '../../core/member-column.js';
import type { Axis, Dataset } from '../source/dataset.js';

/** A buffer for a variable's values at one place, and its members as columns. */
export interface SeriesBuffer {
  readonly values: Float32Array<ArrayBuffer>;
  readonly members: readonly MemberColumn[];
}

function seriesBuffer({ days, members }: Axis): SeriesBuffer {
  const values = new Float32Array(days * members);
  return { values, members: memberColumns(values, days) };
}

/** So many buffers of one shape are kept, and so many bytes of all shapes; no axis has so many members. */
const MAX_FREE = 16;
const MAX_FREE_BYTES = 16 * 2 ** 20;
const MAX_MEMBERS = 65_536;

/** Buffers for reuse: making one costs as much as computing with it. The least recently used ones are dropped first. */
export class SeriesBuffers {
  readonly #free = new Map<number, SeriesBuffer[]>();
  #bytes = 0;

  take(axis: Axis): SeriesBuffer {
    const buffer = this.#free.get(shapeOf(axis))?.pop();
    if (buffer === undefined) return seriesBuffer(axis);
    this.#bytes -= buffer.values.byteLength;
    return buffer;
  }

  /** Gives back a buffer that is not read or written any more. */
  give(axis: Axis, buffer: SeriesBuffer): void {
    const shape = shapeOf(axis);
    const free = this.#free.get(shape) ?? [];
    // The first entry of the map is the least recently used one.
    this.#free.delete(shape);
    this.#free.set(shape, free);
    if (free.length === MAX_FREE) return;
    free.push(buffer);
    this.#bytes += buffer.values.byteLength;
    for (const [oldest, buffers] of this.#free) {
      while (this.#bytes > MAX_FREE_BYTES && buffers.length > 0) {
        this.#bytes -= (buffers.pop() as SeriesBuffer).values.byteLength;
      }
      if (buffers.length > 0) break;
      this.#free.delete(oldest);
    }
  }
}

function shapeOf({ days, members }: Axis): number {
  return days * MAX_MEMBERS + members;
}

/**
 * Reads a variable at a cell to a buffer; the field shares its values. Rejects, and never throws, with what the dataset
 * throws or rejects with: several variables are read at a time, and if one threw, the others would not be awaited.
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
