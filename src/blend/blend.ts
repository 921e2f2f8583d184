import type { Table } from 'apache-arrow';
import { isPlainObject } from '../check/option-checks.js';
import { assertCore } from '../core/assert-core.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { Places } from '../ensemble/nearest-place.js';
import { OptionError, unusable } from '../errors.js';
import { checkStatisticsOptions, type StatisticsOptions } from '../statistics/options.js';
import { type HasStatistics, OWN_STATISTICS } from '../statistics/own-statistics.js';
import { statistics } from '../statistics/statistics.js';
import { StatisticsPlan } from '../statistics/statistics-plan.js';
import { windowedParts } from '../statistics/windowed-part.js';
import { locationRows, wideTable } from '../table/build/wide-table.js';
import { OPENED, type Opened, type RowOptions, requestedEnsemble } from '../table/rows/read-ensemble.js';
import { blendedField, completePairing, pairFields, planBlend } from './blend-fields.js';
import { blendedColumns, timelineShape } from './compute-blended-statistics.js';
import { type Horizon, horizonHead, sourceOf } from './horizon.js';
import { type BlendOptions, type CheckedBlendOptions, checkBlendOptions } from './options.js';
import type { PairFieldsOptions } from './pairing/pair-fields.js';
import { horizonShares, type Pairing } from './pairing/pairing.js';
import { type ReadHorizons, readHorizons } from './read-horizons.js';
import { timelineMetadata } from './timeline-metadata.js';

/**
 * One variable's horizons as one daily timeline for each member. Its members are paired; its values are made when `field`
 * or `table` is first asked for. `statistics` takes it as it is, and need not make them; what takes an open ensemble, such as
 * `memberWindows` and `conditionShares`, takes it, too.
 */
export interface Timeline extends HasStatistics, Opened {
  /** The canonical wide form: a row for each location and day, a column for each member. */
  readonly table: Table;
  /** How members were joined: an option for the other variables of the same forecasts. */
  readonly pairing: Pairing;
  /** By horizon and day, from the timeline's first: the share of members that come from that horizon. */
  readonly shares: readonly Float64Array[];
  /** The horizons and the timeline as fields: for `seamReport`. */
  readonly horizons: readonly Horizon[];
  readonly field: EnsembleField;
  /** The coordinates of its locations. */
  readonly places: Places;
  /** Notes for people, by source: which columns of numbers were ignored, and which members have no column. */
  readonly notes: readonly { readonly source: string; readonly text: string }[];
}

/**
 * Joins the ensembles of consecutive horizons, from the shortest to the longest, to one daily timeline for each member.
 *
 * All tables have the same variable and the same locations, in any form that `statistics` reads. The timeline begins
 * with the first horizon and has its members. At each seam, each of them continues as one member of the next horizon, at
 * all locations, or in each region of a field of more than 1,900 km: so that their fields are alike on the last days
 * that both have, and weeks across the seam vary as those inside. Of a larger ensemble members are chosen by systematic
 * sampling; of a smaller one they are repeated. Members switch one after the other, in an order that is drawn for the
 * run, so that on each day of the overlap the ensemble is the linearly weighted mixture of both. Values of two models
 * are never averaged. Horizons that only touch are paired by their adjoining days, and all members switch at once.
 *
 * Missing days stay missing: a member that ends early is a member with missing days. Throws OptionError for options,
 * and DataError where horizons differ in variable, units, calendar or locations, neither overlap nor touch, add no day,
 * or have fewer than two members.
 *
 * @example
 * ```js
 * import { blend, loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const core = await loadCore();
 * const horizons = [demoTable('temp_mean', { days: 15 }), demoTable('temp_mean', { days: 42, seed: 2 })];
 * const timeline = blend(core, horizons); // the shortest first
 * console.log(statistics(core, timeline, { granularity: 'weekly' }).numRows, 'weeks');
 * ```
 *
 * ```text
 * 6 weeks
 * ```
 */
export function blend(core: Core, tables: readonly (Table | Opened)[], options: BlendOptions = {}): Timeline {
  assertCore(core);
  const checked = checkBlendOptions(options, countOfTables(tables));
  return tablesTimeline(core, readHorizons(tables, checked), checked, options);
}

/**
 * Pairs the members of consecutive horizons by one variable, as `blend` does, without joining them: for timelines of
 * the other variables of the same forecasts. Throws as `blend` does.
 */
export function pairMembers(
  core: Core,
  tables: readonly (Table | Opened)[],
  options: Omit<BlendOptions, 'pairing'> = {},
): Pairing {
  assertCore(core);
  const checked = checkBlendOptions(options, countOfTables(tables));
  const read = readHorizons(tables, checked);
  return pairFields(core, read.horizons, pairOptions(read, checked));
}

function countOfTables(tables: readonly (Table | Opened)[]): number {
  if (Array.isArray(tables)) return tables.length;
  throw unusable('horizons', tables, 'a list of tables, from the shortest on');
}

/** How to pair the members of horizons that were read. */
function pairOptions(read: ReadHorizons, checked: CheckedBlendOptions): PairFieldsOptions {
  const { places, variable } = read;
  const { also = [], method } = checked;
  const others = method === 'field' ? also.map((tables) => readOthers(tables, read, checked)) : [];
  const pairBy = [variable, ...others.map((other) => other.variable)].flatMap((known) => known?.slug ?? []);
  return { ...checked, pairBy, places, also: others.map((other) => other.horizons) };
}

/** Reads the horizons of another variable at the places of the first. */
function readOthers(
  tables: readonly (Table | Opened)[],
  first: ReadHorizons,
  checked: CheckedBlendOptions,
): ReadHorizons {
  const { variables, columns, names, sources } = checked;
  const own = checkBlendOptions({ variables, columns, names, sources }, countOfTables(tables));
  return readHorizons(tables, own, { ...first.places, source: sourceOf(first.horizons[0]) });
}

/** How to read tables is an option of blending. */
const READING = ['variable', 'variables', 'columns', 'calendar'] as const;

/** The timeline of tables. An object, as bundlers keep a class whose methods have computed names even where it is not used. */
function tablesTimeline(
  core: Core,
  read: ReadHorizons,
  checked: CheckedBlendOptions,
  { variable, variables }: BlendOptions,
): Timeline {
  const { horizons, ensembles, places, notes } = read;
  const how = checked.pairing ?? pairOptions(read, checked);
  const beginning = planBlend(core, horizons, how, places);
  const pairing = completePairing(core, beginning);
  const plan = { ...beginning, isOpen: false };
  const shares = horizonShares(pairing, horizons.length).map((share) => share.subarray(0, plan.days));
  const names = horizons[0].field.members.map(({ name }) => name);
  const metadata = timelineMetadata(ensembles, horizons.map(horizonHead), names, pairing, plan.days);
  let field: EnsembleField | undefined;
  let table: Table | undefined;
  return {
    ...{ pairing, shares, horizons, notes, places },
    get field() {
      field ??= blendedField(core, plan);
      return field;
    },
    get table() {
      table ??= timelineTable(this.field, read, metadata);
      return table;
    },
    [OPENED](options) {
      assertNoReading(options);
      return requestedEnsemble(this.table, { ...options, variable: read.variable });
    },
    [OWN_STATISTICS](its, options) {
      if (!isPlainObject(options)) checkStatisticsOptions(options);
      assertNoReading(options);
      const { climatology, exceed, anomaly, bands, ...others } = options;
      const reading = { ...others, variable, variables };
      // At a point only few days are read; a climatology and bands look at the members of each place one by one.
      const isOfTable = [others.point, climatology, exceed, anomaly, bands].some((option) => option !== undefined);
      if (table !== undefined || isOfTable) {
        return statistics(its, this.table, { ...reading, climatology, exceed, anomaly, bands });
      }
      const checkedStatistics = checkStatisticsOptions(reading);
      const parts = [{ field: timelineShape(plan), ...places }];
      const ensemble = { variable: read.variable, units: read.units, metadata, parts };
      const results = new StatisticsPlan(ensemble, checkedStatistics);
      const [part] = windowedParts(ensemble, checkedStatistics);
      return results.table([part], [blendedColumns(its, plan, part.windows, results.request(part))]);
    },
  };
}

function timelineTable(field: EnsembleField, read: ReadHorizons, metadata: Map<string, string>): Table {
  const members = field.members.map((member) => member.chunks[0].values);
  return wideTable({ ...locationRows(read.places, field), members }, metadata);
}

function assertNoReading(options: Pick<StatisticsOptions, (typeof READING)[number]> | RowOptions): void {
  const found = READING.find((name) => options[name] !== undefined);
  if (found === undefined) return;
  throw new OptionError({
    subject: found,
    problem: 'not an option of the statistics of a timeline',
    received: options[found],
    allowed: 'among the options of blending, which say how tables are read',
  });
}
