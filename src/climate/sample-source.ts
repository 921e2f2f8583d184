import { convertField, type EnsembleField, sliceCells } from '../core/field.js';
import type { WindowTable } from '../period/period.js';
import { createWindowTable, type ReferenceWindows, type WindowRun, windowsWithin } from './reference-windows.js';

/**
 * The daily values of one table, and the reference windows within its days: each window gives one sample for each
 * member.
 */
export interface SampleSource {
  /** By location, the day fastest. */
  readonly field: EnsembleField;
  readonly run: WindowRun;
  readonly windows: WindowTable;
}

/** The source of a field; with `days`, of the windows within its first days. */
export function createSampleSource(field: EnsembleField, reference: ReferenceWindows, days = field.days): SampleSource {
  const lastDay = field.firstDay + field.days - 1;
  const run = windowsWithin(reference, field.firstDay, field.firstDay + Math.min(days, field.days) - 1);
  return { field, run, windows: createWindowTable(reference, run, field.firstDay, lastDay) };
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
