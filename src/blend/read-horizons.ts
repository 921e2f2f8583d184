import type { Table } from 'apache-arrow';
import { alignedParts, type NamedEnsemble } from '../arrow/aligned-parts.js';
import type { Ensemble } from '../arrow/ensemble.js';
import { readEnsemble } from '../arrow/read-ensemble.js';
import { DataError, OptionError } from '../errors.js';
import { unitsAgree } from '../variable/units-agree.js';
import type { Horizon } from './horizon.js';
import { type CheckedBlendOptions, THREE_HORIZONS } from './options.js';

/** The horizons of a timeline as read from tables, all of the same cells. */
export interface ReadHorizons {
  readonly horizons: readonly Horizon[];
  readonly ensembles: readonly Ensemble[];
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

/** Reads horizons in order. Throws DataError where they differ in variable, units, calendar or locations. */
export function readHorizons(tables: readonly Table[], options: CheckedBlendOptions): ReadHorizons {
  if (tables.length === 0) {
    throw new OptionError({ subject: 'horizons', problem: 'none', allowed: 'a table for each, from the shortest on' });
  }
  const named = tables.map((table, h): NamedEnsemble & { name: string } => {
    const paired = options.pairing?.horizons[h]?.name;
    const name = options.names?.[h] ?? paired ?? usualName(table, h, tables.length);
    const source = options.sources?.[h] ?? name;
    return { name, source, ensemble: readEnsemble(table, { ...options, source }) };
  });
  for (const other of named.slice(1)) refuseDifferent(named[0], other);
  const parts = alignedParts(named);
  const horizons = parts.map(({ field }, h) => ({ name: named[h].name, source: named[h].source, field }));
  const [{ latitude, longitude }] = parts;
  return { horizons, ensembles: named.map(({ ensemble }) => ensemble), latitude, longitude };
}

function usualName({ schema }: Table, index: number, count: number): string {
  return schema.metadata.get('horizon') ?? (count === 3 ? THREE_HORIZONS[index] : `horizon ${index + 1}`);
}

function refuseDifferent(first: NamedEnsemble, { source, ensemble }: NamedEnsemble): void {
  const differ = (what: string, received?: string, expected?: string) =>
    new DataError({ source, problem: `another ${what}`, received, allowed: `${expected}, as in ${first.source}` });
  const [ours, theirs] = [first.ensemble, ensemble];
  if (ours.variable?.slug !== theirs.variable?.slug && ours.variable !== undefined && theirs.variable !== undefined) {
    throw differ('variable', theirs.variable.slug, ours.variable.slug);
  }
  if (ours.units !== undefined && theirs.units !== undefined && !unitsAgree(ours.units, theirs.units)) {
    throw differ('unit', theirs.units, ours.units);
  }
  const [calendar, other] = [ours, theirs].map(({ metadata }) => metadata.get('calendar') ?? 'standard');
  if (calendar !== other) throw differ('calendar', other, calendar);
}
