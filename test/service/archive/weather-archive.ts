import type { Core } from '../../../src/core/load.js';
import { dayNumber } from '../../../src/period/day.js';
import { blendedDataset } from '../../../src/service/ingest/index.js';
import { type Axis, type Dataset, memoryDataset, type Snapshot } from '../../../src/service/source/index.js';
import type { HorizonName, Product } from '../../../src/variable/availability.js';
import type { FixtureArray, FixtureArrays } from '../../files/zarr/zarr-fixture.js';

export const INIT = dayNumber(2026, 3, 2);
const LATITUDE = [37.25, 37];
const LONGITUDE = [280, 280.25, 280.5];
const CELLS = LATITUDE.length * LONGITUDE.length;
export const AT = 'lat=37&lon=-79.75';

const AXES: Record<Product, Axis> = {
  'short-term': { firstDay: INIT, days: 15, members: 5 },
  subseasonal: { firstDay: INIT + 2, days: 40, members: 4 },
  seasonal: { firstDay: INIT, days: 60, members: 6 },
  history: { firstDay: INIT - 100, days: 100, members: 1 },
};

/** What is written for a variable, and what it stands for. */
interface Stored {
  readonly array: string;
  readonly type: FixtureArray['type'];
  readonly attributes: Readonly<Record<string, unknown>>;
  /** A number to write for one of any size. */
  write(number: number): number;
  value(written: number): number;
}

const VARIABLES: Record<'temp_mean' | 'precipitation', Stored> = {
  temp_mean: {
    ...{ array: 't2m', type: 'float64', attributes: { standard_name: 'air_temperature', units: 'K' } },
    write: (number) => 270 + (number % 3000) / 100,
    value: (written) => Math.fround(written - 273.15),
  },
  precipitation: {
    array: 'precipitation',
    type: 'int16',
    attributes: { units: 'kg m-2', scale_factor: 0.1, add_offset: 0, cell_methods: 'time: sum' },
    write: (number) => number % 400,
    value: (written) => Math.fround(written * 0.1),
  },
};

/** A number that is another one for each product, variable, cell, member and day. */
function numberOf(product: Product, slug: string, cell: number, member: number, day: number, seed: number): number {
  let hash = seed + product.length * 7919 + slug.length * 104_729 + cell * 1009 + member * 9176 + day * 31;
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return ((hash ^ (hash >>> 15)) >>> 0) % 100_000;
}

/** The arrays of a part, cells by latitude and longitude, a chunk for each `cells` by `cells` of them. */
export function partArrays(product: Product, prefix = '', seed = 1, cells = 1): FixtureArrays {
  const { firstDay, days, members } = AXES[product];
  const coordinate = (name: string, values: readonly number[], attributes: Record<string, unknown>) => ({
    [`${prefix}${name}`]: {
      ...{ type: 'float64', dimensions: [name], shape: [values.length], chunk: [values.length], values, attributes },
    } as FixtureArray,
  });
  const count = (length: number) => Array.from({ length }, (_, i) => i);
  const isForecast = product !== 'history';
  const fields = Object.entries(VARIABLES).map(([slug, { array, type, attributes, write }]): [string, FixtureArray] => {
    const values = count(members).flatMap((member) =>
      count(days).flatMap((day) => count(CELLS).map((cell) => write(numberOf(product, slug, cell, member, day, seed)))),
    );
    const shape = [days, LATITUDE.length, LONGITUDE.length];
    const dimensions = ['time', 'latitude', 'longitude'];
    const chunk = [days, cells, cells];
    const ofMembers = { shape: [members, ...shape], dimensions: ['number', ...dimensions], chunk: [members, ...chunk] };
    const form = isForecast ? ofMembers : { shape, dimensions, chunk };
    return [`${prefix}${array}`, { ...form, type, attributes, values, codec: 'gzip', fill: null }];
  });
  return {
    ...coordinate(
      'time',
      count(days).map((day) => firstDay + day),
      { units: 'days since 1970-01-01' },
    ),
    ...coordinate('latitude', LATITUDE, { units: 'degrees_north' }),
    ...coordinate('longitude', LONGITUDE, { units: 'degrees_east' }),
    ...(isForecast ? coordinate('number', count(members), {}) : {}),
    ...Object.fromEntries(fields),
  };
}

/** The same data in memory. */
export function memoryPart(product: Product, seed = 1): Dataset {
  const { firstDay, days, members } = AXES[product];
  const variables = Object.entries(VARIABLES).map(([slug, { write, value }]) => {
    const values = new Float32Array(CELLS * members * days);
    for (let i = 0; i < values.length; i++) {
      const [cell, rest] = [Math.floor(i / (members * days)), i % (members * days)];
      const number = numberOf(product, slug, cell, Math.floor(rest / days), rest % days, seed);
      values[i] = value(write(number));
    }
    return [slug, { firstDay, days, members, values }] as const;
  });
  const places = LATITUDE.flatMap((latitude) => LONGITUDE.map((longitude) => ({ latitude, longitude })));
  return memoryDataset({
    revision: `memory-${product}`,
    latitude: Float64Array.from(places, ({ latitude }) => latitude),
    longitude: Float64Array.from(places, ({ longitude }) => longitude),
    variables: Object.fromEntries(variables),
  });
}

/** A snapshot of the data in memory, with the names of another one. */
export function memorySnapshot(core: Core, horizons: readonly HorizonName[], like: Snapshot): Snapshot {
  const datasets = Object.fromEntries(horizons.map((horizon) => [horizon, memoryPart(horizon)]));
  const runs = horizons.map((horizon) => {
    const initTime = like.forecast?.horizons[horizon]?.initTime as string;
    return [horizon, { initTime, data: datasets[horizon] }] as const;
  });
  const history = memoryPart('history');
  return {
    forecast: like.forecast && {
      ...like.forecast,
      timeline: blendedDataset(core, datasets),
      horizons: Object.fromEntries(runs),
    },
    history: {
      data: history,
      isPreloaded: (latitude, longitude) => history.places.covering({ latitude, longitude }) !== undefined,
    },
  };
}
