import { PlaceIndex } from '../../../src/ensemble/place-index.js';
import { windowTable } from '../../../src/period/period.js';
import type {
  ForecastAnswer,
  HistoryAnswer,
  LegacyAnswer,
  MembersAnswer,
  StatisticsAnswer,
} from '../../../src/respond/answer-data.js';
import type { KeyStore } from '../../../src/service/access/key-store.js';
import type { LocationStore, StoredLocation } from '../../../src/service/access/locations.js';
import type { Answers } from '../../../src/service/endpoints/answers.js';
import { createHandler } from '../../../src/service/handler/create-handler.js';
import type { HandlerOptions } from '../../../src/service/handler/handler-options.js';
import type { Dataset } from '../../../src/service/source/dataset.js';
import type { ForecastRun, Snapshot } from '../../../src/service/source/source.js';
import { findVariable } from '../../../src/variable/find-variable.js';

/** Noon of a day whose forecast's next run is expected six hours later. */
export const NOON = new Date('2026-03-02T12:00:00Z');

/** What a key of the fake service is worth. */
export const KEY = 'secret-of-field';
export const FINE_KEY = 'secret-of-1km';

/** The id of its requests: else each response would have a new one. */
export const REQUEST_ID = 'request-1';

export function dataset(revision: string): Dataset {
  const places = new PlaceIndex({ latitude: Float64Array.of(37.25), longitude: Float64Array.of(-79.75) });
  return { revision, places, variables: new Map(), read: () => {} };
}

export function forecastRun(more: Partial<ForecastRun> = {}): ForecastRun {
  const run = { initTime: '2026-03-02T00:00:00Z', data: dataset('horizon-1') };
  return {
    initTime: '2026-03-02T00:00:00Z',
    version: 'model-1',
    generation: 'run-1',
    nextInitTime: '2026-03-02T18:00:00Z',
    timeline: dataset('timeline-1'),
    horizons: { 'short-term': run, subseasonal: run, seasonal: run },
    ...more,
  };
}

export function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return { forecast: forecastRun(), history: { data: dataset('history-1'), isPreloaded: () => true }, ...more };
}

const keys: KeyStore = {
  find(key) {
    if (key === KEY) return { id: 'key-1', owner: 'field', downscaling: false };
    return key === FINE_KEY ? { id: 'key-2', owner: 'fine', downscaling: true } : undefined;
  },
};

const stored: readonly StoredLocation[] = [
  { id: 'everybodys', latitude: 37.5, longitude: -79.5 },
  { id: 'fines-own', latitude: 37, longitude: -80, owner: 'fine' },
];

const locations: LocationStore = {
  find: (id, owner) => stored.find((place) => place.id === id && (place.owner === undefined || place.owner === owner)),
};

/** A call of the fake answers: which, and with what query. */
export interface AnswerCall {
  readonly answer: keyof Answers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any field of any query
  readonly query: any;
}

const PLACE = { latitude: 37.25, longitude: -79.75 };
const RAIN = findVariable('precipitation');

const forecast: ForecastAnswer = {
  initTime: '2026-03-02T00:00:00Z',
  version: 'model-1',
  generation: 'run-1',
  requested: PLACE,
  closest: PLACE,
  period: undefined,
};

/** Answers of one variable and two days, which record their arguments in `calls`. */
export function fakeAnswers(calls: AnswerCall[] = []): Answers {
  const windows = windowTable('daily', 20_514, 20_515);
  const values = Float32Array.of(1.5, 2.5);
  const history = { granularity: 'daily', location: PLACE, period: undefined } as const;
  const legacy = { granularity: 'daily', location: PLACE, dropped: [] } satisfies LegacyAnswer;
  const rain = { variable: RAIN, downscaled: false, location: PLACE };
  return {
    async members(_, query): Promise<MembersAnswer> {
      calls.push({ answer: 'members', query });
      return { ...forecast, variables: [{ ...rain, firstDay: 20_514, days: 2, members: [values, values] }] };
    },
    statistics(_, query): StatisticsAnswer {
      calls.push({ answer: 'statistics', query });
      const { granularity, quantiles } = query;
      const statistics = {
        length: 2,
        mean: values,
        quantiles: quantiles.map(() => values),
        probabilities: [],
        categories: [],
        members: Int32Array.of(31, 31),
      };
      return { ...forecast, granularity, quantiles, variables: [{ ...rain, windows, statistics }] };
    },
    async history(_, query): Promise<HistoryAnswer> {
      calls.push({ answer: 'history', query });
      return { ...history, variables: [{ ...rain, windows, values }] };
    },
    async legacyForecast(_, query) {
      calls.push({ answer: 'legacyForecast', query });
      return { ...legacy, locationId: query.locationId, initTime: forecast.initTime, variables: [] };
    },
    async legacyHistory(_, query) {
      calls.push({ answer: 'legacyHistory', query });
      return { ...legacy, locationId: query.locationId, variables: [] };
    },
    async legacyClimatology(_, query) {
      calls.push({ answer: 'legacyClimatology', query });
      return { ...legacy, locationId: query.locationId, referencePeriod: '1993-2022', keys: [], variables: [] };
    },
  };
}

/** A service of fakes, and a way to ask it. */
export function fakeService(options: Partial<HandlerOptions> = {}) {
  const calls: AnswerCall[] = [];
  const handler = createHandler({
    source: { snapshot: () => snapshot() },
    keys,
    locations,
    answers: fakeAnswers(calls),
    now: () => NOON,
    ...options,
  });
  /** Asks for a path, with a good key and an id unless headers say otherwise. */
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const given = { 'x-api-key': KEY, 'x-request-id': REQUEST_ID, ...headers };
    return handler(new Request(`http://service.test${path}`, { method, headers: given }));
  };
  return { handler, ask, calls };
}

/** The headers of a response by name. */
export function createHeaders({ headers }: Response): Record<string, string> {
  const found: Record<string, string> = {};
  headers.forEach((value, name) => {
    found[name] = value;
  });
  return found;
}

/** The body of a problem. */
export async function problemOf(response: Response) {
  const body = await response.json();
  return { ...body, contentType: response.headers.get('content-type') } as {
    type: string;
    title: string;
    status: number;
    detail: string;
    instance?: string;
    code: string;
    id?: string;
    errors?: { parameter: string; detail: string; received?: string; allowed: string }[];
    contentType: string;
  };
}
