import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Core } from '../../core/load.js';
import { OptionError } from '../../errors.js';
import { HORIZONS, type HorizonName, type Product } from '../../variable/availability.js';
import { blendedDataset } from '../ingest/blended-dataset.js';
import type { Dataset } from '../source/dataset.js';
import type { ForecastRun, HistoryData, HorizonRun, Snapshot } from '../source/source.js';
import type { ZarrArchive, ZarrSourceOptions } from './archive-options.js';
import type { OpenPart } from './open-archive-part.js';

/** The parts of a snapshot that are not read from stores. */
export type SnapshotExtras = Pick<ZarrArchive, 'climatology' | 'elevation'> &
  Pick<ZarrSourceOptions, 'attribution' | 'version' | 'pairBy'>;

const PAIR_BY = 'temp_mean';

/**
 * Creates the snapshot of an archive's opened parts. Throws DataError where horizons do not follow each other, and
 * OptionError where they have no common variable to be joined by.
 */
export function createArchiveSnapshot(
  core: Core,
  parts: ReadonlyMap<Product, OpenPart>,
  { climatology, elevation, attribution, version, pairBy }: SnapshotExtras,
): Snapshot {
  return {
    forecast: forecastRun(core, parts, version, pairBy),
    history: historyData(parts.get('history')),
    ...{ climatology, elevation, attribution },
  };
}

function forecastRun(
  core: Core,
  parts: ReadonlyMap<Product, OpenPart>,
  version: string | undefined,
  pairBy: string | undefined,
): ForecastRun | undefined {
  const names = HORIZONS.filter((horizon) => parts.has(horizon));
  if (names.length === 0) return undefined;
  const opened = names.map((name) => parts.get(name) as OpenPart);
  const runs = names.map((name, h): [HorizonName, HorizonRun] => {
    const { initTime, dataset } = opened[h];
    return [name, { initTime, data: dataset }];
  });
  const datasets: Partial<Record<HorizonName, Dataset>> = Object.fromEntries(
    runs.map(([name, { data }]) => [name, data]),
  );
  const [{ initTime }] = opened;
  return {
    initTime,
    version: version ?? opened.find((part) => part.version !== undefined)?.version ?? 'unknown',
    generation: `${initTime}-${shortHash(opened.map(({ dataset }) => dataset.revision).join('+'))}`,
    timeline: blendedDataset(core, datasets, { pairBy: pairBy ?? commonVariable(opened) }),
    horizons: Object.fromEntries(runs),
  };
}

/** A variable that all horizons have. */
function commonVariable(parts: readonly OpenPart[]): string {
  const isCommon = (slug: string) => parts.every(({ dataset }) => dataset.variables.has(slug));
  const slug = [PAIR_BY, ...parts[0].dataset.variables.keys()].find(isCommon);
  if (slug !== undefined) return slug;
  throw new OptionError({
    subject: 'archive',
    problem: 'horizons have no common variable to be joined by',
    allowed: `a variable that all horizons have, ${PAIR_BY} best of all`,
  });
}

/** All places of an archive count as pre-loaded: any can be read at any time. */
function historyData(part: OpenPart | undefined): HistoryData | undefined {
  if (part === undefined) return undefined;
  const { dataset } = part;
  const isPreloaded = (latitude: number, longitude: number) =>
    dataset.places.covering({ latitude, longitude }) !== undefined;
  return { data: dataset, isPreloaded };
}

function shortHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, 8);
}
