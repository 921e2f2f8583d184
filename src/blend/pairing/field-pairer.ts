import type { Core } from '../../core/load.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import { type Horizon, sourceOf } from '../horizon.js';
import type { SeamDays } from '../plan-timeline.js';
import { leastCostAssignment } from './assignment.js';
import { chooseMembers, drawSwitchSteps, drawsOfRun } from './draws.js';
import { exchangeMembers, type Loyalty } from './exchange-members.js';
import type { Pairing, SeamPairing } from './pairing.js';
import { divideField, membersOfRegions, type PairedRegions, type Regions, standIns } from './regions.js';
import { type HasValues, type SampledCells, sampleByIndex, sampleRegions } from './sampled-cells.js';
import { aimsOfScale, DAYS_AROUND, likeness, planeRow } from './seam-aims.js';
import { type DayRange, meansOfGroups, SampledValues, standardized } from './seam-anomalies.js';

/** A larger field is divided into regions of about this size, as no permutation is good for all of it. */
const REGION_KILOMETRES = 1250;
/** What keeping the partner of the whole field is worth in a region, in squared deviations, if all members do. */
const LOYALTY = 8;
/** A field is sampled on so many parallels and meridians; */
const ACROSS = 5;
/** one that is divided, on more, and each of its regions on fewer. */
const ACROSS_DIVIDED = 6;
const ACROSS_REGION = 4;
/** How much the deviations of single cells count, and of the means of quarters and of the region. */
const IMPORTANCE = { cells: 1, means: 0.5 };

/** The values of a seam's two horizons at sampled cells, of one variable. */
type SeamValues = readonly [earlier: SampledValues, later: SampledValues];

/** The regions of a large field; undefined for one that is paired as a whole. */
export function divideIntoRegions(places: Places): Regions | undefined {
  const regions = divideField(places, REGION_KILOMETRES);
  return regions !== undefined && regions.count > 1 ? regions : undefined;
}

/**
 * Pairs members as fields: one permutation of members for a field, or for each region of a large one, made from a
 * sample of its cells.
 *
 * At each seam: (1) a horizon with more members than trajectories, or fewer, is sampled, whole members at a time;
 * (2) the permutation of least distance between fields over the days that are compared, of all variables together;
 * (3) exchanges of partners until weeks across the seam, and neighbouring days, vary as inside of the horizons, at
 * single cells, in quarters of the region and in its mean; members that are the same on all these days, as of a run
 * that was cut in two, keep each other; (4) members switch in an order that is drawn for the run.
 */
export class FieldPairer {
  /** The cells whose values are needed, ascending. */
  readonly cells: Int32Array;
  readonly #plan: Pairing;
  readonly #whole: SampledCells;
  readonly #regions: Regions | undefined;
  /** By region, where it is paired. */
  readonly #sampled: readonly (SampledCells | undefined)[];
  /** By region: the one whose partners it has. */
  readonly #standIns: Int32Array | undefined;
  /** By variable and horizon. */
  readonly #values: SampledValues[][] = [];

  /**
   * `plan` is a pairing whose tables are not filled; `places` are the places of the `count` cells, where they are known.
   * Cells are sampled among the ones that `hasValues`, all where none has. Of a large field only the regions in `only`
   * are paired, by default all.
   */
  constructor(
    plan: Pairing,
    places: Places | undefined,
    count: number,
    { hasValues = () => true, only }: { readonly hasValues?: HasValues; readonly only?: readonly number[] } = {},
  ) {
    this.#plan = plan;
    const field = places && divideField(places);
    const regions = places && divideIntoRegions(places);
    const across = regions ? ACROSS_DIVIDED : ACROSS;
    const sample = (among: HasValues) =>
      field && places ? sampleRegions(field, places, across, among)[0] : sampleByIndex(count, across ** 2, among);
    const among = sample(hasValues);
    this.#whole = among.cells.length > 0 ? among : sample(() => true);
    this.#regions = among.cells.length > 0 ? regions : undefined;
    const sampled = this.#regions && places ? sampleRegions(this.#regions, places, ACROSS_REGION, hasValues) : [];
    this.#standIns = this.#regions && standIns(this.#regions, (r) => sampled[r].cells.length === 0);
    const needed = only?.map((r) => this.#standIns?.[r]);
    this.#sampled = sampled.map((sample, r) => (needed === undefined || needed.includes(r) ? sample : undefined));
    const all = new Set([this.#whole, ...this.#sampled].flatMap((sample) => [...(sample?.cells ?? [])]));
    this.cells = Int32Array.from(all).sort();
  }

  /** The first day of a plan's horizons on which members are compared; undefined where there is no seam. */
  static comparedDay({ seams }: Pairing): number | undefined {
    return seams[0]?.comparedEarlier;
  }

  /** The days of a horizon whose values are needed. */
  daysOf(h: number): DayRange {
    const { seams } = this.#plan;
    const ranges = [...(h > 0 ? [sidesOf(seams[h - 1])[1]] : []), ...(h < seams.length ? [sidesOf(seams[h])[0]] : [])];
    return { from: Math.min(...ranges.map(({ from }) => from)), to: Math.max(...ranges.map(({ to }) => to)) };
  }

  /**
   * Adds a variable: its horizons, with the indices of `cells` in them. Throws DataError for an infinite value, and
   * where the horizons or their members are not as many as the first variable has.
   */
  add(horizons: readonly Horizon[], cells: Int32Array): void {
    assertHorizons(horizons, this.#plan);
    if (horizons.length === 1) return;
    this.#values.push(horizons.map((horizon, h) => new SampledValues(horizon, cells, this.daysOf(h))));
  }

  /** Returns the pairing, once all variables are added. */
  end(core: Core): Pairing {
    const { members, firstDay, horizons } = this.#plan;
    const paired: PairedRegions['seams'][number][] = [];
    const count = Math.max(1, this.#sampled.length);
    const all: Int32Array = Int32Array.from({ length: members }, (_, t) => t);
    let before = all;
    const switchDays = this.#plan.seams.map((seam, s): Int32Array => {
      const values = this.#values.map((own): SeamValues => [own[s], own[s + 1]]);
      const available = horizons[s + 1].members;
      const chosen =
        available === members
          ? all
          : chooseMembers(
              this.#memberMeans(values[0][1], seam, available),
              members,
              drawsOfRun(firstDay, s, 'members')(),
            );
      const both = [before, chosen] as const;
      const whole = this.#pair(core, values, seam, both, this.#whole);
      const loyalty = { partners: whole, worth: LOYALTY / members };
      const ofRegions = Array.from({ length: count }, (_, r) => {
        const sample = this.#sampled[r];
        return sample?.cells.length ? this.#pair(core, values, seam, both, sample, loyalty) : whole;
      });
      const partners = ofRegions.map((_, r) => ofRegions[this.#standIns?.[r] ?? r]);
      paired.push({ partners: joined(partners), chosen });
      before = chosen;
      const steps = drawSwitchSteps(members, seam.overlapDays, drawsOfRun(firstDay, s, 'days'));
      return steps.map((step) => seam.handOver - firstDay + step);
    });
    const tables = membersOfRegions({ count, seams: paired });
    const seams = this.#plan.seams.map((seam, s): SeamPairing => {
      const switchDay = joined(Array.from({ length: count }, () => switchDays[s]));
      return { ...seam, member: tables[s], switchDay };
    });
    const regions = this.#regions && { ...this.#regions, seams: paired };
    return { ...this.#plan, cells: count, seams, regions };
  }

  /** Each member's mean over the field and the days that are compared; NaN where it has no value. */
  #memberMeans(values: SampledValues, { comparedLater, comparedDays }: SeamDays, members: number): Float64Array {
    const { cells, weights } = this.#whole;
    const indices = this.#indicesOf(cells);
    return Float64Array.from({ length: members }, (_, member) => {
      let [sum, weight] = [0, 0];
      indices.forEach((index, c) => {
        for (let day = comparedLater; day < comparedLater + comparedDays; day++) {
          const value = values.value(member, index, day);
          if (Number.isNaN(value)) continue;
          sum += value * weights[c];
          weight += weights[c];
        }
      });
      return sum / weight;
    });
  }

  /** Pairs members at the cells of a region: begins with the partners to be loyal to, or the ones of least distance. */
  #pair(
    core: Core,
    values: readonly SeamValues[],
    seam: SeamDays,
    [earlierMembers, laterMembers]: readonly [Int32Array, Int32Array],
    sample: SampledCells,
    loyalty?: Loyalty,
  ): Int32Array {
    const { memory } = core;
    const mark = memory.mark();
    const { weights } = sample;
    const indices = this.#indicesOf(sample.cells);
    const members = earlierMembers.length;
    const row = planeRow(members);
    const costs = new Float64Array(row * members);
    const aims = values.flatMap(([ours, theirs]) => {
      const [before, after] = sidesOf(seam);
      const earlier = ours.departures(core, earlierMembers, indices, before);
      const later = theirs.departures(core, laterMembers, indices, after);
      const both = standardized(core, [earlier, later], seam);
      if (loyalty === undefined) {
        memory.float64(likeness(core, both, weights, seam), costs.length).forEach((alike, pair) => {
          costs[pair] -= alike;
        });
      }
      const aims = aimsOfScale(core, both, weights, seam, IMPORTANCE.cells);
      for (const groupOf of groupsOf(sample)) {
        const { means, areas } = meansOfGroups(core, both, groupOf, weights);
        aims.push(...aimsOfScale(core, means, areas, seam, IMPORTANCE.means));
      }
      return aims;
    });
    const partners = loyalty?.partners.slice() ?? leastCostAssignment(costs, members, row);
    const settled = Uint8Array.from(partners, (partner, place) => {
      const isOwn = (other: number) =>
        values.every((both) => isSameRun(both, indices, other, laterMembers[partner], seam));
      return isOwn(earlierMembers[place]) && earlierMembers.filter(isOwn).length === 1 ? 1 : 0;
    });
    exchangeMembers(core, partners, aims, settled, loyalty);
    memory.release(mark);
    return partners;
  }

  /** The places of some cells among all that were added. */
  #indicesOf(cells: Int32Array): number[] {
    return Array.from(cells, (cell) => this.cells.indexOf(cell));
  }
}

/** The quarters of a region, if it has several, and all of it, where these are more than single cells. */
function groupsOf({ weights, quarters }: SampledCells): Uint8Array[] {
  if (weights.length < 4) return [];
  const all = new Uint8Array(quarters.length);
  return new Set(quarters).size > 1 ? [quarters, all] : [all];
}

/** Whether members of both horizons have the same values, or none, on all days that are compared: they are one, cut in two. */
function isSameRun(
  [earlier, later]: SeamValues,
  cells: readonly number[],
  ours: number,
  theirs: number,
  { comparedEarlier, comparedLater, comparedDays, overlapDays }: SeamDays,
): boolean {
  if (overlapDays === 0) return false;
  return cells.every((cell) => {
    for (let d = 0; d < comparedDays; d++) {
      // NaN is missing in both.
      const value = earlier.value(ours, cell, comparedEarlier + d);
      if (!Object.is(value, later.value(theirs, cell, comparedLater + d))) return false;
    }
    return true;
  });
}

/** Whether a member of a horizon has a value on a day, by cell. */
export function valuesOnDay({ field }: Horizon, day: number | undefined): HasValues {
  const { members, days, firstDay } = field;
  if (day === undefined || day < firstDay || day >= firstDay + days) return () => true;
  return (cell) => members.some((member) => !Number.isNaN(member.value(cell * days + day - firstDay)));
}

/** The days of the earlier and of the later horizon that are looked at. */
function sidesOf({ handOver, complete, overlapDays, comparedEarlier, comparedLater, comparedDays }: SeamDays) {
  const [before, after]: DayRange[] = [
    { from: Math.min(handOver - DAYS_AROUND, comparedEarlier), to: overlapDays > 0 ? complete : handOver },
    { from: Math.min(handOver, comparedLater), to: Math.max(complete + DAYS_AROUND, comparedLater + comparedDays) },
  ];
  return [before, after] as const;
}

function assertHorizons(given: readonly Horizon[], { horizons }: Pairing): void {
  const fault = (source: string, what: string, received: number, allowed: number) =>
    new DataError({
      ...{ source, received, allowed: String(allowed) },
      problem: `another number of ${what} than the first variable that members are paired by`,
    });
  if (given.length !== horizons.length) throw fault(sourceOf(given[0]), 'horizons', given.length, horizons.length);
  horizons.forEach(({ members }, h) => {
    const received = given[h].field.members.length;
    if (received !== members) throw fault(sourceOf(given[h]), 'members', received, members);
  });
}

function joined(lists: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(lists.length * lists[0].length);
  lists.forEach((list, l) => {
    all.set(list, l * list.length);
  });
  return all;
}
