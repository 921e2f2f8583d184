import { HORIZONS } from '../../../variable/availability.js';
import type { Dataset } from '../dataset.js';
import { gapFilled } from '../gap-filled.js';
import type { ForecastRun, HistoryData, HorizonRun, SkillRecord, Snapshot } from '../source.js';
import type { Manifest, StoreRecord } from './manifest.js';
import type { StoreFiles } from './store-files.node.js';
import type { StorePart } from './store-part.js';

type Datasets = ReadonlyMap<StorePart, Dataset>;

/** Opens the files that a manifest names; climatologies are loaded on demand. Rejects with FileError or FormatError. */
export async function openSnapshot(manifest: Manifest, files: StoreFiles): Promise<Snapshot> {
  const { parts, elevation, preloaded, issued, record, attribution, revision } = manifest;
  const datasets: Datasets = new Map(
    await Promise.all([...parts].map(async ([part, entry]) => [part, await files.dataset(entry)] as const)),
  );
  const points = preloaded === undefined ? undefined : await files.preloaded(preloaded);
  return {
    forecast: forecastRun(manifest, datasets),
    history: history(datasets, (latitude, longitude) => points?.has(latitude, longitude) ?? false),
    elevation: elevation === undefined ? undefined : await files.elevation(elevation),
    climatology: (...requested) => climatology(manifest, files, requested),
    issued: issued.map((entry) => ({
      horizon: entry.horizon,
      initTime: entry.initTime,
      open: () => files.dataset(entry),
    })),
    record: record && (await openRecord(record, files)),
    attribution,
    revision,
  };
}

async function openRecord({ revision, updated, series }: StoreRecord, files: StoreFiles): Promise<SkillRecord> {
  const opened = series.map(async (one) => {
    const { horizon, granularity, slug, leads } = one;
    return { horizon, granularity, slug, leads, data: await files.recorded(one) };
  });
  return { revision, updated, series: await Promise.all(opened) };
}

function forecastRun({ forecast, generation }: Manifest, datasets: Datasets): ForecastRun | undefined {
  const timeline = datasets.get('timeline');
  if (forecast === undefined || timeline === undefined) return undefined;
  const { initTime, version, nextInitTime, horizonInitTimes, shortfalls } = forecast;
  const horizons: Partial<Record<(typeof HORIZONS)[number], HorizonRun>> = {};
  for (const horizon of HORIZONS) {
    const data = datasets.get(horizon);
    const initTime = horizonInitTimes[horizon];
    if (data !== undefined && initTime !== undefined) {
      horizons[horizon] = { initTime, data, fine: datasets.get(`fine-${horizon}`) };
    }
  }
  const fineTimeline = datasets.get('fine-timeline');
  const names = { initTime, version, generation: generation ?? forecast.generation, nextInitTime };
  return { ...names, timeline, fineTimeline, horizons, shortfalls };
}

function history(datasets: Datasets, isPreloaded: HistoryData['isPreloaded']): HistoryData | undefined {
  const data = fillReanalysis(datasets, 'reanalysis', 'analysis');
  if (data === undefined) return undefined;
  return { data, fine: fillReanalysis(datasets, 'fine-reanalysis', 'fine-analysis'), isPreloaded };
}

/** The reanalysis, with its gaps filled from the analysis, or the one of them that there is. */
function fillReanalysis(datasets: Datasets, first: StorePart, second: StorePart): Dataset | undefined {
  const [reanalysis, analysis] = [datasets.get(first), datasets.get(second)];
  if (reanalysis === undefined || analysis === undefined) return reanalysis ?? analysis;
  return gapFilled([
    { name: 'reanalysis', data: reanalysis },
    { name: 'analysis', data: analysis },
  ]);
}

function climatology(
  { climatologies }: Manifest,
  files: StoreFiles,
  [of, granularity, slug]: Parameters<NonNullable<Snapshot['climatology']>>,
) {
  const entry = climatologies.find((each) => each.of === of && each.granularity === granularity && each.slug === slug);
  return entry === undefined ? undefined : files.climatology(entry);
}
