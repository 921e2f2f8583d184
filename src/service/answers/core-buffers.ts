import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { MemberColumn } from '../../core/member-column.js';

/** The most values that a held field may have, and the most shapes whose columns are kept. */
const MAX_VALUES = 262_144;
const MAX_SHAPES = 32;

/**
 * A buffer in the core's memory for the ensemble of one point: there the kernels use values in place. One megabyte
 * serves all fields, one after the other. Only the columns are kept, for the most recently used numbers of days and
 * members.
 */
export class CoreBuffers {
  readonly #core: Core;
  readonly #columns = new Map<string, readonly MemberColumn[]>();
  #address: number | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Returns the field with its values in the core's memory, where they stay until the next field is held; `values` are
   * those of all members, one after the other. Returns the field itself where there are too many values.
   */
  hold(field: EnsembleField, values: Float32Array): EnsembleField {
    if (values.length > MAX_VALUES) return field;
    const { memory } = this.#core;
    this.#address ??= memory.allocate(MAX_VALUES * Float32Array.BYTES_PER_ELEMENT);
    const held = memory.float32(this.#address, values.length);
    held.set(values);
    const { type, order, firstDay, days, cells, members } = field;
    return { type, order, firstDay, days, cells, members: this.#columnsOf(held, days, members.length) };
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
