import { parseDate } from '../../src/period/index.js';
import type { HandlerOptions } from '../../src/service/handler/index.js';
import { type Dataset, memoryDataset, memorySource, type Snapshot } from '../../src/service/source/index.js';
import { AT, asking, TODAY } from './service.js';

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

/** Ways to ask a service of some data at one place. */
export function tinyService(data: Snapshot, options: Partial<HandlerOptions> = {}) {
  const { ask, get, rejected } = asking({ source: memorySource(data), ...options });
  /** The statistics of the only variable. */
  const statistics = async (query = '') => {
    const { variables } = await get(`/v2/forecast/statistics?${AT}&${query}`);
    const [{ statistics: entries }] = Object.values<{ statistics: Record<string, Record<string, number | null>> }>(
      variables,
    );
    return entries;
  };
  return { ask, get, rejected, statistics };
}
