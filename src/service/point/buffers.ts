import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import { MemberColumn } from '../../core/member-column.js';
import type { Axis } from '../source/dataset.js';
import { StatisticsPlans } from './statistics-plans.js';

/** A buffer for a variable's values at one place, and its members as columns. */
export interface SeriesBuffer {
  readonly values: Float32Array<ArrayBuffer>;
  readonly members: readonly MemberColumn[];
}

/** Creates a buffer for a variable of these days and members. */
export function seriesBuffer({ days, members }: Axis): SeriesBuffer {
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

/** A field in the core's memory, and its values there: a view, which is empty once the memory has grown. */
export interface HeldField {
  readonly field: EnsembleField;
  readonly values: Float32Array<ArrayBuffer>;
}

/** The fields of several places in the core's memory, and the values of each: views, empty once it has grown. */
export interface HeldCells {
  readonly field: EnsembleField;
  readonly values: readonly Float32Array<ArrayBuffer>[];
}

/** The most values that a held field may have, and the most shapes whose columns are kept. */
const MAX_VALUES = 262_144;
const MAX_SHAPES = 32;

/**
 * A buffer in the core's memory for the ensemble of one point: there the kernels use values in place. One megabyte
 * serves all fields, one after the other. Only the columns are kept, for the most recently used numbers of days and
 * members. Nothing is held in a core that others use, too: the memory is a stack, and they may release what is in it.
 */
export class CoreBuffers {
  readonly #core: Core;
  readonly #isShared: boolean;
  readonly #columns = new Map<string, readonly MemberColumn[]>();
  #address: number | undefined;
  /** What is prepared for the fields that are held. */
  readonly plans: StatisticsPlans;

  constructor(core: Core, { isShared = false } = {}) {
    this.#core = core;
    this.#isShared = isShared;
    this.plans = new StatisticsPlans(core);
  }

  /**
   * Returns the field with its values in the core's memory, where they stay until the next field is held; `values` are
   * those of all members, one after the other. Returns the field itself where there are too many values, or the core is
   * shared.
   */
  hold(field: EnsembleField, values: Float32Array): EnsembleField {
    const { firstDay, days, members } = field;
    const place = this.place({ firstDay, days, members: members.length });
    if (place === undefined) return field;
    place.values.set(values);
    return place.field;
  }

  /**
   * The place of a field in the core's memory: what is written to `values`, all members one after the other, are the
   * values of `field`. Undefined where there would be too many, or the core is shared.
   */
  place({ firstDay, days, members }: Axis): HeldField | undefined {
    const length = days * members;
    if (this.#isShared || length > MAX_VALUES) return undefined;
    const { memory } = this.#core;
    const values = memory.float32(this.#held(), length);
    const columns = this.#columnsOf(values, days, members);
    const field = { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members: columns } as const;
    return { field, values };
  }

  /**
   * Like `place`, for the fields of some places: what is written to `values[cell]`, member after member, are
   * the values of a cell of `field`. Fewer cells where not as many fit; undefined where none does.
   */
  placeCells({ firstDay, days, members }: Axis, maxCells: number): HeldCells | undefined {
    const stride = days * members;
    const cells = Math.min(maxCells, Math.floor(MAX_VALUES / stride));
    if (this.#isShared || cells === 0) return undefined;
    const { memory } = this.#core;
    const address = this.#held();
    // All that kernels know of a cell is how far it is from the one before: the values of its other members are as
    // further days, which no window has.
    const columns = Array.from({ length: members }, (_, m) => {
      const values = memory.float32(address + 4 * m * days, cells * stride - m * days);
      return new MemberColumn(`member ${m}`, [{ values }]);
    });
    return {
      field: { type: 'float32', order: 'day-fastest', firstDay, days: stride, cells, members: columns },
      values: Array.from({ length: cells }, (_, cell) => memory.float32(address + 4 * cell * stride, stride)),
    };
  }

  /** The address of the buffer. */
  #held(): number {
    this.#address ??= this.#core.memory.allocate(MAX_VALUES * Float32Array.BYTES_PER_ELEMENT);
    return this.#address;
  }

  #columnsOf(held: Float32Array, days: number, members: number): readonly MemberColumn[] {
    const shape = `${days} ${members}`;
    const columns = this.#columns.get(shape) ?? memberColumns(held, days);
    // The first entry of the map is the least recently used one.
    this.#columns.delete(shape);
    this.#columns.set(shape, columns);
    if (this.#columns.size > MAX_SHAPES) this.#columns.delete(this.#columns.keys().next().value as string);
    return columns;
  }
}
