import type { Table } from 'apache-arrow';
import { assertKnownKeys } from '../check/option-checks.js';
import type { EnsembleField } from '../core/field.js';
import { alignEnsembles, type NamedEnsemble } from '../ensemble/align-ensembles.js';
import { commonMetadata } from '../ensemble/common-metadata.js';
import { DataError, OptionError } from '../errors.js';
import { formatDate } from '../period/day.js';
import { locationRows, wideTable } from '../table/build/wide-table.js';
import { assertRealDates } from '../table/columns/table-calendar.js';
import { readEnsemble } from '../table/rows/read-ensemble.js';
import { DERIVED_INPUTS, type DerivedVariable } from '../variable/derived-inputs.js';
import { findVariable } from '../variable/find-variable.js';
import { type DeriveOptions, deriveSeries } from './derive-series.js';
import { pairedMembers } from './paired-members.js';
import type { DaySpan } from './series-formulas.js';

/**
 * Computes a variable from others, per member and day: FAO-56 reference evapotranspiration (mm), dew point (degC),
 * vapour pressure deficit (kPa).
 *
 * `inputs` has a table for each of the variables that `DERIVED_INPUTS` lists, by slug, in any form that `statistics`
 * reads; other entries are ignored. All have the same locations and as many members, which are paired by name, or by
 * place where they have no name in common. The result has the days that all inputs cover, in the canonical wide form: a
 * row for each location and day, a column for each member, Float32 where all inputs are, else Float64, computed in
 * Float64. Its metadata are the variable, its units, `member_names` where members are paired by name, and all that is
 * the same in the inputs' metadata.
 *
 * A missing input makes a value missing, and so does a humidity of 0 for the dew point. Throws OptionError for a slug
 * of no derived variable, and a missing input or elevation; DataError for tables that do not fit together (no day in
 * common, other locations or members), for evapotranspiration without a latitude, and for infinite values.
 */
export function deriveVariable(
  slug: DerivedVariable,
  inputs: Readonly<Record<string, Table>>,
  options: DeriveOptions = {},
): Table {
  assertKnownKeys(options, ['elevation']);
  const named = readInputs(slug, inputs);
  const parts = alignEnsembles(named);
  const [{ latitude, longitude }] = parts;
  const { fields, names } = pairedMembers(
    named,
    parts.map(({ field }) => field),
  );
  const span = sharedDays(named, fields);
  const members = deriveSeries(slug, fields, { latitude, longitude, ...span }, options);
  return wideTable({ ...locationRows(latitude, longitude, span), members }, resultMetadata(slug, named, names));
}

function readInputs(slug: DerivedVariable, inputs: Readonly<Record<string, Table>>): NamedEnsemble[] {
  if (typeof slug !== 'string' || !Object.hasOwn(DERIVED_INPUTS, slug)) {
    throw new OptionError({
      subject: 'variable',
      problem: 'is not derived from others',
      received: slug,
      allowed: Object.keys(DERIVED_INPUTS).join(', '),
    });
  }
  return DERIVED_INPUTS[slug].map((source) => {
    const table = inputs?.[source];
    if (table === undefined) throw missingInputError(slug, source, inputs);
    const ensemble = readEnsemble(table, { variable: findVariable(source), source });
    assertRealDates(ensemble.metadata, `deriving ${slug}`, source);
    return { source, ensemble };
  });
}

function missingInputError(slug: DerivedVariable, input: string, inputs: Readonly<Record<string, Table>>): OptionError {
  return new OptionError({
    subject: `inputs of ${slug}`,
    problem: `no table of ${input}`,
    received: Object.keys(inputs ?? {}).join(', '),
    allowed: `a table each of ${DERIVED_INPUTS[slug].join(', ')}`,
  });
}

function resultMetadata(
  slug: DerivedVariable,
  inputs: readonly NamedEnsemble[],
  names: readonly string[] | undefined,
): Map<string, string> {
  const metadata = commonMetadata(inputs.map(({ ensemble }) => ensemble));
  metadata.delete('member_names');
  metadata.set('variable', slug).set('units', findVariable(slug).units);
  return names === undefined ? metadata : metadata.set('member_names', JSON.stringify(names));
}

/** The days that all fields cover. Throws DataError naming the input that begins after another one ends. */
function sharedDays(inputs: readonly NamedEnsemble[], fields: readonly EnsembleField[]): DaySpan {
  const firstDays = fields.map(({ firstDay }) => firstDay);
  const lastDays = fields.map(lastDayOf);
  const firstDay = Math.max(...firstDays);
  const lastDay = Math.min(...lastDays);
  if (firstDay <= lastDay) return { firstDay, days: lastDay - firstDay + 1 };
  const late = firstDays.indexOf(firstDay);
  throw new DataError({
    source: inputs[late].source,
    problem: `no day in common with ${inputs[lastDays.indexOf(lastDay)].source}`,
    received: `${formatDate(firstDay)} to ${formatDate(lastDays[late])}`,
    allowed: `days up to ${formatDate(lastDay)}`,
  });
}

function lastDayOf({ firstDay, days }: EnsembleField): number {
  return firstDay + days - 1;
}
