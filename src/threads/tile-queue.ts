import type { Lanes } from '../statistics/lane-source.js';

/** The tiles of a job, of which each worker takes the next few when it is done with those it has. */
export interface TileQueue {
  /** One shared integer: the first tile that nobody has taken. */
  readonly next: Int32Array;
  /** How many are taken at a time. */
  readonly step: number;
}

/** Tiles that are taken at a time where there are plenty: their results are handed over together. */
const MAX_AT_ONCE = 4;
/** The least number of times that each worker should come back for more, so that all end at about the same time. */
const TURNS = 8;
/** The results of a tile, about. */
const TILE_RESULTS = 1024;
/** More than there are tiles. */
const END = 2 ** 30;

export function tileQueue(results: number, workers: number): TileQueue {
  const step = Math.floor(results / (TILE_RESULTS * workers * TURNS));
  return { next: new Int32Array(new SharedArrayBuffer(4)), step: Math.min(MAX_AT_ONCE, Math.max(1, step)) };
}

/** Those of the tiles, in order, that nobody else has taken. */
export function* takenTiles<Tile extends Lanes>(tiles: Iterable<Tile>, { next, step }: TileQueue): Generator<Tile> {
  let from = Atomics.add(next, 0, step);
  let index = 0;
  for (const tile of tiles) {
    if (index === from + step) from = Atomics.add(next, 0, step);
    if (index >= from) yield tile;
    index++;
  }
}

/** Ends a queue: what is taken already is still computed, and nothing more. */
export function endQueue({ next }: TileQueue): void {
  Atomics.store(next, 0, END);
}

/** The tiles from the one that result `lane` is in. */
export function* tilesFrom<Tile extends Lanes>(tiles: Iterable<Tile>, lane: number): Generator<Tile> {
  for (const tile of tiles) if (tile.lane + tile.lanes > lane) yield tile;
}
