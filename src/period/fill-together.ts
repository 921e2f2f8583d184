/*
 * Where cells are adjacent, rolling windows are filled some together, for fewer cells, as they share most of their days.
 * The windows bring this to the statistics above, so that programs without rolling windows do not load it.
 */

/** By this, statistics find how the windows of a table are filled together. */
export const TOGETHER: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.together') as never;

/** A part of the work that fits the caches: some cells by some windows, with the place of the first result and their number. */
export interface Tile {
  readonly cell: number;
  readonly cells: number;
  readonly window: number;
  readonly windows: number;
  readonly lane: number;
  readonly lanes: number;
}

/** Rows of windows that are filled a tile at a time. */
interface Rows {
  readonly rows: number;
  readonly rowBytes: number;
  readonly divisors: number;
  readonly single: boolean;
  readonly maxLanes: number;
  begin(): void;
  tiles(): Iterable<Tile>;
  fill(tile: Tile): void;
  assertFinite(tile: Tile, flags: number): void;
}

/** Rows that can hold several windows, one after the other. */
interface OwnRows extends Rows {
  /** Writes the days of windows, by which sums become means. */
  divide(tile: Tile): void;
  /** Looks at the days of `days` and at the sums in the rows of `source`. */
  assertFinite(tile: Tile, flags: number, source?: Rows, days?: Tile | null): void;
}

/** Makes rows of windows by rows for `together` windows at once; undefined where days are adjacent, not cells. */
export type FillTogether = (
  field: { readonly order: 'day-fastest' | 'cell-fastest'; readonly cells: number },
  windows: { readonly table: { readonly count: number }; readonly longest: number },
  make: (together: number) => OwnRows,
) => Rows | undefined;

/** What a table of windows has where they are filled together. */
export interface Together {
  /** @internal */
  readonly [TOGETHER]?: FillTogether;
}
