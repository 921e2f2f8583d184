import { assertSlugs } from '../../blend/blend-variables.js';
import { pairingRecord } from '../../blend/pairing/pairing-record.js';
import { assertKnownKeys, assertShape } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { OptionError } from '../../errors.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { Axis, Dataset } from '../source/dataset.js';
import type { StorePart } from '../source/folder/store-part.js';
import { type BlendedDatasetOptions, pairedDataset } from './blended-dataset.js';
import { assertWriter, type StoreWriter } from './store-writer.js';

export interface ReblendOptions extends BlendedDatasetOptions {
  /** Called with what cannot be blended again, and why. */
  readonly onNotice?: (text: string) => void;
}

/** So many values are written at a time. */
const BLOCK_VALUES = 1_048_576;

/**
 * Blends the horizons that a store holds once more, as `ingestForecast` does with files: for stores whose timelines were
 * made by an older version, or by other variables. The timeline of 1 km stays as it is, as its horizons are not kept.
 * Throws OptionError where the store holds no forecast, or its horizons have no variable in common, and DataError where
 * they do not follow each other.
 */
export async function reblendForecast(core: Core, writer: StoreWriter, options: ReblendOptions = {}): Promise<void> {
  assertCore(core);
  assertWriter(writer, 'setForecast', 'write', 'storedPart');
  assertKnownKeys(options, ['pairBy', 'onNotice']);
  assertShape('options', options, { onNotice: 'function?' });
  if (options.pairBy !== undefined) assertSlugs(options.pairBy);
  const { forecast, parts } = writer.stored ?? {};
  if (forecast === undefined || parts === undefined) {
    throw new OptionError({
      subject: 'store',
      problem: 'holds no forecast to blend',
      allowed: 'a store with horizons',
    });
  }
  const horizons = new Map<HorizonName, Dataset>();
  for (const name of HORIZONS) {
    const dataset = await writer.storedPart?.(name);
    if (dataset !== undefined) horizons.set(name, dataset);
  }
  const fine = await writer.storedPart?.('fine-timeline');
  if (fine !== undefined)
    options.onNotice?.('the timeline of 1 km stays as it is: the store does not keep its horizons');
  const unitsOf = (part: StorePart, slug: string) => parts.get(part)?.variables.get(slug)?.units ?? '';
  const { timeline, pairing } = await pairedDataset(core, horizons, options.pairBy);
  const generation = `${forecast.initTime}-${crypto.randomUUID().slice(0, 8)}`;
  writer.setForecast({ ...forecast, generation, pairing: pairingRecord(pairing) });
  for (const [name, dataset] of horizons) await copyPart(writer, name, dataset, (slug) => unitsOf(name, slug));
  await copyPart(writer, 'timeline', timeline, (slug) => unitsOf('timeline', slug));
  if (fine !== undefined) await copyPart(writer, 'fine-timeline', fine, (slug) => unitsOf('fine-timeline', slug));
}

async function copyPart(
  writer: StoreWriter,
  part: StorePart,
  dataset: Dataset,
  unitsOf: (slug: string) => string,
): Promise<void> {
  for (const [slug, axis] of dataset.variables) {
    const { places } = dataset;
    await writer.write(part, { slug, units: unitsOf(slug), axis, places, blocks: blocksOf(dataset, slug, axis) });
  }
}

/** The values of a variable, some places at a time. */
async function* blocksOf(dataset: Dataset, slug: string, { days, members }: Axis): AsyncGenerator<Float32Array> {
  const length = days * members;
  const count = dataset.places.latitude.length;
  const most = Math.max(1, Math.floor(BLOCK_VALUES / length));
  const values = new Float32Array(length);
  for (let cell = 0; cell < count; cell += most) {
    const cells = Math.min(most, count - cell);
    const block = new Float32Array(cells * length);
    for (let c = 0; c < cells; c++) {
      await dataset.read(slug, cell + c, values);
      block.set(values, c * length);
    }
    yield block;
  }
}
