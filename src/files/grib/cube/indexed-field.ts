import type { GribGrid } from '../grid/grid.js';
import type { Grib1Field, GribField } from '../messages.js';
import type { Parameter } from '../product/parameter.js';
import type { Product } from '../product/product.js';

/** A field of one of the files that are read together, and what it is. */
export interface IndexedField {
  /** The index of its file. */
  readonly file: number;
  readonly field: GribField | Grib1Field;
  readonly product: Product;
  readonly parameter: Parameter;
  /** The same object for all fields whose grid has the same bytes. */
  readonly grid: GribGrid;
}

/** Whether the interval of a field begins with its forecast. */
export function isSinceStart({ product: { start, begin, reference } }: IndexedField): boolean {
  return start === (begin ?? reference);
}

/** A field for messages: its file and its number. */
export function fieldText({ field: { source, message, field } }: IndexedField): string {
  return `${source}, message ${message}${field > 1 ? `, field ${field}` : ''}`;
}

/** A time in seconds since 1970-01-01 UTC for messages. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/(:00)?\.000Z$/, 'Z');
}
