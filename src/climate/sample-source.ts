import { convertField, type EnsembleField, sliceCells } from '../core/field.js';
import { type ReferenceWindows, type WindowsWithin, windowsWithin } from './reference-windows.js';

/**
 * The daily values of one table, and the reference windows within its days: each window gives one sample for each
 * member.
 */
export interface SampleSource extends WindowsWithin {
  /** By location, the day fastest. */
  readonly field: EnsembleField;
}

/** The source of a field; with `days`, of the windows within its first days. */
export function createSampleSource(field: EnsembleField, reference: ReferenceWindows, days = field.days): SampleSource {
  const { firstDay } = field;
  const lastDay = firstDay + Math.min(days, field.days) - 1;
  return { field, ...windowsWithin(reference, firstDay, lastDay, firstDay + field.days - 1) };
}

/** The number of samples that a source gives for each cell. */
export function samplesOf({ field, windows }: SampleSource): number {
  return field.members.length * windows.count;
}

/**
 * Some cells of a source's field with values in float64, so that windows are not rounded before they become samples.
 */
export function cellsInFloat64(field: EnsembleField, from: number, to: number): EnsembleField {
  return convertField(sliceCells(field, from, to), 'float64');
}
