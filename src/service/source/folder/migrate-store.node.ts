import { assertKnownKeys, assertShape } from '../../../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../../../check/work.js';
import type { Dataset } from '../dataset.js';
import { blocksAt, sampleOf } from './some-places.js';
import { isForecastPart, type StorePart } from './store-part.js';
import type { StoreUpdate } from './store-update.node.js';

/** How a store is migrated. */
export interface MigrateStoreOptions extends WorkOptions {
  /** Called before each variable. */
  readonly onVariable?: (part: StorePart, slug: string) => void;
}

/**
 * Writes all values of a store that have no checksums, as in version 1, once more with them; nothing else changes. Rejects
 * with FileError and FormatError, and with the reason of `signal`: then the update is to be abandoned. `onProgress` counts
 * the values that are written.
 */
export async function migrateStore(update: StoreUpdate, options: MigrateStoreOptions = {}): Promise<void> {
  assertShape('options', options, { onVariable: 'function?' });
  const { work, others } = beginWork(options, 'values');
  assertKnownKeys(others, ['onVariable', ...WORK_KEYS]);
  const { onVariable } = others;
  assertShape('update', update, { setForecast: 'function', write: 'function', copyOldTables: 'function' });
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
      onVariable?.(part, slug);
      const stored = blocksAt(dataset, slug, axis, places.latitude.keys());
      const blocks = work.stream(stored, ({ length }) => length);
      const sample = (count: number) => sampleOf(dataset, slug, axis, count);
      await update.write(part, { slug, units, axis, places, blocks, sample });
    }
  }
  await update.copyOldTables();
}
