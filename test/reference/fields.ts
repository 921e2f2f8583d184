import type { EnsembleField, RowOrder } from '../../src/core/field.js';
import type { Core } from '../../src/core/load.js';
import { type ColumnChunk, MemberColumn } from '../../src/core/member-column.js';
import { type FloatType, valueBytes } from '../../src/core/number-arrays.js';

/** A small linear congruential generator: the same numbers in every run. */
export function seeded(seed: number): () => number {
  // A signed integer: engines keep one in place, and make an object of each number that is none.
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

export interface FieldOptions {
  type?: FloatType;
  order?: RowOrder;
  firstDay?: number;
  days?: number;
  cells?: number;
  members?: number;
  seed?: number;
  /** Share of values that are missing: half of them as NaN, half by a bitmap. */
  missing?: number;
  /** Rows of a chunk; all in one by default. */
  chunkRows?: number;
  value?: (random: () => number) => number;
}

/** A field of seeded values with ties, zeros of both signs and negative numbers. */
export function seededField(options: FieldOptions = {}): EnsembleField {
  const { type = 'float32', order = 'day-fastest', firstDay = 19_000, days = 60, cells = 3, members = 31 } = options;
  const { seed = 1, missing = 0, chunkRows = days * cells } = options;
  const random = seeded(seed);
  const value =
    options.value ??
    ((next) =>
      next() < 0.3 ? (next() < 0.5 ? 0 : -0) : next() < 0.3 ? Math.round(next() * 10) / 10 : (next() - 0.3) * 40);
  const columns = Array.from({ length: members }, (_, m) => {
    const chunks: ColumnChunk[] = [];
    for (let row = 0; row < days * cells; row += chunkRows) {
      const length = Math.min(chunkRows, days * cells - row);
      const values = type === 'float32' ? new Float32Array(length) : new Float64Array(length);
      const firstBit = missing > 0 ? 3 : 0;
      const bitmap = missing > 0 ? new Uint8Array((length + firstBit + 7) >> 3).fill(255) : undefined;
      for (let i = 0; i < length; i++) {
        values[i] = value(random);
        const fate = missing > 0 ? random() : 1;
        if (fate < missing / 2) values[i] = Number.NaN;
        else if (bitmap && fate < missing) bitmap[(i + firstBit) >> 3] &= ~(1 << ((i + firstBit) & 7));
      }
      chunks.push({ values, bitmap, firstBit });
    }
    return new MemberColumn(`m${m}`, chunks);
  });
  return { type, order, firstDay, days, cells, members: columns };
}

/** The same field with its values in the memory of `core`, missing ones as NaN; other members are `gap` bytes behind the first. */
export function placed(core: Core, field: EnsembleField, gap = 0): EnsembleField {
  const size = valueBytes(field.type);
  const addresses = field.members.map(({ length }, m) => core.memory.allocate(length * size + (m === 0 ? gap : 0)));
  const members = field.members.map((member, m) => {
    const values = core.memory[field.type](addresses[m], member.length);
    member.copyTo(values, 0, 0, member.length);
    return new MemberColumn(member.name, [{ values }]);
  });
  return { ...field, members };
}
