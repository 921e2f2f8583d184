import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import { type EnsembleArray, OpenArray } from '../ensemble/ensemble-array.js';
import { OptionError, unusable } from '../errors.js';
import { formatDate } from '../period/day.js';
import {
  arrayRule,
  type HasArrayStatistics,
  OWN_ARRAY_STATISTICS,
  resultsOfArray,
} from '../statistics/array-statistics.js';
import { assertDates, checkArrayOptions, requestedWindows } from '../statistics/options.js';
import { HORIZONS } from '../variable/availability.js';
import { blendInto, completePairing, planBlend } from './blend-fields.js';
import { blendedColumns, timelineShape } from './compute-blended-statistics.js';
import type { Horizon } from './horizon.js';
import { type ArrayBlendOptions, checkArrayBlendOptions } from './join-options.js';
import { horizonShares, type Pairing } from './pairing/pairing.js';

/** The arrays of consecutive horizons as one daily timeline for each member. Members are paired when it is first used. */
export interface ArrayTimeline<Values extends FloatArray = FloatArray> extends HasArrayStatistics<Values> {
  /**
   * The timeline: `member`, the places of the first array, and `time`. It is made when it is first asked for; `statistics`
   * takes the timeline as it is, and need not make it.
   */
  readonly array: EnsembleArray<Values>;
  /** How members were joined: an option for the other variables of the same forecasts. */
  readonly pairing: Pairing;
  /** By horizon and day, from the timeline's first: the share of members that come from that horizon. */
  readonly shares: readonly Float64Array[];
}

/**
 * Joins the arrays of consecutive horizons, from the shortest to the longest, to one daily timeline for each member, as
 * `blend` of tables does, and to the same bit.
 *
 * All have the same variable, type of float and places: dimensions of the same names and sizes, in any order. Throws
 * OptionError for arrays and options that cannot be used, and DataError where horizons neither overlap nor touch, add no
 * day, or have fewer than two members.
 */
export function blendArrays<Values extends FloatArray>(
  core: Core,
  arrays: readonly EnsembleArray<Values>[],
  options: ArrayBlendOptions = {},
): ArrayTimeline<Values> {
  assertCore(core);
  if (!Array.isArray(arrays)) throw unusable('arrays', arrays, 'a list, from the shortest horizon on');
  const checked = checkArrayBlendOptions(options, arrays.length);
  const open = arrays.map((array) => new OpenArray(core, array));
  const [first] = open;
  const usual = arrays.length === HORIZONS.length ? HORIZONS : open.map((_, h) => `horizon ${h + 1}`);
  const names = checked.names ?? checked.pairing?.horizons.map(({ name }) => name) ?? usual;
  const sources = checked.sources ?? names;
  assertConsistent(
    open.map(({ variable, units }, h) => ({ source: sources[h], ensemble: { variable, units, metadata } })),
  );
  const variable = open.find((array) => array.variable !== undefined)?.variable;
  const units = open.find((array) => array.units !== undefined)?.units;
  const places = first.places.map(({ name }) => name);
  const horizons = open.map((array, h): Horizon => {
    assertPlaces(array, first, sources[h]);
    const { place, ...field } = array.series(places);
    const placed = {
      ...field,
      place: (m: number, row: number) => ({ source: `${sources[h]}, ${place?.(m, row).source}` }),
    };
    return { name: names[h], source: sources[h], field: placed };
  });
  const how = { ...checked, pairBy: variable && [variable.slug] };
  let plan = planBlend(core, horizons, checked.pairing ?? how, checked.places);
  /** Members are paired on the way by what first needs it. */
  const paired = <Result>(result: Result): Result => {
    plan = { ...plan, isOpen: false };
    return result;
  };
  const shape = timelineShape(plan);
  const dims = [...places, 'time'];
  const shapeOf = (times: number) => [...first.places.map(({ size }) => size), times];
  let array: EnsembleArray<Values> | undefined;
  return {
    get pairing() {
      return paired(completePairing(core, plan));
    },
    get shares() {
      return horizonShares(this.pairing, horizons.length).map((share) => share.subarray(0, plan.days));
    },
    get array() {
      if (array !== undefined) return array;
      const { members } = first;
      const length = shape.cells * plan.days;
      const data = floatArray(shape.type, members.length * length);
      const values = members.map((_, m) => data.subarray(m * length, (m + 1) * length));
      paired(blendInto(core, plan, values));
      array = {
        ...{ data: data as Values, shape: [members.length, ...shapeOf(plan.days)], dims: ['member', ...dims] },
        ...{ start: formatDate(shape.firstDay), variable, units, members },
      };
      return array;
    },
    [OWN_ARRAY_STATISTICS](its, requested) {
      const statistics = checkArrayOptions(requested);
      assertDates(statistics);
      const windows = requestedWindows(shape, statistics, undefined);
      const request = { ...statistics, window: arrayRule({ variable }, statistics) };
      const columns = paired(blendedColumns(its, plan, windows, request));
      return resultsOfArray({ dims, shape: shapeOf, units }, windows, request, columns);
    },
  };
}

const metadata: ReadonlyMap<string, string> = /* @__PURE__ */ new Map();

/** Throws OptionError for an array of a model's calendar, or of other places than the first one. */
function assertPlaces({ calendar, places }: OpenArray, first: OpenArray, source: string): void {
  if (calendar !== undefined)
    throw unusable(`array of ${source}, calendar`, calendar, 'the real one: blending needs real dates');
  const isThere = (one: (typeof places)[number]) =>
    places.some(({ name, size }) => name === one.name && size === one.size);
  if (places.length === first.places.length && first.places.every(isThere)) return;
  const text = (list: typeof places) => list.map(({ name, size }) => `${name} ${size}`).join(', ') || 'a single place';
  throw new OptionError({
    subject: `array of ${source}`,
    problem: 'has other places than the first',
    received: text(places),
    allowed: text(first.places),
  });
}
