import type { Places } from '../../../ensemble/nearest-place.js';
import type { PlaceIndex } from '../../../ensemble/place-index.js';
import { type BlockSample, spreadCells } from '../../store/block-sample.js';
import type { Axis, Dataset } from '../dataset.js';

/** The cells that cover some points, in their order, each once. */
export function coveringCells(places: PlaceIndex, { latitude, longitude }: Places): number[] {
  const cells = new Set<number>();
  for (let i = 0; i < latitude.length; i++) {
    const cell = places.covering({ latitude: latitude[i], longitude: longitude[i] });
    if (cell !== undefined) cells.add(cell);
  }
  return [...cells];
}

/** The places of some cells. */
export function placesOf({ latitude, longitude }: Places, cells: readonly number[]): Places {
  return {
    latitude: Float64Array.from(cells, (cell) => latitude[cell]),
    longitude: Float64Array.from(cells, (cell) => longitude[cell]),
  };
}

/** The values of a variable at some cells, one after the other. */
export async function* blocksAt(
  dataset: Dataset,
  slug: string,
  { days, members }: Axis,
  cells: Iterable<number>,
): AsyncGenerator<Float32Array> {
  for (const cell of cells) {
    const values = new Float32Array(days * members);
    await dataset.read(slug, cell, values);
    yield values;
  }
}

/** The values of a variable at up to `count` cells, spread over all. */
export async function sampleOf(
  dataset: Dataset,
  slug: string,
  { days, members }: Axis,
  count: number,
): Promise<BlockSample> {
  const cells = spreadCells(dataset.places.latitude.length, count);
  const width = days * members;
  const values = new Float32Array(cells.length * width);
  for (const [c, cell] of cells.entries()) await dataset.read(slug, cell, values.subarray(c * width, (c + 1) * width));
  return { cells, values };
}
