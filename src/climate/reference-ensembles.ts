import type { Table } from 'apache-arrow';
import type { NamedEnsemble } from '../arrow/aligned-parts.js';
import { DataError } from '../errors.js';
import type { CheckedWindowOptions } from '../statistics/options.js';
import { ensembleAsked } from '../statistics/statistics.js';
import { unitsAgree } from '../variable/units-agree.js';
import type { CheckedClimatologyOptions } from './options.js';

/** The ensembles of tables, at least one, that are to be joined or pooled. Throws DataError where they are not of one variable in one unit. */
export function referenceEnsembles(tables: readonly Table[], options: CheckedClimatologyOptions): NamedEnsemble[] {
  const ensembles = tables.map((table, i) => ({
    ensemble: ensembleAsked(table, readOptions(options, i, tables.length)),
    source: sourceOf(options, i, tables.length) ?? 'table',
  }));
  for (const other of ensembles) refuseOther(ensembles[0], other);
  return ensembles;
}

/** How to read table `i` of `count`. */
export function readOptions(options: CheckedClimatologyOptions, i: number, count: number): CheckedWindowOptions {
  return { ...options, source: sourceOf(options, i, count) };
}

function sourceOf({ sources }: CheckedClimatologyOptions, i: number, count: number): string | undefined {
  return sources[i] ?? (count > 1 ? `table ${i + 1}` : undefined);
}

function refuseOther(first: NamedEnsemble, { ensemble, source }: NamedEnsemble): void {
  const { variable, units } = first.ensemble;
  if (ensemble.variable?.slug !== variable?.slug) {
    throw new DataError({
      source,
      problem: 'another variable',
      received: ensemble.variable?.slug ?? 'an unknown one',
      allowed: `${variable?.slug ?? 'an unknown one'}, as in ${first.source}`,
    });
  }
  if (units !== undefined && ensemble.units !== undefined && !unitsAgree(ensemble.units, units)) {
    const allowed = `${units}, as in ${first.source}`;
    throw new DataError({ source, problem: 'other units', received: ensemble.units, allowed });
  }
}
