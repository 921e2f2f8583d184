import { createHash } from 'node:crypto';
import { version } from '../../../../package.json';
import type { ObjectEntry, Series } from '../../store/write-blocks.node.js';
import { coarsestPrecision } from '../dataset.js';
import type { SeriesEntry } from './manifest.js';
import type { StorePart } from './store-part.js';
import type { UpdateObjects } from './update-objects.node.js';

/**
 * Writes the values of a variable to a file, or takes it from an update that was stopped, and returns what a manifest states of
 * it. `places` is the digest of its places. Rejects with FileError, and with what the blocks' iterator throws.
 */
export async function writeSeries(
  objects: UpdateObjects,
  part: StorePart,
  series: Series,
  places: string,
): Promise<SeriesEntry> {
  const axis = { ...series.axis, precision: coarsestPrecision([series, series.axis]) };
  const segment = await objects.segment(part, { ...series, key: keyOfSeries(part, series, places) });
  return { units: series.units, axis, segments: [segment] };
}

/** The key of all that the values of a file are made from; undefined where the caller does not say it. */
export function keyOfSeries(
  part: StorePart,
  { key, slug, units, axis, precision }: Series,
  places: string,
  merged: readonly ObjectEntry[] = [],
): string | undefined {
  if (key === undefined) return undefined;
  const { firstDay, days, members } = axis;
  const objects = merged.map(({ sha256 }) => sha256);
  const all = [version, key, part, slug, units, firstDay, days, members, precision, places, objects];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex');
}
