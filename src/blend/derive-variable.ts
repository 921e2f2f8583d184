import type { Table } from 'apache-arrow';
import { assertKnownKeys } from '../check/option-checks.js';
import type { EnsembleField } from '../core/field.js';
import { alignEnsembles, type NamedEnsemble } from '../ensemble/align-ensembles.js';
import { assertSameDays } from '../ensemble/assert-consistent.js';
import { commonMetadata } from '../ensemble/common-metadata.js';
import { DataError, OptionError } from '../errors.js';
import { formatDate } from '../period/day.js';
import { locationRows, wideTable } from '../table/build/wide-table.js';
import { assertRealDates } from '../table/columns/day-column.js';
import { readEnsemble } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import { defineVariable } from '../variable/define-variable.js';
import { DERIVED_INPUTS, type DerivedVariable, derivedInputs } from '../variable/derived-inputs.js';
import { findVariable } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import { type DeriveOptions, deriveSeries } from './derive-series.js';
import type { DaySpan } from './series-formulas.js';

/**
 * Computes a variable from others, per member and day: FAO-56 reference evapotranspiration (mm), dew point (degC),
 * vapour pressure deficit (kPa).
 *
 * `inputs` has a table for each of the variables that `DERIVED_INPUTS` lists, by slug, in any form that `statistics`
 * reads; other entries are ignored, except that humidity is read from `dew_point` where it is there, else from
 * `relative_humidity_min` and `relative_humidity_max`, else `relative_humidity` at `temp_mean`, if there is one. All
 * have the same locations and as many members, which are paired by name, or by place where they have no name in common.
 * The result has the days that all inputs cover, in the canonical wide form: a
 * row for each location and day, a column for each member, Float32 where all inputs are, else Float64, computed in
 * Float64. Its metadata are the variable, its units, `member_names` where members are paired by name, and all that is
 * the same in the inputs' metadata; `clamped` counts, as JSON by slug, values beyond limits, which count as these:
 * humidity 0 to 100 %, wind and radiation at least 0.
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
  assertSameDays(named);
  const parts = alignEnsembles(named);
  const [places] = parts;
  const { latitude, longitude } = places;
  const { fields, names } = pairedMembers(
    named,
    parts.map(({ field }) => field),
  );
  const span = sharedDays(named, fields);
  const bySlug = Object.fromEntries(named.map(({ source }, i) => [source, fields[i]]));
  const clamped = new Map<string, number>();
  const members = deriveSeries(slug, bySlug, { latitude, longitude, ...span }, options, clamped);
  const metadata = resultMetadata(slug, named, names);
  if (clamped.size > 0) metadata.set('clamped', JSON.stringify(Object.fromEntries(clamped)));
  return wideTable({ ...locationRows(places, span), members }, metadata);
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
  return derivedInputs(slug, (input) => inputs?.[input] !== undefined).map((source) => {
    const table = inputs?.[source];
    if (table === undefined) throw missingInputError(slug, source, inputs);
    const ensemble = readEnsemble(table, { variable: inputVariable(source), source, places: readPlaces });
    assertRealDates(ensemble.metadata, `deriving ${slug}`, source);
    return { source, ensemble };
  });
}

function inputVariable(slug: string): Variable {
  if (!/^relative_humidity_m/.test(slug)) return findVariable(slug);
  return defineVariable({ ...findVariable('relative_humidity'), slug, fileNames: [] });
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

/** Fields with the same members in the same order. */
interface PairedMembers {
  readonly fields: readonly EnsembleField[];
  /** The members' names; undefined where the inputs' names differ. */
  readonly names: readonly string[] | undefined;
}

/**
 * Pairs the members of several variables: by name where all inputs have the same names, in any order; by place where
 * they share none, such as columns `tmin_01` and `tmax_01`. Names come from the metadata's `member_names`, or of the
 * columns. Throws DataError for an input that has more or fewer members than the first one, or only some of the same
 * names.
 */
function pairedMembers(inputs: readonly NamedEnsemble[], fields: readonly EnsembleField[]): PairedMembers {
  const names = fields.map((field, i) => memberNames(inputs[i], field));
  const orders = names.map((own, i) => memberOrder(names[0], own, inputs[0].source, inputs[i].source));
  return {
    fields: fields.map((field, i) => reordered(field, orders[i])),
    names: orders.includes(undefined) ? undefined : names[0],
  };
}

function memberNames({ ensemble }: NamedEnsemble, { members }: EnsembleField): string[] {
  const columns = members.map(({ name }) => name);
  try {
    const stated = JSON.parse(ensemble.metadata.get('member_names') ?? '[]');
    return Array.isArray(stated) && stated.length === members.length ? stated.map(String) : columns;
  } catch {
    return columns;
  }
}

/** The place among `own` of each of the first input's members; undefined where they have no name in common. */
function memberOrder(
  first: readonly string[],
  own: readonly string[],
  firstSource: string,
  source: string,
): number[] | undefined {
  if (own.length !== first.length) {
    throw new DataError({
      source,
      problem: `not as many members as ${firstSource}`,
      received: own.length,
      allowed: String(first.length),
    });
  }
  const order = first.map((name) => own.indexOf(name));
  if (!order.includes(-1)) return order;
  if (order.every((place) => place === -1)) return undefined;
  throw new DataError({
    source,
    problem: `a member of ${firstSource} is missing`,
    received: own.join(', '),
    allowed: `the same names as in ${firstSource}, or none of them: ${first.join(', ')}`,
  });
}

function reordered(field: EnsembleField, order: readonly number[] | undefined): EnsembleField {
  if (order === undefined || order.every((place, m) => place === m)) return field;
  const { members, place } = field;
  return {
    ...field,
    members: order.map((m) => members[m]),
    ...(place && { place: (m, row) => place(order[m], row) }),
  };
}
