import type { Table } from 'apache-arrow';
import type { NamedEnsemble } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import { OptionError } from '../errors.js';
import type { CheckedWindowOptions } from '../statistics/options.js';
import { requestedEnsemble } from '../statistics/statistics.js';
import type { CheckedClimatologyOptions } from './options.js';

/**
 * The ensembles of tables that are to be joined or pooled. Throws OptionError where there is none, and DataError where they are not of one
 * variable, unit and calendar.
 */
export function referenceEnsembles(tables: readonly Table[], options: CheckedClimatologyOptions): NamedEnsemble[] {
  if (tables.length === 0) {
    throw new OptionError({ subject: 'tables', problem: 'none are given', allowed: 'at least one table' });
  }
  const ensembles = tables.map((table, i) => ({
    ensemble: requestedEnsemble(table, readOptions(options, i, tables.length)),
    source: sourceOf(options, i, tables.length) ?? 'table',
  }));
  assertConsistent(ensembles, true);
  return ensembles;
}

/** How to read table `i` of `count`. */
export function readOptions(options: CheckedClimatologyOptions, i: number, count: number): CheckedWindowOptions {
  return { ...options, source: sourceOf(options, i, count) };
}

function sourceOf({ sources }: CheckedClimatologyOptions, i: number, count: number): string | undefined {
  return sources[i] ?? (count > 1 ? `table ${i + 1}` : undefined);
}
