/** A part of the work: `lanes` results, from `lane` on. */
export interface Lanes {
  readonly lane: number;
  readonly lanes: number;
}

/** Phase 1: fills a row of values for each member, one value for each lane, a tile at a time. */
export interface LaneSource<Tile extends Lanes = Lanes> {
  /** Address of the rows: one for each member, `rowBytes` apart. */
  readonly rows: number;
  readonly rowBytes: number;
  /** Address of a row of divisors, or 0. */
  readonly divisors: number;
  /** Whether the rows are f32, as the input, rather than f64. */
  readonly single: boolean;
  /** The maximum number of lanes of a tile. */
  readonly maxLanes: number;
  /** Where values may be infinite although the sums over members are not: nowhere, in missing members, or anywhere. */
  readonly infinityCheck: 'nowhere' | 'among missing' | 'anywhere';
  /** Call it once before the first tile, when all scratch is taken. */
  begin(): void;
  tiles(): Iterable<Tile>;
  fill(tile: Tile): void;
  /** Throws a DataError where the tile that was filled last has an infinite value. */
  assertFinite(tile: Tile): void;
}

/** Bytes of a row with space for one more vector, and never a power of two. */
export function rowBytes(lanes: number): number {
  return Math.ceil(lanes / 8) * 64 + 64;
}
