import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { PlaceIndex } from '../../../src/ensemble/place-index.js';
import { FileError } from '../../../src/errors.js';
import { dayNumber } from '../../../src/period/day.js';
import { JsonWriter } from '../../../src/respond/json-writer.js';
import { createAnswers } from '../../../src/service/endpoints/answers.js';
import { QUERY_FIELDS } from '../../../src/service/endpoints/query-fields.js';
import { StatisticsBodies } from '../../../src/service/endpoints/statistics-bodies.js';
import { createHandler } from '../../../src/service/handler/create-handler.js';
import { CoreBuffers } from '../../../src/service/point/core-buffers.js';
import { PlaceSums, RECORD_NUMBERS } from '../../../src/service/record/record-sums.js';
import type { Dataset } from '../../../src/service/source/dataset.js';
import type { SkillSeries, Snapshot } from '../../../src/service/source/source.js';
import { DEFAULT_QUANTILES } from '../../../src/statistics/options.js';
import { findVariable } from '../../../src/variable/index.js';
import { statisticsJson } from '../../respond/json-bodies.js';
import { randomValues } from '../../skill/random-cases.js';

const AXIS = { firstDay: dayNumber(2026, 3, 2), days: 45, members: 7 };
const HORIZON_DAYS = [
  { horizon: 'short-term', firstDay: AXIS.firstDay, lastDay: AXIS.firstDay + 14 },
  { horizon: 'seasonal', firstDay: AXIS.firstDay + 12, lastDay: AXIS.firstDay + 44 },
] as const;
const CELLS = 12;
const SLUGS = ['precipitation', 'temp_mean', 'wind_speed'];
const VALUES = AXIS.days * AXIS.members;
const places = new PlaceIndex({
  latitude: Float64Array.from({ length: CELLS }, (_, i) => 36.5 + 0.25 * Math.floor(i / 4)),
  longitude: Float64Array.from({ length: CELLS }, (_, i) => 279.5 + 0.25 * (i % 4)),
});

/** A timeline of given values for all variables, whose reads are counted by their kind. */
function timelineOf(values: (slug: string, cell: number) => ArrayLike<number>, revision = 'r1') {
  const reads = { later: 0, now: 0 };
  const timeline: Dataset & Required<Pick<Dataset, 'readNow'>> = {
    revision,
    places,
    variables: new Map(SLUGS.map((slug) => [slug, slug === 'wind_speed' ? AXIS : { ...AXIS, horizons: HORIZON_DAYS }])),
    read(slug, cell, into) {
      reads.later++;
      into.set(values(slug, cell));
    },
    readNow(slug, cell, into) {
      reads.now++;
      into.set(values(slug, cell));
      return true;
    },
  };
  return { timeline, reads };
}

function snapshotOf(timeline: Dataset, version = 'v:null'): Snapshot {
  const initTime = '2026-03-02T00:00:00Z';
  const horizons = Object.fromEntries(HORIZON_DAYS.map(({ horizon }) => [horizon, { initTime, data: timeline }]));
  return {
    forecast: { initTime, version, generation: 'g', timeline, horizons },
    record: { revision: 'r', updated: initTime, series: RECORDED },
    attribution: '"A"',
  };
}

/** The places of the record are fewer: the last row of cells has none. */
const recordPlaces = new PlaceIndex({
  latitude: places.latitude.slice(0, 8),
  longitude: places.longitude.slice(0, 8),
});

/** The record of both horizons in all windows: of precipitation without the seasonal one, and none of the wind speed. */
const RECORDED = (['daily', 'weekly', 'monthly'] as const).flatMap((granularity, g) =>
  HORIZON_DAYS.flatMap(({ horizon }, h) =>
    SLUGS.slice(0, 2 - h).map((slug): SkillSeries => {
      const classes = [20, 5, 2][g];
      const fill = (cell: number, into: Float32Array) => {
        const sums = new PlaceSums(1, classes);
        const random = randomValues(cell * 97 + g * 7 + h);
        const scores = {
          crps: numbers(random),
          referenceCrps: numbers(random),
          rps: numbers(random),
          referenceRps: numbers(random),
        };
        for (let at = 0; at < classes; at++) {
          // Some classes have no cases, too few, or enough; the first cell has none at all.
          const count = cell === 0 ? 0 : [0, 12, 20, 31][Math.floor(4 * random())];
          for (let i = 0; i < count; i++)
            sums.add(0, at, { firstDay: AXIS.firstDay - 40 - at - i, lastDay: AXIS.firstDay - 30 + at - i }, scores, i);
        }
        into.set(sums.block(0));
      };
      const data: Dataset = {
        ...{ revision: 'r', places: recordPlaces },
        variables: new Map([[slug, { firstDay: 0, days: classes, members: RECORD_NUMBERS }]]),
        read: (_, cell, into) => fill(cell, into),
        readNow: (_, cell, into) => {
          fill(cell, into);
          return true;
        },
      };
      return { horizon, granularity, slug, data, leads: [] };
    }),
  ),
);

function numbers(random: () => number): Float64Array {
  return Float64Array.from({ length: 31 }, random);
}

/** Services of the same data: one writes usual bodies at once, the other one never does. */
function servicesOf(data: () => Snapshot, downscaling = false) {
  const keys = { find: () => ({ id: 'k', owner: 'o', downscaling }) };
  const source = { snapshot: async () => data() };
  // The age of runs is in the headers.
  const now = () => new Date('2026-03-02T12:00:00Z');
  const quick = createHandler({ source, keys, now });
  const usual = createHandler({ source, keys, now, answers: createAnswers() });
  return { quick, usual };
}

const get = async (handler: (request: Request) => Promise<Response>, query: string) => {
  const response = await handler(
    new Request(`http://localhost/v2/forecast/statistics?${query}`, { headers: { 'x-api-key': 'k' } }),
  );
  const headers: string[] = [];
  response.headers.forEach((text, name) => {
    // Each request has an id of its own.
    if (name !== 'x-request-id') headers.push(`${name}: ${text}`);
  });
  return { status: response.status, headers, body: await response.text() };
};

/** Values as forecasts have them, missing ones, and such as are halfway between two roundings. */
const value = fc.oneof(
  { weight: 6, arbitrary: fc.float({ min: -400, max: 400, noNaN: true }) },
  { weight: 3, arbitrary: fc.integer({ min: -2000, max: 2000 }).map((n) => n / 8) },
  fc.constantFrom(0, -0, 0.05, 0.25, 1e-7, Number.NaN),
);
/** Where values are too large for the kernel, bodies are written in the usual way. */
const pools = fc.oneof(
  { weight: 4, arbitrary: fc.array(value, { minLength: 40, maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: value }, fc.constantFrom(3e6, 2e9, 1e20)), {
      minLength: 40,
      maxLength: 200,
    }),
  },
);

it('bodies written at once are those of the usual way, to the last byte', async () => {
  const example = fc.record({
    pool: pools,
    granularity: fc.constantFrom('daily', 'weekly', 'monthly'),
    variables: fc.oneof(
      { weight: 7, arbitrary: fc.subarray(SLUGS) },
      { weight: 1, arbitrary: fc.constant(['humidity']) },
    ),
    more: fc.constantFrom('', '&statistics=0.5', '&statistics=0.05,0.95', '&horizons=true', '&skill=true'),
    points: fc.array(fc.tuple(fc.integer({ min: -40, max: 100 }), fc.integer({ min: -40, max: 120 })), {
      minLength: 5,
      maxLength: 9,
    }),
    order: fc.boolean(),
  });
  const seen = { now: 0, statuses: new Set<number>() };
  await fc.assert(
    fc.asyncProperty(example, async ({ pool, granularity, variables, more, points, order }) => {
      const { timeline, reads } = timelineOf((slug, cell) =>
        Float32Array.from({ length: VALUES }, (_, i) => pool[(i * 7 + cell * 31 + slug.length) % pool.length]),
      );
      const data = snapshotOf(timeline);
      const { quick, usual } = servicesOf(() => data);
      const wanted = variables.length === 0 ? '' : `&var=${variables.join(',')}`;
      for (const [north, east] of points) {
        const [lat, lon] = [36.4 + north / 100, -80.6 + east / 100];
        const point = order ? `lat=${lat.toFixed(3)}&lon=${lon}` : `lon=${lon}&lat=${lat.toFixed(2)}`;
        const query = `${point}&granularity=${granularity}${wanted}${more}`;
        const [a, b] = [await get(quick, query), await get(usual, query)];
        expect(a).toEqual(b);
        seen.statuses.add(a.status);
      }
      seen.now += reads.now;
    }),
    { numRuns: 40, seed: 20_261_123 },
  );
  expect(seen.now).toBeGreaterThan(20);
  expect([...seen.statuses].sort()).toEqual([200, 400, 404]);
});

/** Two values of each field of queries that prepared bodies have in common, as parameters write them. */
const TWO_VALUES: Readonly<Record<string, readonly [string, string]>> = {
  variables: ['var=temp_mean', 'var=precipitation,temp_mean'],
  startDay: ['start_date=2026-03-02', 'start_date=2026-03-16'],
  endDay: ['end_date=2026-03-22', 'end_date=2026-04-12'],
  downscaling: ['use_downscaling=true', 'use_downscaling=false'],
  quantiles: ['statistics=0.1,0.5', 'statistics=0.9'],
  granularity: ['granularity=weekly', 'granularity=daily'],
  skill: ['skill=true', 'skill=false'],
  horizons: ['horizons=true', 'horizons=false'],
};
const CONSTANTS = Object.entries(QUERY_FIELDS).flatMap(([name, { role }]) => (role === 'constant' ? name : []));

it('each field of queries that is declared constant has two values to be tried', () => {
  expect(CONSTANTS).toEqual(Object.keys(TWO_VALUES));
});

it.each(CONSTANTS)('bodies for both values of %s are prepared, and those of the usual way', async (name) => {
  const { timeline, reads } = timelineOf((slug, cell) =>
    Float32Array.from({ length: VALUES }, (_, i) => ((i * 7 + cell * 31) % 97) / 8 + slug.length),
  );
  const data = snapshotOf(timeline);
  const { quick, usual } = servicesOf(() => data, true);
  const others = name === 'granularity' ? '' : '&granularity=weekly';
  for (const round of [0, 1, 2]) {
    for (const value of TWO_VALUES[name]) {
      const query = `lat=36.5&lon=${-80.5 + 0.25 * round}&${value}${others}`;
      const before = { ...reads };
      const found = await get(quick, query);
      // The third request of a shape is the first that is answered by what is prepared.
      expect([value, reads.now > before.now, reads.later > before.later]).toEqual([value, round === 2, round < 2]);
      expect(found).toEqual(await get(usual, query));
      expect(found.status).toBe(200);
    }
  }
});

it('bodies with skill are prepared, and those of the usual way, where a place has a record, has none, or is beyond it', async () => {
  const { timeline, reads } = timelineOf((slug, cell) =>
    Float32Array.from({ length: VALUES }, (_, i) => ((i * 7 + cell * 31) % 97) / 8 + slug.length),
  );
  const data = snapshotOf(timeline);
  const { quick, usual } = servicesOf(() => data);
  for (const granularity of ['daily', 'weekly']) {
    const prepared: boolean[] = [];
    for (const cell of [0, 1, 2, 3, 4, 0, 8, 7]) {
      const place = `lat=${36.5 + 0.25 * Math.floor(cell / 4)}&lon=${-80.5 + 0.25 * (cell % 4)}`;
      const query = `${place}&skill=true&granularity=${granularity}&var=${SLUGS.join(',')}`;
      const before = reads.later;
      const found = await get(quick, query);
      prepared.push(reads.later === before);
      expect(found).toEqual(await get(usual, query));
      expect(found.body).toContain('"skill_cases":');
    }
    // After two requests; not at the place where nothing was scored, whose answer lacks the days that others have.
    expect(prepared).toEqual([false, false, true, true, true, false, true, true]);
  }
});

it('bodies of several points with skill are prepared, up to a place without a record, and those of the usual way', async () => {
  const { timeline, reads } = timelineOf((slug, cell) =>
    Float32Array.from({ length: VALUES }, (_, i) => ((i * 7 + cell * 31) % 97) / 8 + slug.length),
  );
  const data = snapshotOf(timeline);
  const { quick, usual } = servicesOf(() => data);
  const place = (cell: number) => `${36.5 + 0.25 * Math.floor(cell / 4)},${-80.5 + 0.25 * (cell % 4)}`;
  for (const granularity of ['daily', 'weekly']) {
    const later: number[] = [];
    for (const cells of [[1], [2, 3], [4, 5], [1, 8, 7, 2, 3, 4, 5, 6, 7, 11, 1, 2], [3, 0, 4, 5], [0, 6]]) {
      const query = `points=${cells.map(place).join(';')}&skill=true&granularity=${granularity}&var=${SLUGS.join(',')}`;
      const before = reads.later;
      const found = await get(quick, query);
      later.push((reads.later - before) / SLUGS.length);
      expect(found).toEqual(await get(usual, query));
      expect(found.status).toBe(200);
    }
    // A place without a record is answered in the usual way; what the first requests are for is learnt once.
    expect(later.slice(2)).toEqual([0, 0, 1, 1]);
  }
});

it('the third request of a shape is the first whose values are read to their place, until the run changes', async () => {
  const first = timelineOf(() => new Float32Array(VALUES).fill(1));
  const second = timelineOf(() => new Float32Array(VALUES).fill(2), 'r2');
  const snapshots = [first, second].map(({ timeline }) => snapshotOf(timeline));
  let run = 0;
  const { quick } = servicesOf(() => snapshots[run]);
  const mean = async (cell: number) => {
    const { body } = await get(quick, `lat=36.5&lon=${-80.5 + 0.25 * cell}&var=temp_mean&granularity=weekly`);
    return JSON.parse(body).variables.temp_mean.statistics['2026-W10'].mean;
  };
  expect([await mean(0), await mean(1), first.reads.now]).toEqual([1, 1, 0]);
  expect([await mean(2), await mean(3), first.reads]).toEqual([1, 1, { later: 2, now: 2 }]);
  run = 1;
  expect([await mean(0), await mean(1), await mean(2)]).toEqual([2, 2, 2]);
  expect(second.reads).toEqual({ later: 2, now: 1 });
});

it('a version that reads like a missing number is answered in the usual way', async () => {
  const { timeline, reads } = timelineOf(() => new Float32Array(VALUES).fill(1));
  const data = snapshotOf(timeline, 'v:null,');
  const { quick, usual } = servicesOf(() => data);
  for (const cell of [0, 1, 2]) {
    const query = `lat=36.5&lon=${-80.5 + 0.25 * cell}&var=temp_mean`;
    expect(await get(quick, query)).toEqual(await get(usual, query));
  }
  expect(reads.now).toBe(0);
});

it('values that are not at hand are read in the usual way, also those of a second variable', async () => {
  const { timeline } = timelineOf((slug) => new Float32Array(VALUES).fill(slug.length));
  let isAtHand = true;
  const dataset: Dataset = {
    ...timeline,
    readNow: (slug, cell, into) => (slug !== 'temp_mean' || isAtHand) && timeline.readNow(slug, cell, into),
  };
  const data = snapshotOf(dataset);
  const { quick, usual } = servicesOf(() => data);
  for (const atHand of [true, true, true, false, true]) {
    isAtHand = atHand;
    const query = 'lat=36.5&lon=-80.5&var=precipitation,temp_mean&granularity=monthly';
    expect(await get(quick, query)).toEqual(await get(usual, query));
  }
});

it('an infinite value and a failed read are the same errors as in the usual way, and the next answer is right', async () => {
  let fault: 'infinite' | 'unreadable' | undefined;
  const { timeline } = timelineOf(() => {
    if (fault === 'unreadable') throw new FileError({ subject: 'timeline', problem: 'is gone' });
    return new Float32Array(VALUES).fill(fault === 'infinite' ? Number.POSITIVE_INFINITY : 3);
  });
  const data = snapshotOf(timeline);
  const { quick, usual } = servicesOf(() => data);
  const answer = async (service: typeof quick) => {
    const { status, body } = await get(service, 'lat=36.5&lon=-80.5&var=temp_mean&granularity=daily');
    return { status, body: status === 200 ? body : JSON.parse(body).code };
  };
  for (const each of [undefined, undefined, undefined, 'infinite', undefined, 'unreadable', undefined] as const) {
    fault = each;
    const found = await answer(quick);
    expect(found).toEqual(await answer(usual));
    expect(found.status).toBe(each === undefined ? 200 : 503);
  }
});

it('a memory that has grown since the last body is read from and written to at its new place', async () => {
  const core = await loadCore();
  const bodies = new StatisticsBodies(new CoreBuffers(core));
  const { timeline } = timelineOf((_, cell) => Float32Array.from({ length: VALUES }, (_, i) => cell + (i % 5)));
  const data = snapshotOf({ ...timeline });
  const query = (cell: number) => ({
    point: { latitude: places.latitude[cell], longitude: places.longitude[cell] - 360 },
    ...{ variables: [findVariable('temp_mean')], startDay: undefined, endDay: undefined, downscaling: false },
    ...{ quantiles: DEFAULT_QUANTILES, granularity: 'weekly' as const },
  });
  const answers = createAnswers();
  for (const cell of [0, 1]) bodies.learn(data, 'shape', query(cell), await answers.statistics(data, query(cell)));
  const writer = new JsonWriter();
  const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
  for (const cell of [2, 3, 4]) {
    const expected = statisticsJson(await answers.statistics(data, query(cell)));
    expect(text(bodies.write(data, 'shape', query(cell), writer))).toBe(text(expected));
    core.memory.wasm.grow(1);
  }
});

it('bodies of several points are those of the usual way, to the last byte', async () => {
  const example = fc.record({
    pool: pools,
    granularity: fc.constantFrom('daily', 'weekly', 'monthly'),
    variables: fc.subarray(SLUGS, { minLength: 1 }),
    more: fc.constantFrom('', '&statistics=0.5', '&horizons=true', '&threshold=temp_mean>5&var=temp_mean'),
    // Unordered, repeated, between places, and some off the grid.
    points: fc.array(fc.tuple(fc.integer({ min: -40, max: 100 }), fc.integer({ min: -40, max: 120 })), {
      minLength: 1,
      maxLength: 40,
    }),
    repeats: fc.nat(12),
    // Cells whose values are not at hand.
    absent: fc.subarray([0, 3, 7]),
  });
  const seen = { now: 0, later: 0, problems: 0 };
  await fc.assert(
    fc.asyncProperty(example, async ({ pool, granularity, variables, more, points, repeats, absent }) => {
      const { timeline, reads } = timelineOf((slug, cell) =>
        Float32Array.from({ length: VALUES }, (_, i) => pool[(i * 7 + cell * 31 + slug.length) % pool.length]),
      );
      const dataset: Dataset = {
        ...timeline,
        readNow: (slug, cell, into) => !absent.includes(cell) && timeline.readNow(slug, cell, into),
      };
      let data = snapshotOf(dataset);
      const { quick, usual } = servicesOf(() => data);
      const list = [...points, ...points.slice(0, repeats)].map(
        ([north, east]) => `${(36.4 + north / 100).toFixed(2)},${(-80.6 + east / 100).toFixed(3)}`,
      );
      const wanted = more.includes('&var=') ? '' : `&var=${variables.join(',')}`;
      const query = `points=${list.join(';')}&granularity=${granularity}${wanted}${more}`;
      const expected = await get(usual, query);
      // The first points teach the shape, or the first request does.
      for (let times = 0; times < 2; times++) expect(await get(quick, query)).toEqual(expected);
      data = snapshotOf({ ...dataset, revision: 'r2' }, 'another run');
      expect(await get(quick, query)).toEqual(await get(usual, query));
      expect(await get(quick, query)).toEqual(await get(usual, query));
      seen.now += reads.now;
      seen.later += reads.later;
      if (expected.body.includes('location-not-covered')) seen.problems++;
    }),
    { numRuns: 40, seed: 20_261_125 },
  );
  expect(Object.values(seen).every((count) => count > 5)).toBe(true);
});

/** The id of a damaged place's line in the log. */
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

it('of several points, one that cannot be read, is infinite or very large is answered as in the usual way', async () => {
  let fault: 'infinite' | 'unreadable' | 'large' | undefined;
  const values = { infinite: Number.POSITIVE_INFINITY, large: 1e20 } as Record<string, number>;
  const { timeline, reads } = timelineOf((_, cell) => {
    if (fault === 'unreadable' && cell === 6) throw new FileError({ subject: 'timeline', problem: 'is gone' });
    return new Float32Array(VALUES).fill((cell === 6 && fault && values[fault]) || 3 + cell / 8);
  });
  const data = snapshotOf(timeline);
  const { quick, usual } = servicesOf(() => data);
  const points = Array.from({ length: CELLS }, (_, i) => `${places.latitude[i]},${places.longitude[i] - 360}`);
  const answer = async (service: typeof quick) => {
    const { status, body } = await get(service, `points=${points.join(';')}&var=temp_mean&granularity=daily`);
    return { status, body: status === 200 ? body.replaceAll(UUID, '') : JSON.parse(body).code };
  };
  for (const each of [undefined, undefined, 'infinite', undefined, 'unreadable', undefined, 'large'] as const) {
    fault = each;
    const found = await answer(quick);
    const other = await answer(usual);
    expect(found).toEqual(other);
    expect(found.status).toBe(200);
    expect(found.body.includes('source-unavailable')).toBe(each === 'unreadable' || each === 'infinite');
  }
  expect(reads.now).toBeGreaterThan(3 * CELLS);
});

it('between groups of several points others have their turn, and all points are answered', async () => {
  const { timeline } = timelineOf((_, cell) => new Float32Array(VALUES).fill(cell));
  const data = snapshotOf(timeline);
  const { quick, usual } = servicesOf(() => data);
  const query = (cell: number) => {
    const points = Array.from({ length: 100 }, (_, i) => {
      const at = (i * 5 + cell) % CELLS;
      return `${places.latitude[at]},${places.longitude[at] - 360}`;
    });
    return `points=${points.join(';')}&var=temp_mean,precipitation&granularity=weekly`;
  };
  const all = Array.from({ length: 8 }, (_, cell) => query(cell));
  const expected = await Promise.all(all.map((one) => get(usual, one)));
  expect(await Promise.all(all.map((one) => get(quick, one)))).toEqual(expected);
  expect(await Promise.all(all.map((one) => get(quick, one)))).toEqual(expected);
});

it('several points are written some at a time, also after the memory has grown', async () => {
  const core = await loadCore();
  const bodies = new StatisticsBodies(new CoreBuffers(core));
  const { timeline } = timelineOf((_, cell) => Float32Array.from({ length: VALUES }, (_, i) => cell + (i % 5)));
  const data = snapshotOf(timeline);
  const at = (cell: number) => ({ latitude: places.latitude[cell], longitude: places.longitude[cell] - 360 });
  const query = (cell: number) => ({
    point: at(cell),
    ...{ variables: [findVariable('temp_mean')], startDay: undefined, endDay: undefined, downscaling: false },
    ...{ quantiles: DEFAULT_QUANTILES, granularity: 'weekly' as const },
  });
  const answers = createAnswers();
  for (const cell of [0, 1]) bodies.learn(data, 'shape', query(cell), await answers.statistics(data, query(cell)));
  const points = Array.from({ length: 20 }, (_, i) => at((i * 7) % CELLS));
  const body = async (cells: readonly number[]) => {
    const each = await Promise.all(
      cells.map(async (cell) => statisticsJson(await answers.statistics(data, query(cell)))),
    );
    return each.map((bytes) => new TextDecoder().decode(bytes)).join();
  };
  const expected = await body(Array.from({ length: 20 }, (_, i) => (i * 7) % CELLS));
  const writer = new JsonWriter();
  let pauses = 0;
  const pause = () => (++pauses % 3 === 0 ? Promise.resolve() : undefined);
  for (let round = 0; round < 3; round++) {
    const found: string[] = [];
    for (let p = 0; p < points.length; ) {
      const written = bodies.writeSome(data, 'shape', points, p, writer, pause);
      if (written === undefined) throw new Error('nothing is written');
      const text = new TextDecoder().decode(written.bytes);
      found.push(written.isBody ? text.slice('{"points":['.length, -2) : text);
      p += written.points;
      core.memory.wasm.grow(1);
    }
    expect(found.join()).toBe(expected);
  }
  expect(pauses).toBeGreaterThan(3);
});

it('points whose values are read from afar are read side by side, eight at a time', async () => {
  const { timeline } = timelineOf((_, cell) => new Float32Array(VALUES).fill(cell));
  let [reading, most] = [0, 0];
  const remote: Dataset = {
    ...timeline,
    readNow: () => false,
    async read(slug, cell, into) {
      most = Math.max(most, ++reading);
      await new Promise((resolve) => setTimeout(resolve, (cell % 3) + 1));
      await timeline.read(slug, cell, into);
      reading--;
      if (cell === failing) throw new FileError({ subject: 'timeline', problem: 'is gone' });
    },
  };
  let failing = -1;
  const [quick, usual] = [remote, timeline].map((dataset) => servicesOf(() => snapshotOf(dataset)).quick);
  const points = Array.from(
    { length: 40 },
    (_, i) => `${places.latitude[i % CELLS]},${places.longitude[i % CELLS] - 360}`,
  );
  const query = `points=${points.join(';')};0,0&var=temp_mean&granularity=monthly`;
  expect(await get(quick, query)).toEqual(await get(usual, query));
  expect([reading, most]).toEqual([0, 8]);
  failing = 3;
  const { status, body } = await get(quick, query);
  // The error comes when nothing is read any more: reads write to memory that is used again.
  const problems = JSON.parse(body).points.map(({ code }: { code?: string }) => code);
  const expected = points.map((_, i) => (i % CELLS === failing ? 'source-unavailable' : undefined));
  expect([status, reading]).toEqual([200, 0]);
  expect(problems.slice(0, points.length)).toEqual(expected);
});
