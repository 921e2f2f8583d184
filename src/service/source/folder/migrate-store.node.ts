import { assertKind, assertShape } from '../../../check/option-checks.js';
import type { Dataset } from '../dataset.js';
import { blocksAt, sampleOf } from './some-places.js';
import { isForecastPart, type StorePart } from './store-part.js';
import type { StoreUpdate } from './store-update.node.js';

/**
 * Writes all values of a store that have no checksums, as in version 1, once more with them; nothing else changes.
 * `onVariable` is called before each variable. Rejects with FileError and FormatError.
 */
export async function migrateStore(
  update: StoreUpdate,
  onVariable: (part: StorePart, slug: string) => void = () => {},
): Promise<void> {
  assertShape('update', update, { setForecast: 'function', write: 'function', copyOldTables: 'function' });
  assertKind('onVariable', onVariable, 'function');
  const { forecast, parts } = update.before;
  if (forecast !== undefined) {
    update.setForecast(forecast);
    for (const part of parts.keys()) if (isForecastPart(part)) update.keep(part);
  }
  for (const [part, { variables }] of parts) {
    const dataset = (await update.storedBefore(part)) as Dataset;
    const { places } = dataset;
    for (const [slug, { units, axis }] of variables) {
      if (!update.storedWithoutChecksum(part, slug)) continue;
      onVariable(part, slug);
      const blocks = blocksAt(dataset, slug, axis, places.latitude.keys());
      const sample = (count: number) => sampleOf(dataset, slug, axis, count);
      await update.write(part, { slug, units, axis, places, blocks, sample });
    }
  }
  await update.copyOldTables();
}
