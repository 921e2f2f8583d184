import type { Table } from 'apache-arrow';
import { assertCore } from '../core/assert-core.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { unusable } from '../errors.js';
import { locationRows, wideTable } from '../table/build/wide-table.js';
import { blendFields, pairFields } from './blend-fields.js';
import { type Horizon, horizonHead } from './horizon.js';
import { type BlendOptions, type CheckedBlendOptions, checkBlendOptions } from './options.js';
import { cellWeights, type PairFieldsOptions } from './pair-fields.js';
import { horizonShares, type Pairing } from './pairing.js';
import { type ReadHorizons, readHorizons } from './read-horizons.js';
import { timelineMetadata } from './timeline-metadata.js';

/** One variable's horizons as one daily timeline for each member. */
export interface Timeline {
  /** The canonical wide form: a row for each location and day, a column for each member. */
  readonly table: Table;
  /** How members were joined: an option for the other variables of the same forecasts. */
  readonly pairing: Pairing;
  /** By horizon and day, from the timeline's first: the share of members that come from that horizon. */
  readonly shares: readonly Float64Array[];
  /** The horizons and the timeline as fields: for `seamReport`. */
  readonly horizons: readonly Horizon[];
  readonly field: EnsembleField;
  /** Notes for people, by source: which columns of numbers were ignored, and which members have no column. */
  readonly notes: readonly { readonly source: string; readonly text: string }[];
}

/**
 * Joins the ensembles of consecutive horizons, from the shortest to the longest, to one daily timeline for each member.
 *
 * All tables have the same variable and the same locations, in any form that `statistics` reads. The timeline begins
 * with the first horizon and has its members. At each seam, each of them continues as one member of the next horizon:
 * that of equal rank by the mean over the last days that both have (ties by index, at later seams by the rank before;
 * members with a missing day last). A larger ensemble is thinned to evenly spaced ranks; of a smaller one, evenly
 * spaced ranks are repeated. Members switch one after the other, spread evenly over ranks, so that on each day of the
 * overlap the ensemble is the linearly weighted mixture of both. Values of two models are never averaged. Horizons that
 * only touch are paired by their adjoining days, and all members switch at once.
 *
 * Missing days stay missing: a member that ends early is a member with missing days. Throws OptionError for options,
 * and DataError where horizons differ in variable, units, calendar or locations, neither overlap nor touch, add no day,
 * or have fewer than two members.
 */
export function blend(core: Core, tables: readonly Table[], options: BlendOptions = {}): Timeline {
  assertCore(core);
  const checked = checkBlendOptions(options, countOfTables(tables));
  const read = readHorizons(tables, checked);
  const { horizons } = read;
  const { field, pairing } = blendFields(core, horizons, checked.pairing ?? pairOptions(read, checked));
  const shares = horizonShares(pairing, horizons.length).map((share) => share.subarray(0, field.days));
  const table = timelineTable(field, read, pairing);
  return { table, pairing, shares, horizons, field, notes: read.notes };
}

/**
 * Pairs the members of consecutive horizons by one variable, as `blend` does, without joining them: for timelines of
 * the other variables of the same forecasts. Throws as `blend` does.
 */
export function pairMembers(
  core: Core,
  tables: readonly Table[],
  options: Omit<BlendOptions, 'pairing'> = {},
): Pairing {
  assertCore(core);
  const checked = checkBlendOptions(options, countOfTables(tables));
  const read = readHorizons(tables, checked);
  return pairFields(core, read.horizons, pairOptions(read, checked));
}

export function countOfTables(tables: readonly Table[]): number {
  if (Array.isArray(tables)) return tables.length;
  throw unusable('horizons', tables, 'a list of tables, from the shortest on');
}

/** How to pair the members of horizons that were read. */
export function pairOptions(read: ReadHorizons, checked: CheckedBlendOptions): PairFieldsOptions {
  const { latitude, longitude } = read;
  // A pairing of a whole field, or by index, is the same at every place: also at places that are not in the field.
  const places = checked.fieldWide || checked.method === 'splice' ? undefined : { latitude, longitude };
  const weights = checked.fieldWide ? cellWeights(latitude) : undefined;
  return { ...checked, pairBy: read.variable?.slug, places, weights };
}

function timelineTable(field: EnsembleField, read: ReadHorizons, pairing: Pairing): Table {
  const members = field.members.map((member) => member.chunks[0].values);
  const names = read.horizons[0].field.members.map(({ name }) => name);
  const metadata = timelineMetadata(read.ensembles, read.horizons.map(horizonHead), names, pairing, field.days);
  return wideTable({ ...locationRows(read.latitude, read.longitude, field), members }, metadata);
}
