import { assertSlugs } from '../../blend/blend-variables.js';
import { assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../../check/work.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { OptionError } from '../../errors.js';
import { horizonOf, isForecastPart } from '../source/folder/store-part.js';
import { blendStored } from './blend-stored.js';
import type { BlendedDatasetOptions } from './blended-dataset.js';
import { newGeneration } from './forecast-header.js';
import { assertWriter, type StoreWriter } from './store-writer.js';

/** How to blend what a store holds. `onProgress` counts the values of timelines that are written. */
export interface ReblendOptions extends BlendedDatasetOptions, WorkOptions {
  /** Called with what cannot be blended again, and why. */
  readonly onNotice?: (text: string) => void;
}

/**
 * Blends the horizons that a store holds once more, as `ingestForecast` does with files: for stores whose timelines were
 * made by an older version, or by other variables. The timeline of 1 km stays as it is where the store does not have its horizons.
 * Throws OptionError where the store holds no forecast, or its horizons have no variable in common, and DataError where
 * they do not follow each other, and the reason of `signal`.
 */
export async function reblendForecast(core: Core, writer: StoreWriter, options: ReblendOptions = {}): Promise<void> {
  assertCore(core);
  assertWriter(writer, 'setForecast', 'keep', 'write', 'share', 'storedPart');
  const { work, others } = beginWork(options, 'values');
  assertKnownKeys(others, ['pairBy', 'onNotice', ...WORK_KEYS]);
  assertShape('options', others, { onNotice: 'function?' });
  if (options.pairBy !== undefined) assertSlugs(options.pairBy);
  const { forecast, parts } = writer.stored;
  if (forecast === undefined) {
    throw new OptionError({
      subject: 'store',
      problem: 'holds no forecast to blend',
      allowed: 'a store with horizons',
    });
  }
  writer.setForecast({ ...forecast, generation: newGeneration(forecast.initTime) });
  for (const part of parts.keys()) {
    if (isForecastPart(part) && part !== 'timeline' && part !== 'fine-timeline') writer.keep(part);
  }
  const hasFine = [...parts.keys()].some((part) => horizonOf(part) !== undefined && part.startsWith('fine-'));
  if (parts.has('fine-timeline') && !hasFine) {
    writer.keep('fine-timeline');
    options.onNotice?.('the timeline of 1 km stays as it is: the store does not keep its horizons');
  }
  await work.run(() => blendStored(writer, { ...others, work, counts: true }));
}
