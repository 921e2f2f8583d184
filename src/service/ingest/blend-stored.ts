import { usualPairing } from '../../blend/blend-variables.js';
import { PAIR_BY } from '../../blend/join-options.js';
import type { Pairing } from '../../blend/pairing/pairing.js';
import { pairingRecord } from '../../blend/pairing/pairing-record.js';
import type { Work } from '../../check/work.js';
import { DataError, mentionOption } from '../../errors.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { Dataset } from '../source/dataset.js';
import type { ForecastPart } from '../source/folder/store-part.js';
import type { Series } from '../store/write-blocks.node.js';
import { type BlendedDatasetOptions, type PairedTimeline, pairedTimeline } from './blended-dataset.js';
import type { StoreWriter } from './store-writer.js';
import { describeDaysBeyondSpan } from './usable-days.js';
import { SharedWork, type TimelineOfVariable, type VariableThreads } from './variable-threads.js';

export interface BlendStoredOptions extends BlendedDatasetOptions {
  /** Called with what is not used or cannot be blended, and why. */
  readonly onNotice?: (text: string) => void;
  /** The horizons of which it is said what is not used. Default: none. */
  readonly given?: readonly HorizonName[];
  /** What can end the work. */
  readonly work?: Work;
  /** Whether the work counts the values of timelines. Default false. */
  readonly counts?: boolean;
  /** What writes timelines in several threads. */
  readonly threads?: VariableThreads | undefined;
  /** The variables of each grid that may have changed in any horizon; undefined for all. */
  readonly changed?: { readonly coarse: ReadonlySet<string>; readonly fine: ReadonlySet<string> };
}

/**
 * Blends the horizons that an update of a store has, and writes their timelines, with one pairing for all variables.
 * Timelines whose horizons and pairing did not change stay as they are.
 */
export async function blendStored(writer: StoreWriter, options: BlendStoredOptions): Promise<void> {
  const { onNotice, pairBy, changed, given = [] } = options;
  const coarse = await horizonsOf(writer, (horizon) => horizon);
  noticePairing(coarse, options);
  assertCovered(coarse, onNotice);
  const timeline = await pairedTimeline(coarse, pairBy);
  const { pairing } = timeline;
  for (const text of daysBeyond(coarse, pairing, given)) onNotice?.(text);
  const { forecast } = writer.stored;
  if (forecast === undefined) return;
  const record = pairingRecord(pairing);
  const before = forecast.pairing;
  const isSame = before !== undefined && JSON.stringify(before) === JSON.stringify(record);
  writer.setForecast({ ...forecast, pairing: record });
  await writeTimeline(writer, 'timeline', timeline, isSame ? changed?.coarse : undefined, options);
  await blendFine(writer, { ...options, changed: isSame ? changed : undefined }, pairing);
}

/** Blends the horizons at 1 km, which have the trajectories of the others where they have their members. */
async function blendFine(writer: StoreWriter, options: BlendStoredOptions, pairing: Pairing): Promise<void> {
  const { pairBy, onNotice, changed } = options;
  const fine = await horizonsOf(writer, (horizon) => `fine-${horizon}` as const);
  const [first] = fine.keys();
  // Without its first horizon a timeline would have later ones in its place.
  if (first === undefined || first !== pairing.horizons[0].name) return;
  const isSame = hasMembersOf(fine, pairing);
  if (!isSame) onNotice?.('members of the 1 km grid are paired by themselves: they are not as those of the other');
  const timeline = await pairedTimeline(fine, pairBy, isSame ? pairing : undefined);
  await writeTimeline(writer, 'fine-timeline', timeline, isSame ? changed?.fine : undefined, options);
}

/** Whether horizons are the first ones of a pairing, with as many members. */
function hasMembersOf(horizons: ReadonlyMap<HorizonName, Dataset>, pairing: Pairing): boolean {
  return [...horizons].every(([name, { variables }], h) => {
    const paired = pairing.horizons[h];
    return paired?.name === name && [...variables.values()].every(({ members }) => members === paired.members);
  });
}

async function horizonsOf(
  writer: StoreWriter,
  partOf: (horizon: HorizonName) => ForecastPart,
): Promise<Map<HorizonName, Dataset>> {
  const horizons = new Map<HorizonName, Dataset>();
  for (const horizon of HORIZONS) {
    const dataset = await writer.storedPart(partOf(horizon));
    if (dataset !== undefined) horizons.set(horizon, dataset);
  }
  return horizons;
}

/** Writes the timelines of variables that changed, and keeps those before of the others; all where that is not known. */
async function writeTimeline(
  writer: StoreWriter,
  part: 'timeline' | 'fine-timeline',
  timeline: PairedTimeline,
  changed: ReadonlySet<string> | undefined,
  { work, counts = false, threads }: Pick<BlendStoredOptions, 'work' | 'counts' | 'threads'>,
): Promise<void> {
  const { pairing, variables, horizonOf } = timeline;
  const before = await writer.storedBefore(part);
  const kept = [...variables.keys()].filter((slug) => changed?.has(slug) === false && before?.variables.has(slug));
  if (kept.length > 0) writer.keep(part, kept);
  const { parts } = writer.stored;
  const partOf = (horizon: HorizonName) => (part === 'timeline' ? horizon : (`fine-${horizon}` as const));
  const horizons = HORIZONS.map((horizon) => parts.get(partOf(horizon)));
  const writing = new SharedWork(threads);
  for (const [slug, axis] of variables) {
    if (kept.includes(slug)) continue;
    const only = horizonOf(slug);
    if (only !== undefined && writer.share(part, slug, axis, partOf(only))) continue;
    const units = horizons.flatMap((horizon) => horizon?.variables.get(slug)?.units ?? [])[0] ?? '';
    const of = { part, slug, units, axis, pairing };
    const begun = work && threads?.writeTimeline(of, work);
    writing.add(begun, async () => {
      const size = counts ? ({ length }: Float32Array) => length : undefined;
      const series = seriesOfTimeline(of, timeline);
      const blocks = work === undefined ? series.blocks : work.stream(series.blocks, size);
      await writer.write(part, { ...series, blocks });
    });
  }
  await writing.end();
}

/** The timeline of a variable, with its values as they are blended. */
export function seriesOfTimeline(
  { slug, units, axis, pairing }: TimelineOfVariable,
  { places, blocks, sample }: PairedTimeline,
): Series {
  // Where members change over from region to region, fields have no grid that all places share.
  const sampled = pairing.regions === undefined ? (count: number) => sample(slug, count) : undefined;
  return { slug, units, axis, places, blocks: blocks(slug), sample: sampled };
}

/**
 * Looks whether horizons have the places of the shortest one, on whatever grid. Says how many they do not have; throws
 * DataError where a horizon has none of them, as its days would be missing everywhere.
 */
function assertCovered(horizons: ReadonlyMap<HorizonName, Dataset>, onNotice: BlendStoredOptions['onNotice']): void {
  const [[name, { places }], ...others] = horizons;
  const { latitude, longitude } = places;
  for (const [other, dataset] of others) {
    if (dataset.places === places) continue;
    let outside = 0;
    for (let cell = 0; cell < latitude.length; cell++) {
      const point = { latitude: latitude[cell], longitude: longitude[cell] };
      if (dataset.places.covering(point) === undefined) outside++;
    }
    if (outside === 0) continue;
    if (outside < latitude.length) {
      onNotice?.(
        `${outside} of ${latitude.length} places of the ${name} horizon have no ${other} data: they are missing`,
      );
      continue;
    }
    throw new DataError({
      source: `the ${other} horizon`,
      problem: `has no place within a grid step of any of the ${name} horizon`,
      received: `${dataset.places.latitude.length} places`,
      allowed: `horizons of one region, on any grid: both are ingested together, with ${mentionOption('replace', true)}`,
    });
  }
}

/** Says by what members are paired where that is not what is usual. */
function noticePairing(horizons: ReadonlyMap<HorizonName, Dataset>, { pairBy, onNotice }: BlendStoredOptions): void {
  const datasets = [...horizons.values()];
  if (pairBy !== undefined || datasets.length === 0) return;
  const isEverywhere = (slug: string) => datasets.every(({ variables }) => variables.has(slug));
  const [first] = usualPairing([...datasets[0].variables.keys()].filter(isEverywhere));
  if (first === undefined || PAIR_BY.includes(first)) return;
  onNotice?.(`members are paired by ${first}, as not all horizons have ${PAIR_BY.join(' or ')}`);
}

/** Which days of some horizons lie beyond their part of a timeline; each once. */
function daysBeyond(
  horizons: ReadonlyMap<HorizonName, Dataset>,
  pairing: Pairing,
  given: readonly HorizonName[],
): ReadonlySet<string> {
  const texts = new Set<string>();
  [...horizons].forEach(([name, { variables }], h) => {
    if (!given.includes(name)) return;
    for (const axis of variables.values()) {
      const text = describeDaysBeyondSpan({ name, ...axis }, pairing, pairing.horizons[h]);
      if (text !== undefined) texts.add(`${name}: ${text}`);
    }
  });
  return texts;
}
