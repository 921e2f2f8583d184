import type { Table } from 'apache-arrow';
import { assertKnownKeys, assertObject } from '../check/option-checks.js';
import type { NamedEnsemble } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import { DataError, OptionError } from '../errors.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { assertRealDates } from '../table/columns/day-column.js';
import { checkReadOptions } from '../table/columns/read-options.js';
import { readEnsemble } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import type { VariableSlug } from '../variable/slug.js';
import type { Variable } from '../variable/variable.js';

/** Where daily values come from. */
export interface HistorySource {
  /** The name that its days have in the column `origin`: `era5`, `analysis`, ... */
  readonly name: string;
  readonly table: Table;
}

/** How to read the tables. */
export interface FillOptions {
  /** The variable: a slug, or a definition of your own. Default: as the tables' metadata or column names say. */
  readonly variable?: VariableSlug | Variable;
  /** Variables of your own that the tables, or `variable`, may name. */
  readonly variables?: readonly Variable[];
  /** Names of the tables' columns where they are not the usual ones. */
  readonly columns?: ColumnRoles;
}

/** Reads sources, which must have different names, one member each, and the same variable and unit. */
export function readSources(sources: readonly HistorySource[], options: FillOptions): NamedEnsemble[] {
  assertKnownKeys(options, ['variable', 'variables', 'columns']);
  checkSources(sources);
  const { variable, variables, columns } = checkReadOptions(options);
  const named = sources.map(({ name, table }) => ({
    source: name,
    ensemble: readEnsemble(table, { variable, variables, columns, source: name, places: readPlaces }),
  }));
  for (const own of named) {
    assertRealDates(own.ensemble.metadata, 'a history', own.source);
    assertSingleMember(own);
  }
  assertConsistent(named, true);
  return named;
}

function checkSources(sources: readonly HistorySource[]): void {
  const fault = (subject: string, problem: string, received: unknown, allowed: string) =>
    new OptionError({ subject, problem, received, allowed });
  if (!Array.isArray(sources) || sources.length === 0) {
    const received = Array.isArray(sources) ? 'an empty list' : sources;
    throw fault('sources', 'none given', received, 'a list of { name, table }, the preferred one first');
  }
  const names = new Set<string>();
  sources.forEach((source: unknown, i) => {
    const subject = `source ${i + 1}`;
    assertObject(subject, source, '{ name: "era5", table }');
    const { name } = source as Partial<HistorySource>;
    if (typeof name !== 'string' || name === '')
      throw fault(subject, 'has no name', name, 'a text, different for each source');
    if (names.has(name)) throw fault(subject, 'has the name of another one', name, 'a different name for each source');
    names.add(name);
  });
}

function assertSingleMember({ ensemble, source }: NamedEnsemble): void {
  const [{ field }] = ensemble.parts;
  if (field.members.length === 1) return;
  throw new DataError({
    source,
    problem: 'has several members',
    received: field.members.length,
    allowed: 'one value a day: a history, not an ensemble',
  });
}
