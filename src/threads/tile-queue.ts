import type { Lanes } from '../statistics/tiles.js';

/** The tiles of a job: each worker takes the next few when it has computed those before. */
export interface TileQueue {
  /** One shared integer: the first tile that no worker has taken. */
  readonly next: Int32Array;
  /** The number of tiles taken at a time. */
  readonly step: number;
}

/** The maximum number of tiles taken at a time: their results are copied out together. */
const MAX_AT_ONCE = 4;
/** The minimum number of times that each worker should take tiles, so that all end at about the same time. */
const TURNS = 8;
/** The approximate number of results of a tile. */
const TILE_RESULTS = 1024;
/** More than the number of tiles. */
const END = 2 ** 30;

export function createTileQueue(results: number, workers: number): TileQueue {
  const step = Math.floor(results / (TILE_RESULTS * workers * TURNS));
  return { next: new Int32Array(new SharedArrayBuffer(4)), step: Math.min(MAX_AT_ONCE, Math.max(1, step)) };
}

/** Takes tiles, in order, that no other worker has taken. */
export function* takeTiles<Tile extends Lanes>(tiles: Iterable<Tile>, { next, step }: TileQueue): Generator<Tile> {
  let from = Atomics.add(next, 0, step);
  let index = 0;
  for (const tile of tiles) {
    if (index === from + step) from = Atomics.add(next, 0, step);
    if (index >= from) yield tile;
    index++;
  }
}

/** Ends a queue: tiles already taken are still computed, and no others. */
export function endQueue({ next }: TileQueue): void {
  Atomics.store(next, 0, END);
}

/** The tiles from the one with result `lane` on. */
export function* tilesFrom<Tile extends Lanes>(tiles: Iterable<Tile>, lane: number): Generator<Tile> {
  for (const tile of tiles) if (tile.lane + tile.lanes > lane) yield tile;
}
