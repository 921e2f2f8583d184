import { parseDate } from '../../src/period/day.js';
import type { HandlerOptions } from '../../src/service/handler/index.js';
import { type Dataset, memoryDataset, memorySource, type Snapshot } from '../../src/service/source/index.js';
import { AT, createService, TODAY } from './service.js';

/** A dataset of one place with these values, an array for each member, from a date on; NaN where missing. */
export function tinyDataset(slug: string, members: readonly (readonly number[])[], first = TODAY): Dataset {
  const [{ length: days }] = members;
  const values = Float32Array.from(members.flat());
  return memoryDataset({
    revision: `tiny ${slug}`,
    latitude: Float64Array.of(37.25),
    longitude: Float64Array.of(-80),
    variables: { [slug]: { firstDay: parseDate(first), days, members: members.length, values } },
  });
}

/** A forecast of one variable, whose timeline and horizons all have these values. */
export function tinyForecast(
  slug: string,
  members: readonly (readonly number[])[],
  first = TODAY,
): NonNullable<Snapshot['forecast']> {
  const data = tinyDataset(slug, members, first);
  const run = { initTime: `${first}T00:00:00Z`, data };
  const horizons = { 'short-term': run, subseasonal: run, seasonal: run };
  return { initTime: run.initTime, version: 'tiny', generation: 'tiny-1', timeline: data, horizons };
}

/** Functions that send requests to a service of some data at one place. */
export function tinyService(data: Snapshot, options: Partial<HandlerOptions> = {}) {
  const { request, get, problem } = createService({ source: memorySource(data), ...options });
  /** The statistics of the only variable. */
  const statistics = async (query = '') => {
    const { variables } = await get(`/v2/forecast/statistics?${AT}&${query}`);
    const [{ statistics: entries }] = Object.values<{ statistics: Record<string, Record<string, number | null>> }>(
      variables,
    );
    return entries;
  };
  return { request, get, problem, statistics };
}

/** A service of one day and one member of temp_mean at some places: the value is the place's number. */
export function globeService(places: readonly (readonly [latitude: number, longitude: number])[]) {
  const values = Float32Array.from(places, (_, place) => place);
  const timeline = memoryDataset({
    revision: 'globe',
    latitude: Float64Array.from(places, ([latitude]) => latitude),
    longitude: Float64Array.from(places, ([, longitude]) => longitude),
    variables: { temp_mean: { firstDay: parseDate(TODAY), days: 1, members: 1, values } },
  });
  const names = { initTime: `${TODAY}T00:00:00Z`, version: 'globe', generation: 'globe-1' };
  return createService({ source: memorySource({ forecast: { ...names, timeline, horizons: {} } }) });
}
