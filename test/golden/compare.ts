import type { Table } from 'apache-arrow';
import { expect } from 'vitest';
import { formatDate } from '../../src/period/day.js';
import type { ReferenceCsv } from './reference-csv.js';

/**
 * The errors met so far, relative to the reference: a result other than 0 where the reference is 0 is infinitely wrong.
 */
export interface WorstError {
  relative: number;
  values: number;
}

export function noError(): WorstError {
  return { relative: 0, values: 0 };
}

/** Checks key, calendar window, days and completeness of each row, in order. */
export function expectSameWindows(result: Table, reference: ReferenceCsv): void {
  const column = (name: string) => [...(result.getChild(name) ?? [])];
  const day = (name: string) => [...(result.getChild(name)?.data[0].values ?? [])].map(formatDate);
  expect(column('period')).toEqual(reference.text('window'));
  expect(day('start')).toEqual(reference.text('start'));
  expect(day('end')).toEqual(reference.text('end'));
  expect(column('n_days')).toEqual(reference.numbers('n_days'));
  expect(column('complete')).toEqual(reference.numbers('complete').map((complete) => complete === 1));
}

/** A column of numbers of a result. */
export function resultNumbers(result: Table, name: string): ArrayLike<number> {
  const column = result.getChild(name);
  if (column === null) throw new Error(`the result has no column ${name}`);
  expect(column.nullCount).toBe(0);
  return column.toArray();
}

/** Takes the errors of one column into `worst`. */
export function measure(worst: WorstError, result: ArrayLike<number>, reference: readonly number[]): void {
  expect(result.length).toBe(reference.length);
  reference.forEach((expected, i) => {
    worst.values++;
    // A NaN on one side only must not pass for a small error.
    if (Number.isNaN(result[i]) || Number.isNaN(expected)) expect(result[i]).toBe(expected);
    else if (result[i] !== expected) {
      worst.relative = Math.max(worst.relative, Math.abs(result[i] - expected) / Math.abs(expected));
    }
  });
}

/** One line that says how good the results are. */
export function printWorst(title: string, { relative, values }: WorstError): void {
  console.log(`${title}: worst relative error ${relative === 0 ? 0 : relative.toExponential(1)} of ${values} values`);
}
