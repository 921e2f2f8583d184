import { findNearest, type Places, wrapLongitude } from '../../ensemble/nearest-place.js';

/** A field as regions of about the same size: bands of latitude, each divided by meridians. */
export interface Regions {
  readonly count: number;
  readonly south: number;
  readonly height: number;
  readonly west: number;
  /** Whether the field goes around the globe. */
  readonly isRound: boolean;
  /** From south to north. */
  readonly bands: readonly {
    /** The number of regions side by side, and the longitudes that each spans, from `west` on. */
    readonly columns: number;
    readonly width: number;
    /** The index of the first of its regions. */
    readonly first: number;
  }[];
}

/** Regions whose members are paired. */
export interface PairedRegions extends Regions {
  /**
   * For each seam: the members of its later horizon that are in use, one for each trajectory, and for each region a
   * permutation of their indices, from the members that are in use before the seam to those after it.
   */
  readonly seams: readonly { readonly partners: Int32Array; readonly chosen: Int32Array }[];
}

/** A place in the regions: its band, and how far it is along its bands and columns, counted from the first. */
interface Position {
  readonly up: number;
  readonly along: readonly number[];
}

const KILOMETRES_PER_DEGREE = 111.195;
/** A gap between longitudes that is wider is the outside of the field. */
const WIDEST_STEP = 10;
const BINS = 720;

/** Divides a field into regions of about `kilometres`; undefined where no place has coordinates. */
export function divideField(
  { latitude, longitude }: Places,
  kilometres = Number.POSITIVE_INFINITY,
): Regions | undefined {
  let [south, north] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const degrees of latitude) {
    if (degrees < south) south = degrees;
    if (degrees > north) north = degrees;
  }
  if (south > north) return undefined;
  const { west, span, isRound } = longitudes(longitude);
  const parts = (degrees: number) => Math.max(1, Math.round((degrees * KILOMETRES_PER_DEGREE) / kilometres));
  const count = parts(north - south);
  const height = (north - south) / count;
  let first = 0;
  const bands = Array.from({ length: count }, (_, b) => {
    const middle = south + (b + 0.5) * height;
    const columns = parts(span * Math.cos((middle * Math.PI) / 180));
    first += columns;
    return { columns, width: span / columns, first: first - columns };
  });
  return { count: first, south, height, west, isRound, bands };
}

/** The shortest arc that holds all longitudes: it begins after the widest gap between them. */
function longitudes(longitude: Float64Array): Pick<Regions, 'west' | 'isRound'> & { readonly span: number } {
  const isThere = new Uint8Array(BINS);
  const binOf = (degrees: number) => Math.floor(((wrapLongitude(degrees) + 180) / 360) * BINS) % BINS;
  for (const degrees of longitude) if (!Number.isNaN(degrees)) isThere[binOf(degrees)] = 1;
  let [gap, end, run] = [0, 0, 0];
  for (let bin = 0; bin < 2 * BINS; bin++) {
    run = isThere[bin % BINS] ? 0 : run + 1;
    if (run > gap && run <= BINS) [gap, end] = [run, bin];
  }
  if ((gap * 360) / BINS < WIDEST_STEP) return { west: -180, span: 360, isRound: true };
  const from = (((end + 1) % BINS) * 360) / BINS - 180;
  let [least, most] = [360, 0];
  for (const degrees of longitude) {
    if (Number.isNaN(degrees)) continue;
    const east = eastOf(degrees, from);
    least = Math.min(least, east);
    most = Math.max(most, east);
  }
  return { west: from + least, span: most - least, isRound: false };
}

/** Degrees from 0 to 360 east of a longitude. */
function eastOf(longitude: number, west: number): number {
  const east = (longitude - west) % 360;
  return east < 0 ? east + 360 : east;
}

/**
 * The region that stands for each: itself where it has cells, else the nearest one that has, so that near the edge of a
 * region without cells members do not change over.
 */
export function standIns(regions: Regions, isEmpty: (region: number) => boolean): Int32Array {
  const { south, height, west, bands } = regions;
  const centres = bands.flatMap(({ columns, width }, b) =>
    Array.from({ length: columns }, (_, c) => ({
      latitude: south + (b + 0.5) * height,
      longitude: wrapLongitude(west + (c + 0.5) * width),
    })),
  );
  const known = centres.map((_, r) => r).filter((r) => !isEmpty(r));
  const places = {
    latitude: Float64Array.from(known, (r) => centres[r].latitude),
    longitude: Float64Array.from(known, (r) => centres[r].longitude),
  };
  return Int32Array.from(centres, (centre, r) => (isEmpty(r) ? known[findNearest(places, centre)?.place ?? 0] : r));
}

/** The regions that a place belongs to, at most four: those between which members pass there. */
export function regionsAround(regions: Regions, latitude: number, longitude: number): number[] {
  const { up, along } = position(regions, latitude, longitude);
  const { bands, isRound } = regions;
  const near = (at: number, count: number, isRing: boolean) => {
    const edge = Math.round(at);
    const both = isRing ? [(edge - 1 + count) % count, edge % count] : [edge - 1, edge];
    return both.filter((each) => each >= 0 && each < count);
  };
  const around = near(up, bands.length, false).flatMap((band) => {
    const { columns, first } = bands[band];
    return near(along[band], columns, isRound).map((column) => first + column);
  });
  return [...new Set(around)].sort((a, b) => a - b);
}

/** The region of a place with coordinates, and where in it the place is: from 0 to 1 from south and from west. */
export function locate(
  regions: Regions,
  latitude: number,
  longitude: number,
): { region: number; x: number; y: number } {
  const { up, along } = position(regions, latitude, longitude);
  const band = within(up, regions.bands.length);
  const { columns, first } = regions.bands[band];
  const column = within(along[band], columns);
  return { region: first + column, x: along[band] - column, y: up - band };
}

function position({ south, height, west, isRound, bands }: Regions, latitude: number, longitude: number): Position {
  const up = height === 0 ? 0.5 : (latitude - south) / height;
  // A place that is not in the field belongs to its nearer end.
  const span = bands[0].width * bands[0].columns;
  const all = eastOf(longitude, west);
  const east = isRound || all <= (span + 360) / 2 ? all : all - 360;
  return { up, along: bands.map(({ width }) => (width === 0 ? 0.5 : east / width)) };
}

function within(position: number, count: number): number {
  return Math.min(Math.max(0, Math.floor(position)), count - 1);
}

/**
 * The member of the later horizon at each seam that trajectories are at a place, for each seam. The
 * passage at a second seam begins with the members that trajectories are at that place after the first.
 */
export function membersAtPlaces({ seams, ...regions }: PairedRegions) {
  const passages = seams.map(({ partners, chosen }) => new RegionPassages(regions, partners, chosen.length));
  return (latitude: number, longitude: number): Int32Array[] => {
    let places: Int32Array | undefined;
    return seams.map(({ chosen }, s) => {
      const partners = passages[s].at(latitude, longitude);
      const members = new Int32Array(partners.length);
      const next = new Int32Array(partners.length);
      for (let t = 0; t < members.length; t++) {
        next[t] = places === undefined ? partners[t] : partners[places[t]];
        members[t] = chosen[next[t]];
      }
      places = next;
      return members;
    });
  };
}

/** The member of the later horizon at each seam, by region and trajectory. */
export function membersOfRegions({ count, seams }: Pick<PairedRegions, 'count' | 'seams'>): Int32Array[] {
  let places: Int32Array | undefined;
  return seams.map(({ partners, chosen }) => {
    const members = partners.length / count;
    places = places?.map((place, i) => partners[i - (i % members) + place]) ?? partners;
    return places.map((place) => chosen[place]);
  });
}

/**
 * The permutations of regions. From the middle of a region to the middle of its neighbour members change over one after
 * the other, so that there is no line along which many do.
 */
class RegionPassages {
  readonly #regions: Regions;
  readonly #partners: Int32Array;
  readonly #members: number;
  /** By band: the permutations along it that were asked for. */
  readonly #along: Map<number, Passed>[];
  /** By two permutations along bands: what has to be exchanged between them. */
  readonly #exchanges = new Map<Passed, Map<Passed, readonly number[]>>();

  /** `partners` has a permutation of `members` numbers for each region. */
  constructor(regions: Regions, partners: Int32Array, members: number) {
    this.#regions = regions;
    this.#partners = partners;
    this.#members = members;
    this.#along = regions.bands.map(() => new Map());
  }

  /** The permutation at a place; where its coordinates are not known, the first region's. */
  at(latitude: number, longitude: number): Int32Array {
    const regions = this.#regions;
    if (Number.isNaN(latitude + longitude)) return this.#of(0);
    const { bands } = regions;
    const where = position(regions, latitude, longitude);
    const edge = Math.round(where.up);
    if (edge < 1 || edge >= bands.length) return this.#alongBand(within(where.up, bands.length), where.along).partners;
    const [lower, upper] = [this.#alongBand(edge - 1, where.along), this.#alongBand(edge, where.along)];
    return passed(lower.partners, this.#between(lower, upper), where.up - edge + 0.5);
  }

  #of(region: number): Int32Array {
    return this.#partners.subarray(region * this.#members, (region + 1) * this.#members);
  }

  /** The permutation at a place, by its longitude alone. */
  #alongBand(b: number, along: readonly number[]): Passed {
    const { bands, isRound } = this.#regions;
    const { columns, first } = bands[b];
    const edge = Math.round(along[b]);
    const isEdge = columns > 1 && (isRound || (edge > 0 && edge < columns));
    if (!isEdge) return this.#known(b, within(along[b], columns), 0, 0);
    const share = along[b] - edge + 0.5;
    const [before, after] = [(edge - 1 + columns) % columns, edge % columns];
    const exchanges = this.#between(this.#known(b, before, 0, 0), this.#known(b, after, 0, 0));
    const count = exchangedBy(exchanges, share);
    return this.#known(b, before, after, count, () => exchanged(this.#of(first + before), exchanges, count));
  }

  /** A permutation of a band, which is made once: with a count of exchanges between two of its regions. */
  #known(
    b: number,
    before: number,
    after: number,
    count: number,
    make = () => this.#of(this.#regions.bands[b].first + before),
  ): Passed {
    const key = (before * this.#regions.count + after) * this.#members + count;
    const known = this.#along[b].get(key) ?? { partners: make() };
    this.#along[b].set(key, known);
    return known;
  }

  #between(before: Passed, after: Passed): readonly number[] {
    const ofBefore = this.#exchanges.get(before) ?? new Map<Passed, readonly number[]>();
    const exchanges = ofBefore.get(after) ?? exchangesBetween(before.partners, after.partners);
    this.#exchanges.set(before, ofBefore.set(after, exchanges));
    return exchanges;
  }
}

/** A permutation between two regions of a band, told apart from others by its identity. */
interface Passed {
  readonly partners: Int32Array;
}

/** A permutation after a share of the exchanges that turn it into its neighbour's. */
function passed(from: Int32Array, exchanges: readonly number[], share: number): Int32Array {
  return exchanged(from, exchanges, exchangedBy(exchanges, share));
}

/** How many exchanges were made after a share of the way. */
function exchangedBy(exchanges: readonly number[], share: number): number {
  return Math.round((exchanges.length / 2) * Math.min(Math.max(0, share), 1));
}

function exchanged(from: Int32Array, exchanges: readonly number[], count: number): Int32Array {
  const result = from.slice();
  for (let e = 0; e < 2 * count; e += 2) {
    const [a, b] = [exchanges[e], exchanges[e + 1]];
    const held = result[a];
    result[a] = result[b];
    result[b] = held;
  }
  return result;
}

/**
 * Pairs of places whose values are to be exchanged, one after the other, to turn a permutation into another. After each
 * of them all members but one have their partner of either permutation.
 */
function exchangesBetween(from: Int32Array, to: Int32Array): number[] {
  const now = from.slice();
  const holder = new Int32Array(now.length);
  now.forEach((partner, member) => {
    holder[partner] = member;
  });
  const exchanges: number[] = [];
  for (let start = 0; start < now.length; start++) {
    for (let member = start; now[member] !== to[member]; ) {
      const other = holder[to[member]];
      exchanges.push(member, other);
      [now[member], now[other]] = [now[other], now[member]];
      holder[now[member]] = member;
      holder[now[other]] = other;
      member = other;
    }
  }
  return exchanges;
}
