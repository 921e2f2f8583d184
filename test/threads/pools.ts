import { createHash } from 'node:crypto';
import type { EnsembleField } from '../../src/core/field.js';
import type { Core } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import type { FloatArray } from '../../src/core/number-arrays.js';
import { type Granularity, windowTable } from '../../src/period/period.js';
import type { StatisticsColumns } from '../../src/statistics/statistics-columns.js';
import { valuesOf } from '../property/examples.js';

/** The kinds of memory in which workers can see the values of a field. */
export const PLACES = ['in the memory of the pool', 'in other shared memory'] as const;
export type Place = (typeof PLACES)[number];

/** The field with its values in the memory of the pool, or in other shared memory with its chunks and bitmaps. */
export function placed(core: Core, field: EnsembleField, place: Place): EnsembleField {
  if (place === 'in the memory of the pool') return inCore(core, field);
  const members = field.members.map(({ name, chunks }) => {
    const shared = chunks.map(({ values, bitmap, firstBit }) => ({
      values: shareArray(values),
      bitmap: bitmap && shareArray(bitmap),
      firstBit,
    }));
    return new MemberColumn(name, shared);
  });
  return { ...field, members };
}

function inCore(core: Core, field: EnsembleField): EnsembleField {
  const { memory } = core;
  const columns = field.members.map((_, m) => valuesOf(field, m));
  const addresses = columns.map(({ byteLength }) => memory.allocate(byteLength));
  const members = columns.map((column, m) => {
    const length = column.length;
    const values =
      field.type === 'float32' ? memory.float32(addresses[m], length) : memory.float64(addresses[m], length);
    values.set(column);
    return new MemberColumn(field.members[m].name, [{ values }]);
  });
  return { ...field, members };
}

function shareArray<A extends FloatArray | Uint8Array>(array: A): A {
  const Type = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const shared = new Type(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}

/** All windows that the field's days touch. */
export function windowsOf({ firstDay, days }: EnsembleField, granularity: Granularity) {
  return windowTable(granularity, firstDay, firstDay + days - 1, { partial: true });
}

/** A digest of the bits of each column: NaN as it is, and zeros by their sign. */
export function bits(columns: StatisticsColumns): Record<string, unknown> {
  const digest = (column: FloatArray | Int32Array) => {
    return createHash('sha256')
      .update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
      .digest('hex');
  };
  return {
    mean: digest(columns.mean),
    quantiles: columns.quantiles.map(digest),
    spread: columns.spread && digest(columns.spread),
    probabilities: columns.probabilities.map(digest),
    categories: columns.categories.map((shares) => shares.map(digest)),
    members: digest(columns.members),
  };
}
