import { assertKnownKeys, assertOneOf, type Choice } from '../../../check/option-checks.js';
import type { Core } from '../../../core/load.js';
import { cellsOfGrid } from '../../../ensemble/grid.js';
import { AREA_SHARE } from '../../../ensemble/place-labels.js';
import { OptionError, unusable } from '../../../errors.js';
import { defineVariable } from '../../../variable/define-variable.js';
import { placeList, withNumbers } from '../../places/place-list.js';
import type { RegionPlaces } from '../../regions/region.js';
import type { GridEnsemble } from '../grid-ensemble.js';
import { OrderedRuns } from './ordered-runs.js';
import type { Weighing } from './place-values.js';
import type { RegionWeights } from './region-weights.js';
import { sharesOfDay, weightedEnsemble } from './weighted-ensemble.js';

/** What becomes of the values of the cells of a region. */
const REGION_STATISTICS = ['mean', 'min', 'max'] as const;

/** The share of a region that must have data where nothing else is said. */
const MIN_AREA_SHARE = 0.5;

/** Whether a value fulfils a condition, and its text for people. */
export interface ValueCondition {
  readonly text: string;
  readonly holds: (value: number) => boolean;
}

/** Options of `overRegions`. */
export interface OverRegionsOptions {
  /** The mean weighted by area, or the smallest or the largest value of cells. Default: `mean`. */
  readonly statistic?: Choice<(typeof REGION_STATISTICS)[number]>;
  /** In place of a statistic: the share of the area whose values fulfil a condition. */
  readonly condition?: ValueCondition;
  /** The least share of a region that must have data, from 0 to 1; else its value is missing. Default 0.5. */
  readonly minAreaShare?: number;
}

const NAMES: readonly (keyof OverRegionsOptions)[] = ['statistic', 'condition', 'minAreaShare'];
/** A share that is smaller by rounding alone is enough. */
const ROUNDING = 1e-9;
const DECIMALS = 1e6;

/**
 * The ensemble of regions of a grid: each member and day has one value for each region, and all are read in one pass
 * over the file. Results have the share of each region that has data on the first day (`area_share`), and what was done
 * in their metadata. Reads that day. Throws OptionError, and DataError as reading does.
 */
export async function overRegions(
  ensemble: GridEnsemble,
  regions: RegionPlaces,
  { weights, whole, covered }: RegionWeights,
  core: Core,
  options: OverRegionsOptions = {},
): Promise<GridEnsemble> {
  assertKnownKeys(options, NAMES);
  const { condition, minAreaShare = MIN_AREA_SHARE } = options;
  const statistic = (options.statistic ?? 'mean') as (typeof REGION_STATISTICS)[number];
  assertOneOf('regionStatistic', statistic, REGION_STATISTICS);
  if (!(minAreaShare >= 0 && minAreaShare <= 1)) throw unusable('minAreaShare', minAreaShare, 'a share from 0 to 1');
  if (condition !== undefined && options.statistic !== undefined) {
    const problem = 'cannot be given together with a condition, whose share of the area is the value';
    throw new OptionError({ subject: 'regionStatistic', problem, received: statistic, allowed: 'one of the two' });
  }
  if (weights.cells !== cellsOfGrid(ensemble.grid)) {
    throw unusable('weights', weights, `weights of ${cellsOfGrid(ensemble.grid)} cells`);
  }
  const runs = new OrderedRuns(weights);
  const weighing: Weighing = { runs, whole, minShare: minAreaShare, statistic: condition?.holds ?? statistic };
  const shares = await sharesOfData(ensemble, { ...weighing, statistic: 'mean' }, covered, core);
  const { names, latitude, longitude } = regions;
  const given = names.map((region, i) => ({ region, latitude: latitude[i], longitude: longitude[i] }));
  const places = placeList(given, { source: regions.source, columns: { id: 'region' } });
  const count = names.length;
  const of = condition === undefined ? statisticText(statistic) : `share of the area with ${condition.text}`;
  const how = `${count} ${count === 1 ? 'region' : 'regions'}: ${of}, where at least ${minAreaShare} of it has data`;
  const labels = withNumbers(
    places.labels,
    { [AREA_SHARE]: shares.map((share) => Math.round(Math.min(1, share) * DECIMALS) / DECIMALS) },
    count,
  );
  return weightedEnsemble(ensemble, weighing, {
    ...(condition !== undefined && shareVariable(ensemble, condition)),
    grid: { kind: 'places', latitude, longitude, labels, shape: [count] },
    conversions: [...ensemble.conversions, ...regions.notes, how],
    warnings: [...ensemble.warnings, ...shareWarnings(names, shares, covered, minAreaShare)],
    metadata: new Map([...ensemble.metadata, ['regions', how]]),
  });
}

function statisticText(statistic: (typeof REGION_STATISTICS)[number]): string {
  if (statistic === 'mean') return 'mean weighted by area';
  return `${statistic === 'min' ? 'smallest' : 'largest'} value of their cells`;
}

/** The variable of shares of an area. */
function shareVariable(
  { variable, array }: GridEnsemble,
  { text }: ValueCondition,
): Pick<GridEnsemble, 'variable' | 'units'> {
  const name = (variable?.slug ?? array.toLowerCase().replace(/[^a-z0-9]+/g, '_')).replace(/^[^a-z]+|_+$/g, '');
  const slug = `${name || 'value'}_area_share`;
  return {
    variable: defineVariable({ slug, units: '1', label: `share of the area ${text}`, window: 'mean', bounds: [0, 1] }),
    units: '1',
  };
}

/** The share of each region that has data, on the first day that has any, of the first, the middle and the last. */
async function sharesOfData(
  ensemble: GridEnsemble,
  weighing: Weighing,
  covered: Float64Array,
  core: Core,
): Promise<Float64Array> {
  const last = ensemble.days - 1;
  for (const day of new Set([0, last >> 1, last])) {
    const shares = await sharesOfDay(ensemble, weighing, day, core);
    if (shares.some((share) => share > 0)) return shares;
  }
  return covered;
}

/** Warnings about regions that have too little data, of which those that meet no cell are said apart. */
function shareWarnings(
  names: readonly string[],
  shares: Float64Array,
  covered: Float64Array,
  minAreaShare: number,
): string[] {
  const beside = names.filter((_, i) => covered[i] === 0);
  const few = names.filter((_, i) => covered[i] > 0 && shares[i] < minAreaShare - ROUNDING);
  const listed = (some: readonly string[]) =>
    some.slice(0, 10).join('; ') + (some.length > 10 ? ` and ${some.length - 10} more` : '');
  const regions = (some: readonly string[], one: string, several: string) =>
    some.length === 1 ? `1 region ${one}` : `${some.length} regions ${several}`;
  return [
    ...(beside.length === 0
      ? []
      : [`${regions(beside, 'meets no cell and has', 'meet no cell and have')} no values: ${listed(beside)}`]),
    ...(few.length === 0
      ? []
      : [
          `${regions(few, 'has', 'have')} no values, with data on less than ${minAreaShare} of the area: ${listed(few)}`,
        ]),
  ];
}
