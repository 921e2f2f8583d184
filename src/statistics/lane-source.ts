/** A part of the work: results from `lane` on, `lanes` of them. */
export interface Lanes {
  readonly lane: number;
  readonly lanes: number;
}

/** Phase 1: fills rows of one value per member, lane by lane, a tile at a time. */
export interface LaneSource<Tile extends Lanes = Lanes> {
  /** Address of the rows: one for each member, `rowBytes` apart. */
  readonly rows: number;
  readonly rowBytes: number;
  /** Address of a row of divisors, or 0. */
  readonly divisors: number;
  /** Whether the rows are f32, as they came, rather than f64. */
  readonly single: boolean;
  /** The most lanes of a tile. */
  readonly mostLanes: number;
  /** Where infinite values may hide: nowhere, among members that are missing, or anywhere; there they have to be searched for. */
  readonly infinityCheck: 'nowhere' | 'among missing' | 'anywhere';
  /** To be called once before the first tile, when all scratch is taken. */
  begin(): void;
  tiles(): Iterable<Tile>;
  fill(tile: Tile): void;
  /** Throws a DataError where the tile that was filled last has an infinite value. */
  assertFinite(tile: Tile): void;
}

/** Bytes of a row with room for a whole vector more, and never a power of two. */
export function rowBytes(lanes: number): number {
  return Math.ceil(lanes / 8) * 64 + 64;
}
