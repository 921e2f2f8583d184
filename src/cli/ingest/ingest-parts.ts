import { parseBytes } from '../../batch/byte-count.js';
import type { WorkOptions } from '../../check/work.js';
import type { Places, Point } from '../../ensemble/nearest-place.js';
import { OptionError } from '../../errors.js';
import type { ForecastInput, RejectedRun } from '../../service/ingest/forecast-input.js';
import {
  type ForecastFile,
  ingestClimatology,
  ingestElevation,
  ingestForecast,
  ingestHistory,
  reblendForecast,
} from '../../service/ingest/index.js';
import { describeOtherStarts } from '../../service/ingest/ingest-climatology.js';
import { DEFAULT_MEMORY } from '../../service/ingest/store-writer.js';
import type { InThreads } from '../../service/ingest/variable-threads.js';
import type { StoreUpdate } from '../../service/source/folder/index.node.js';
import type { HistoryPart } from '../../service/source/folder/store-part.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import type { HorizonName } from '../../variable/availability.js';
import { resolveVariable } from '../../variable/find-variable.js';
import { progressOfValues } from '../progress-text.js';
import {
  climatologyFiles,
  listDataFiles,
  type ReadingOptions,
  readElevationFile,
  stateOfFiles,
} from './ingest-files.js';
import { IngestThreads, ingestThreads } from './ingest-threads.js';
import type { ThreadSettings } from './thread-messages.js';

/** Files by their option. */
export type FileOptions = Partial<Record<ForecastOption | HistoryOption | 'climatology', string[]>>;

/** Values of flags, besides flags of values. */
export interface IngestFlags extends FileOptions {
  store: string;
  elevation?: string;
  climatologyOf?: 'observations' | HorizonName;
  variable?: string[];
  at?: Point;
  columns?: ColumnRoles;
  initTime?: string;
  modelVersion?: string;
  generation?: string;
  nextRun?: string;
  pairBy?: string[];
  attribution?: string;
  replace?: boolean;
  allowOlder?: boolean;
  minMembers?: number;
  minDays?: number;
  keepIssued?: true | Point[];
  memory?: string;
  precision?: string;
  reblend?: boolean;
  dryRun?: boolean;
  join?: string;
  threads?: number;
}

/** By their option, what a forecast's files are of. */
export const FORECASTS = {
  shortTerm: { horizon: 'short-term', fine: false },
  subseasonal: { horizon: 'subseasonal', fine: false },
  seasonal: { horizon: 'seasonal', fine: false },
  fineShortTerm: { horizon: 'short-term', fine: true },
  fineSubseasonal: { horizon: 'subseasonal', fine: true },
  fineSeasonal: { horizon: 'seasonal', fine: true },
} as const satisfies Record<string, { horizon: HorizonName; fine: boolean }>;

/** By their option, what a history's files are of. */
export const HISTORIES = {
  history: 'reanalysis',
  recentHistory: 'analysis',
  fineHistory: 'fine-reanalysis',
  fineRecentHistory: 'fine-analysis',
} as const satisfies Record<string, HistoryPart>;

export type ForecastOption = keyof typeof FORECASTS;
type HistoryOption = keyof typeof HISTORIES;

/** Puts what the flags name into a store; returns runs of forecasts that have too little. */
export async function writeParts(
  update: StoreUpdate,
  options: IngestFlags,
  reading: ReadingOptions,
  onNotice: (text: string) => void,
): Promise<readonly RejectedRun[]> {
  const { core, progress } = reading;
  const { replace } = options;
  const started = Date.now();
  const onProgress: WorkOptions['onProgress'] = (done) => progress.report(progressOfValues(done, started));
  const memory = options.memory === undefined ? undefined : parseBytes('memory', options.memory);
  const precision = options.precision === undefined ? undefined : parsePrecision(options.precision);
  let rejected: readonly RejectedRun[] = [];
  let written: readonly HorizonName[] = [];
  const files: ForecastFile[] = [];
  const givenOf = new Map<string, readonly string[]>();
  for (const [name, kind] of Object.entries(FORECASTS)) {
    const given = options[name as ForecastOption] ?? [];
    const paths = await reading.fetched.join(given);
    const state = await stateOfFiles(given, reading);
    for (const file of await listDataFiles(paths, reading, state)) {
      files.push({ ...file, ...kind });
      givenOf.set(file.source, given);
    }
  }
  if (files.length > 0) {
    const { modelVersion: version, nextRun: nextInitTime, initTime, generation, pairBy, allowOlder } = options;
    const names = { version, generation, initTime, nextInitTime };
    const { minMembers, minDays } = options;
    const limits = { replace, allowOlder, minMembers, minDays, memory, precision };
    const keepIssued = issuedPlaces(options.keepIssued);
    const threads = startThreads(update, options, reading, { memory, precision, replace, givenOf, onNotice });
    try {
      const others: Omit<ForecastInput, 'files'> & InThreads = { keepIssued, onNotice, onProgress, threads };
      ({ rejected, written } = await ingestForecast(core, update, { files, ...names, pairBy, ...limits, ...others }));
    } finally {
      await threads?.end();
    }
  }
  if (options.reblend === true) await reblendForecast(core, update, { pairBy: options.pairBy, onNotice });
  for (const [name, part] of Object.entries(HISTORIES)) {
    const given = options[name as HistoryOption];
    if (given === undefined) continue;
    const files = await listDataFiles(
      await reading.fetched.joinedByPattern(given),
      reading,
      await stateOfFiles(given, reading),
    );
    await ingestHistory(update, part, { files, replace, memory, precision, onNotice, onProgress });
  }
  const { elevation, climatology, climatologyOf = 'observations' } = options;
  if (elevation !== undefined)
    await ingestElevation(update, await readElevationFile(elevation, reading), elevation, { replace });
  if (climatology !== undefined) {
    await ingestClimatology(update, climatologyOf, { files: climatologyFiles(climatology, reading), replace });
  }
  for (const text of await describeOtherStarts(update, written)) onNotice(text);
  return rejected;
}

/** The threads that write variables; undefined where there would be one, or where nothing is written. */
function startThreads(
  update: StoreUpdate,
  { store, dryRun, threads: requested }: IngestFlags,
  { columns, values, fetched: { pattern }, report }: ReadingOptions,
  given: Omit<ThreadSettings['writing'], 'memory'> & {
    readonly memory: number | undefined;
    readonly givenOf: ReadonlyMap<string, readonly string[]>;
    readonly onNotice: (text: string) => void;
  },
): IngestThreads | undefined {
  const { memory = DEFAULT_MEMORY, precision, replace, givenOf, onNotice } = given;
  const threads = ingestThreads(memory, requested);
  if (threads === 1 || dryRun === true) return undefined;
  const settings = {
    ...{ store, reading: { columns, values, pattern } },
    writing: { precision, replace, memory: memory / threads },
  };
  if (!canBeSent(settings)) return undefined;
  return new IngestThreads(update, {
    ...{ threads, isRequested: requested !== undefined, report, onNotice, settings },
    givenOf: (source) => givenOf.get(source) ?? [],
  });
}

/** Whether a thread can have a value: time zones of places are functions. */
function canBeSent(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}

/** Where runs are kept as they were issued. */
function issuedPlaces(given: IngestFlags['keepIssued']): boolean | Places {
  if (given === undefined || given === true) return given ?? false;
  return {
    latitude: Float64Array.from(given, ({ latitude }) => latitude),
    longitude: Float64Array.from(given, ({ longitude }) => longitude),
  };
}
/** `decimals`, or `temp_mean=0.05,precipitation=0.1`. */
function parsePrecision(text: string): 'decimals' | Record<string, number> {
  if (text === 'decimals') return text;
  return Object.fromEntries(
    text.split(',').map((each) => {
      const [slug, number = ''] = each.split('=');
      if (number !== '' && Number(number) > 0) return [resolveVariable(slug.trim()).variable.slug, Number(number)];
      throw new OptionError({
        ...{ subject: '--precision', problem: 'is not one for each variable', received: text },
        allowed: 'such as temp_mean=0.05,precipitation=0.1, or decimals',
      });
    }),
  );
}
