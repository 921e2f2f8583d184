import type { Table } from 'apache-arrow';
import { expect } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTables } from '../../src/demo/demo-table.js';
import { formatDate, parseDate } from '../../src/period/day.js';
import { createHandler, type Handler, type HandlerOptions } from '../../src/service/handler/index.js';
import { ingestForecast, ingestHistory } from '../../src/service/ingest/index.js';
import { gapFilled, memoryKeys, memoryLocations, memorySource, type Snapshot } from '../../src/service/source/index.js';
import { HORIZONS, type HorizonName } from '../../src/variable/availability.js';
import { filesOf, RecordingWriter } from '../service/ingest/recording-writer.js';
import { withMissing } from './missing-days.js';
import type { Series } from './slow-statistics.js';
import { send } from './transport.js';

/** The first complete day of the short-term run, which was issued the noon before: a Thursday. */
export const TODAY = '2026-03-05';

/** The place of most requests, near the first of PLACES. */
export const AT = 'lat=37.3&lon=-80.05';

/** Where there are 1 km data, near the second of FINE_PLACES. */
export const AT_FINE = 'lat=37.257&lon=-80.0002';

export const PLACES = [
  { latitude: 37.25, longitude: -80 },
  { latitude: 37.25, longitude: -79.75 },
  { latitude: 37.5, longitude: -80 },
];

export const FINE_PLACES = [
  { latitude: 37.25, longitude: -80 },
  { latitude: 37.2583, longitude: -80 },
  { latitude: 37.25, longitude: -79.9917 },
];

/** Elevation of the first of PLACES; that of the others is not known. */
export const METRES = 507;

/** Keys: of `farm`, without 1 km data, and of `estate`, with them. */
export const KEY = 'key-of-farm';
export const FINE_KEY = 'key-of-estate';

export const LOCATIONS = [
  { id: 'field', latitude: 37.3, longitude: -80.05 },
  { id: 'not-preloaded', latitude: 37.5, longitude: -80 },
  { id: 'of-estate', latitude: 37.25, longitude: -80, owner: 'estate' },
];

/** Each run begins on a day of its own; the first day of the short-term run is not complete. */
const RUNS: Record<HorizonName, { initDate: number; days: number; members: number; seed: number }> = {
  'short-term': { initDate: day(-1), days: 16, members: 31, seed: 1 },
  subseasonal: { initDate: day(-2), days: 46, members: 31, seed: 2 },
  seasonal: { initDate: day(-4), days: 220, members: 51, seed: 3 },
};

const HISTORY_START = parseDate('1993-01-01');
/** The reanalysis ends a week before today, the analysis on the day before it. */
const SPANS = {
  reanalysis: { initDate: HISTORY_START, days: day(-6) - HISTORY_START, members: 1, seed: 4 },
  analysis: { initDate: day(-60), days: 60, members: 1, seed: 5 },
};

/** A day that neither source has, for any variable, at the first of PLACES. */
export const MISSING = '2025-11-12';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any form
export type Body = any;

/** A service of data in memory, and the data that it was made of. */
export interface Service {
  readonly data: Snapshot;
  readonly handler: Handler;
  /** The response to a request with the farm's key, unless headers say otherwise. */
  request(path: string, headers?: Record<string, string>, method?: string): Promise<Response>;
  /** The body of a successful answer. */
  get(path: string, key?: string): Promise<Body>;
  /** The problem of an answer that must have this status. */
  problem(status: number, path: string, headers?: Record<string, string>): Promise<Body>;
  /** A variable of a horizon's run at one of PLACES, from its first complete day on. */
  run(horizon: HorizonName, slug: string, place?: number): Series;
  /** A variable of the reanalysis or the analysis at one of PLACES. */
  observed(source: 'reanalysis' | 'analysis', slug: string, place?: number): Series;
}

/** Forecasts from TODAY, a history from 1993 whose last week is of the analysis, 1 km data of both, keys, locations. */
async function createConformanceService(seasonalMembers: number): Promise<Service> {
  const core = await loadCore();
  const writer = new RecordingWriter();
  const runs = { ...RUNS, seasonal: { ...RUNS.seasonal, members: seasonalMembers } };
  const tablesOf = (horizon: HorizonName, locations: typeof PLACES, seed: number) =>
    demoTables({ horizon, locations, ...runs[horizon], seed });
  const coarse = Object.fromEntries(HORIZONS.map((h) => [h, tablesOf(h, PLACES, runs[h].seed)])) as Record<
    HorizonName,
    Record<string, Table>
  >;
  const files = HORIZONS.flatMap((h) => [
    ...filesOf(h, coarse[h]),
    ...filesOf(h, tablesOf(h, FINE_PLACES, runs[h].seed + 40), true),
  ]);
  await ingestForecast(core, writer, { files, generation: 'run-1', initTime: '2026-03-04T12:00:00Z' });
  const history = {
    reanalysis: demoTables({ ...SPANS.reanalysis, locations: PLACES }),
    analysis: demoTables({ ...SPANS.analysis, locations: PLACES }),
  };
  await ingestHistory(writer, 'reanalysis', { files: filesOf('seasonal', history.reanalysis) });
  await ingestHistory(writer, 'analysis', { files: filesOf('seasonal', history.analysis) });
  const fineHistory = demoTables({ ...SPANS.analysis, seed: 45, locations: FINE_PLACES });
  await ingestHistory(writer, 'fine-analysis', { files: filesOf('seasonal', fineHistory) });

  const { initTime, version, generation, nextInitTime, horizonInitTimes } = writer.header as Required<
    NonNullable<RecordingWriter['header']>
  >;
  const run = (h: HorizonName) => ({
    ...{ initTime: horizonInitTimes[h] as string, data: writer.dataset(h), fine: writer.dataset(`fine-${h}`) },
  });
  const reanalysis = withMissing(writer.dataset('reanalysis'), (_, cell, date) => cell === 0 && date === MISSING);
  const sources = [
    { name: 'reanalysis', data: reanalysis },
    { name: 'analysis', data: writer.dataset('analysis') },
  ];
  const data: Snapshot = {
    forecast: {
      ...{ initTime, version, generation, nextInitTime },
      timeline: writer.dataset('timeline'),
      fineTimeline: writer.dataset('fine-timeline'),
      horizons: { 'short-term': run('short-term'), subseasonal: run('subseasonal'), seasonal: run('seasonal') },
    },
    history: {
      data: gapFilled(sources),
      fine: writer.dataset('fine-analysis'),
      isPreloaded: (latitude, longitude) => latitude === 37.25 && longitude === -80,
    },
    elevation: (latitude, longitude) => (latitude === 37.25 && longitude === -80 ? METRES : Number.NaN),
    attribution: 'Made for tests.',
  };
  return {
    data,
    ...createService({ source: memorySource(data) }),
    run: (h, slug, place = 0) => seriesOf(coarse[h][slug], runs[h], place, h === 'short-term' ? 1 : 0),
    observed: (source, slug, place = 0) =>
      seriesOf((history[source] as Record<string, Table>)[slug], SPANS[source], place, 0),
  };
}

const services = new Map<number, Promise<Service>>();

/** The service that all tests share, made once for each number of members of the seasonal run. */
export function conformanceService({ seasonalMembers = 51 } = {}): Promise<Service> {
  const service = services.get(seasonalMembers) ?? createConformanceService(seasonalMembers);
  services.set(seasonalMembers, service);
  return service;
}

/** A handler of a source, and functions that send requests to it. */
export function createService(options: Partial<HandlerOptions> & Pick<HandlerOptions, 'source'>) {
  const handler = createHandler({
    keys: memoryKeys([
      { id: 'farm-1', owner: 'farm', downscaling: false, key: KEY },
      { id: 'estate-1', owner: 'estate', downscaling: true, key: FINE_KEY },
    ]),
    locations: memoryLocations(LOCATIONS),
    now: () => new Date(`${TODAY}T12:00:00Z`),
    ...options,
  });
  const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(handler, `http://service.test${path}`, { method, headers: { 'X-Api-Key': KEY, ...headers } });
  return {
    handler,
    request,
    async get(path: string, key = KEY): Promise<Body> {
      const response = await request(path, { 'X-Api-Key': key });
      const body = await response.json();
      expect([path, response.status, body.errors]).toEqual([path, 200, undefined]);
      return body;
    },
    async problem(status: number, path: string, headers: Record<string, string> = {}): Promise<Body> {
      const response = await request(path, headers);
      expect([path, response.status]).toEqual([path, status]);
      return response.json();
    },
  };
}

function day(fromToday: number): number {
  return parseDate(TODAY) + fromToday;
}

function seriesOf(
  table: Table,
  { initDate, days, members }: (typeof RUNS)[HorizonName],
  place: number,
  skip: number,
): Series {
  const width = String(members - 1).length < 2 ? 2 : String(members - 1).length;
  return {
    first: formatDate(initDate + skip),
    members: Array.from({ length: members }, (_, m) => {
      const values: Float32Array = table.getChild(`member_${String(m).padStart(width, '0')}`)?.toArray();
      return [...values.subarray(place * days + skip, (place + 1) * days)];
    }),
  };
}
