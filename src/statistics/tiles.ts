import type { EnsembleField } from '../core/field.js';
import { valueBytes } from '../core/number-arrays.js';
import { unusable } from '../errors.js';
import type { Together } from '../period/fill-together.js';
import type { WindowTable } from '../period/period.js';

/** A part of the work: `lanes` results, from `lane` on. */
export interface Lanes {
  readonly lane: number;
  readonly lanes: number;
}

/** Phase 1: fills a row of values for each member, one value for each lane, a tile at a time. */
export interface LaneSource<Tile extends Lanes = Lanes> {
  /** Address of the rows of the tile that was filled last: one for each member, `rowBytes` apart. */
  readonly rows: number;
  readonly rowBytes: number;
  /** Address of a row of divisors, or 0. */
  readonly divisors: number;
  /** Whether the rows are f32, as the input, rather than f64. */
  readonly single: boolean;
  /** The maximum number of lanes of a tile. */
  readonly maxLanes: number;
  /** Call it once before the first tile, when all scratch is taken. */
  begin(): void;
  tiles(): Iterable<Tile>;
  fill(tile: Tile): void;
  /**
   * Throws a DataError where the tile that was filled last has an infinite value, or a sum that the type of the field
   * cannot hold. The flags of the kernel tell where that may be: of sums, only where INFINITE is one of them.
   */
  assertFinite(tile: Tile, flags: number): void;
}

/** Bytes of a row with space for one more vector, and never a power of two. */
export function rowBytes(lanes: number): number {
  return Math.ceil(lanes / 8) * 64 + 64;
}

/** The maximum number of lanes (results) of a tile: more are not faster. */
const MAX_LANES = 1024;
/** The bytes of a tile's rows, and of the copy of one member's days: they stay in the second-level cache. */
const TILE_BYTES = 524_288;

/** What the computation uses of a window table. */
export type WindowDays = Pick<WindowTable, 'count' | 'first' | 'days' | 'firstDay' | 'rolling'> & Together;

/** Windows as the core sees them: spans of the field's axis of days. */
export interface PlacedWindows {
  readonly table: WindowDays;
  /** The place of the window table's first day on the field's axis. */
  readonly shift: number;
  /** The days of the longest window. */
  readonly longest: number;
}

/** Throws OptionError for windows that are not among the field's days, or not in order of time. */
export function placeWindows(
  { firstDay, days: fieldDays }: Pick<EnsembleField, 'firstDay' | 'days'>,
  table: WindowDays,
): PlacedWindows {
  const { first, days, count } = table;
  const shift = table.firstDay - firstDay;
  let longest = 0;
  let start = -shift;
  for (let w = 0; w < count; w++) {
    const from = first[w];
    const length = days[w];
    if (from < start || length < 1 || shift + from + length > fieldDays) {
      throw unusable(
        `window ${w}`,
        `${length} days from day ${table.firstDay + from} on`,
        `windows in order of time, of at least a day, within ${fieldDays} days from day ${firstDay} on`,
      );
    }
    if (length > longest) longest = length;
    start = from;
  }
  return { table, shift, longest };
}

/** First day, and the day after the last, of a run of windows on the field's axis. Windows may overlap. */
export function daySpan({ table, shift }: PlacedWindows, window: number, windows: number): [number, number] {
  const { first, days } = table;
  let end = 0;
  for (let w = window; w < window + windows; w++) end = Math.max(end, first[w] + days[w]);
  return [shift + first[window], shift + end];
}

/** The maximum number of lanes of a tile of this work: as many as fit `TILE_BYTES`, at least one. */
export function maxLanes(field: EnsembleField, { table, longest }: PlacedWindows): number {
  const daysPerLane = field.order === 'day-fastest' ? Math.max(longest, field.days / table.count) : longest;
  const bytesPerLane = field.members.length * 8 + daysPerLane * valueBytes(field.type);
  return Math.max(1, Math.min(MAX_LANES, Math.floor(TILE_BYTES / bytesPerLane)));
}
