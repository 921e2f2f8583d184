import type { StoredArray } from '../../files/array/array-file.js';
import { arrayDimensions } from '../../files/cf/array-dimensions.js';
import type { ArrayReader } from '../../files/cf/array-reader.js';
import { readTimeValues } from '../../files/cf/time-coordinate.js';
import { utcText } from '../../files/cf/time-units.js';

/** The time of the latest of several runs in an array; undefined where it holds one. Throws DataError for times that are not understood. */
export async function latestRun(reader: ArrayReader, array: StoredArray): Promise<string | undefined> {
  const dimensions = arrayDimensions(reader.file, array);
  const ofKind = (kind: string) => dimensions.find((dimension) => dimension.kind === kind);
  const runs = ofKind('init') ?? (ofKind('lead') && ofKind('time'));
  if (runs?.coordinate === undefined || runs.length < 2) return undefined;
  const { seconds } = await readTimeValues(reader, runs.coordinate);
  return utcText(seconds.reduce((latest, time) => Math.max(latest, time)));
}
