import { blendFields, planBlend, timelineDays } from '../../blend/blend-fields.js';
import { assertSlugs, usualPairing } from '../../blend/blend-variables.js';
import { PAIR_BY } from '../../blend/join-options.js';
import type { Pairing } from '../../blend/pairing/pairing.js';
import { planTimeline, type TimelinePlan } from '../../blend/plan-timeline.js';
import { assertShape } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import { type Core, loadCore } from '../../core/load.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { OptionError } from '../../errors.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { VariableSlug } from '../../variable/slug.js';
import { type Axis, assertDataset, coarsestPrecision, type Dataset } from '../source/dataset.js';
import { type BlockSample, spreadCells } from '../store/block-sample.js';
import { type PlacedHorizon, placeBlender } from './blend-places.js';
import { fillMissingHorizons, horizonRanges, seamOptions } from './horizon-seams.js';
import { fieldOf, READS_AT_ONCE, readHorizon } from './read-horizon.js';
import { SampledPairings } from './sampled-pairings.js';

export interface BlendedDatasetOptions {
  /**
   * The variables by which members are paired: all horizons have them. Default: `temp_mean` and `precipitation`, where
   * all horizons have them, or else the first variable that all have.
   */
  readonly pairBy?: VariableSlug | readonly VariableSlug[];
}

/** About so many values of a horizon are blended at a time. */
const BLOCK_VALUES = 1_048_576;

/**
 * A timeline blended from horizons, place by place when it is read: for sources that have horizons but no timeline.
 * Members are trajectories, paired as fields by a sample of places, which are read first. The places are those of the
 * shortest horizon; other horizons are read at their nearest places. Throws OptionError where there is no horizon, or one
 * does not have the variables to pair by, and DataError where horizons do not follow each other.
 */
export function blendedDataset(
  core: Core,
  horizons: Readonly<Partial<Record<HorizonName, Dataset>>>,
  options: BlendedDatasetOptions = {},
): Dataset {
  assertCore(core);
  assertShape('horizons', horizons, {});
  assertShape('options', options, {});
  if (options.pairBy !== undefined) assertSlugs(options.pairBy);
  const names = HORIZONS.filter((name) => horizons[name] !== undefined);
  const datasets = names.map((name) => horizons[name] as Dataset);
  for (const [h, dataset] of datasets.entries()) assertDataset(`horizons.${names[h]}`, dataset);
  const slugs = pairingVariables(options.pairBy, names, datasets);
  const pairings = new SampledPairings(core, names, datasets, slugs);
  return timelineDataset(core, { names, datasets, slugs }, (cell) => pairings.at(cell));
}

/** Horizons, from the shortest, and the variables by which their members are paired. */
interface PairedDatasets {
  readonly names: readonly HorizonName[];
  readonly datasets: readonly Dataset[];
  readonly slugs: readonly string[];
}

/** The timeline of horizons, and how their members are paired at all places. */
export interface PairedTimeline {
  readonly pairing: Pairing;
  /** The places of the shortest horizon. */
  readonly places: Places;
  readonly variables: ReadonlyMap<string, Axis>;
  /** The horizon that a variable's timeline is, day by day and member by member; undefined where it is made of several. */
  horizonOf(slug: string): HorizonName | undefined;
  /** The values of a variable, some places at a time, valid until the next. Throws, and rejects, as `blendedDataset` does. */
  blocks(slug: string): AsyncGenerator<Float32Array>;
  /** Up to so many cells, spread over all, with their values, likewise. */
  sample(slug: string, count: number): Promise<BlockSample>;
}

/**
 * Blends horizons, from the shortest, some places at a time, with one pairing for all variables: one that is known already,
 * or made from a sample of their places. Throws, and rejects, as `blendedDataset` does.
 */
export async function pairedTimeline(
  horizons: ReadonlyMap<HorizonName, Dataset>,
  pairBy: BlendedDatasetOptions['pairBy'],
  known?: Pairing,
): Promise<PairedTimeline> {
  const names = [...horizons.keys()];
  const datasets = [...horizons.values()];
  const slugs = known?.pairBy ?? pairingVariables(pairBy, names, datasets);
  const core = await loadCore();
  const pairing = known ?? (await new SampledPairings(core, names, datasets, slugs).everywhere());
  const { places } = datasets[0];
  const variables = axesOfPlan(datasets, pairing, pairing.members);
  const usedBy = (slug: string) => datasets.slice(0, datasets.findLastIndex((each) => each.variables.has(slug)) + 1);
  const owns = datasets.map((dataset) => cellsOf(dataset, datasets[0]));
  const blender = (slug: string) => {
    const used = usedBy(slug);
    const { days } = variables.get(slug) as Axis;
    const join = placeBlender(pairing, days);
    const width = pairing.members * days;
    const buffers: Float32Array<ArrayBuffer>[] = [];
    // New memory for each block takes as long as to join it.
    let joined = new Float32Array(0);
    return async (cells: Int32Array) => {
      const read: (PlacedHorizon | undefined)[] = [];
      for (const [h, dataset] of used.entries()) {
        const axis = dataset.variables.get(slug);
        const length = cells.length * valuesOfPlace(axis);
        if (buffers[h] === undefined || buffers[h].length < length) buffers[h] = new Float32Array(length);
        const values = buffers[h].subarray(0, length);
        if (axis !== undefined) await readPlaces(dataset, axis, slug, owns[h], cells, values);
        read.push(axis && { axis, values });
      }
      const some = placesAt(places, cells);
      assertBlendable(core, read, pairing, some, names);
      const length = cells.length * width;
      if (joined.length < length) joined = new Float32Array(length);
      const values = joined.subarray(0, length);
      join(read, some, values);
      return values;
    };
  };
  async function* blocks(slug: string) {
    const blend = blender(slug);
    const width = Math.max(...usedBy(slug).map(({ variables: own }) => valuesOfPlace(own.get(slug))));
    const most = Math.max(1, Math.floor(BLOCK_VALUES / width));
    const count = places.latitude.length;
    for (let from = 0; from < count; from += most) {
      yield await blend(Int32Array.from({ length: Math.min(count - from, most) }, (_, c) => from + c));
    }
  }
  const sample = async (slug: string, count: number) => {
    const cells = spreadCells(places.latitude.length, count);
    return { cells, values: await blender(slug)(cells) };
  };
  const horizonOf = (slug: string) => {
    const used = usedBy(slug);
    const [axis, own] = [variables.get(slug), used[0].variables.get(slug)];
    const isWhole = own?.firstDay === axis?.firstDay && own?.days === axis?.days && own?.members === axis?.members;
    return used.length === 1 && isWhole ? names[0] : undefined;
  };
  return { pairing, places, variables, horizonOf, blocks, sample };
}

/** The cell of a dataset at each cell of the first one; below 0 where it has none. */
function cellsOf({ places }: Dataset, first: Dataset): Int32Array | undefined {
  const { latitude, longitude } = first.places;
  const isSame = (own: Float64Array, other: Float64Array) =>
    own.length === other.length && own.every((degrees, cell) => degrees === other[cell]);
  if (isSame(places.latitude, latitude) && isSame(places.longitude, longitude)) return undefined;
  return Int32Array.from(latitude, (degrees, cell) => {
    return places.covering({ latitude: degrees, longitude: longitude[cell] }) ?? -1;
  });
}

function placesAt({ latitude, longitude }: Places, cells: Int32Array): Places {
  return {
    latitude: Float64Array.from(cells, (cell) => latitude[cell]),
    longitude: Float64Array.from(cells, (cell) => longitude[cell]),
  };
}

/** Throws what `blendFields` throws for horizons that are not as those that were paired, by their first place. */
function assertBlendable(
  core: Core,
  read: readonly (PlacedHorizon | undefined)[],
  pairing: Pairing,
  { latitude, longitude }: Places,
  names: readonly HorizonName[],
): void {
  const fields = read.map((horizon, h) => {
    if (horizon === undefined) return undefined;
    const { axis, values } = horizon;
    return { name: names[h], field: fieldOf(axis, values.subarray(0, valuesOfPlace(axis))) };
  });
  const place = { latitude: latitude.subarray(0, 1), longitude: longitude.subarray(0, 1) };
  planBlend(core, fillMissingHorizons(fields, pairing), pairing, place);
}

/** Fills `into` with a variable of a dataset at some cells of the first one, by what these are in it. */
async function readPlaces(
  dataset: Dataset,
  { days, members }: Axis,
  slug: string,
  owns: Int32Array | undefined,
  cells: Int32Array,
  into: Float32Array<ArrayBuffer>,
): Promise<void> {
  const width = days * members;
  let reading: unknown[] = [];
  for (let c = 0; c < cells.length; c++) {
    const own = owns === undefined ? cells[c] : owns[cells[c]];
    const values = into.subarray(c * width, (c + 1) * width);
    if (own < 0) values.fill(Number.NaN);
    else {
      const later = dataset.read(slug, own, values);
      if (later !== undefined) reading.push(later);
    }
    if (reading.length < READS_AT_ONCE) continue;
    await Promise.all(reading);
    reading = [];
  }
  await Promise.all(reading);
}

function valuesOfPlace(axis: Axis | undefined): number {
  return axis === undefined ? 1 : axis.days * axis.members;
}

function timelineDataset(
  core: Core,
  { names, datasets, slugs }: PairedDatasets,
  pairingAt: (cell: number) => Promise<Pairing>,
): Dataset {
  const [first] = datasets;
  const variables = blendedAxes(names, datasets, slugs);
  return {
    revision: datasets.map(({ revision }) => revision).join('+'),
    places: first.places,
    variables,
    async read(slug, cell, into) {
      const last = datasets.findLastIndex((dataset) => dataset.variables.has(slug));
      const reading = datasets
        .slice(0, last + 1)
        .map((dataset, h) => readHorizon(dataset, names[h], slug, first, cell));
      const [pairing, fields] = await Promise.all([pairingAt(cell), Promise.all(reading)]);
      const { latitude, longitude } = first.places;
      const place = { latitude: latitude.slice(cell, cell + 1), longitude: longitude.slice(cell, cell + 1) };
      const { field } = blendFields(core, fillMissingHorizons(fields, pairing), pairing, place);
      const { days } = variables.get(slug) as Axis;
      field.members.forEach((member, m) => {
        member.copyTo(into, m * days, 0, days);
      });
    },
  };
}

/** The days of each variable's timeline, the trajectories, and the horizons that the days come from. */
function blendedAxes(
  names: readonly HorizonName[],
  datasets: readonly Dataset[],
  pairBy: readonly string[],
): Map<string, Axis> {
  const leading = datasets.map(({ variables }) => variables.get(pairBy[0])) as Axis[];
  const spans = leading.map(({ firstDay, days }, h) => ({ name: names[h], firstDay, lastDay: firstDay + days - 1 }));
  return axesOfPlan(datasets, planTimeline(spans, seamOptions(names, pairBy)), leading[0].members);
}

function axesOfPlan(datasets: readonly Dataset[], plan: TimelinePlan, members: number): Map<string, Axis> {
  const slugs = new Set(datasets.flatMap(({ variables }) => [...variables.keys()]));
  return new Map(
    [...slugs].map((slug) => {
      const known = datasets.map(({ variables }) => variables.get(slug));
      const days = timelineDays(known, plan);
      const precision = coarsestPrecision(known);
      return [slug, { firstDay: plan.firstDay, days, members, horizons: horizonRanges(known, plan, days), precision }];
    }),
  );
}

function pairingVariables(
  pairBy: BlendedDatasetOptions['pairBy'],
  names: readonly HorizonName[],
  datasets: readonly Dataset[],
): readonly string[] {
  if (datasets.length === 0) {
    throw new OptionError({
      subject: 'horizons',
      problem: 'is empty',
      allowed: `a dataset for any of ${HORIZONS.join(', ')}`,
    });
  }
  const isEverywhere = (slug: string) => datasets.every(({ variables }) => variables.has(slug));
  const usual = usualPairing([...datasets[0].variables.keys()].filter(isEverywhere));
  const slugs = pairBy === undefined && usual.length > 0 ? usual : [pairBy ?? PAIR_BY[0]].flat();
  for (const slug of slugs) {
    const missing = names.filter((_, h) => !datasets[h].variables.has(slug));
    if (missing.length === 0) continue;
    const shared = [...datasets[0].variables.keys()].filter(isEverywhere);
    throw new OptionError({
      subject: 'pairBy',
      problem: `is not a variable of ${missing.join(', ')}`,
      received: slug,
      allowed: `a variable that all horizons have: ${shared.join(', ') || 'there is none'}`,
    });
  }
  return slugs;
}
