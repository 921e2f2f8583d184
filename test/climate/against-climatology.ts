import { type Climatology, climateKeys } from '../../src/climate/climatology.js';
import { compared } from '../../src/climate/compared-statistics.js';
import { COMPARE } from '../../src/statistics/own-statistics.js';
import { findVariable } from '../../src/variable/find-variable.js';

/** A place of a climatology in which all periods have the same values; NaN coordinates unless given. */
export interface PlainPlace {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly limits?: readonly number[];
  readonly mean?: number;
  readonly quantiles?: readonly number[];
}

/** A climatology of weekly precipitation, 1993 to 2022, of places each of which has the same values in all periods. */
export function plainClimatology(places: readonly PlainPlace[], more: Partial<Climatology> = {}): Climatology {
  const { granularity = 'weekly', quantiles = [] } = more;
  const keys = climateKeys(granularity);
  const entries = (of: (place: PlainPlace) => number | undefined) =>
    Float64Array.from(places.flatMap((place) => keys.map(() => of(place) ?? Number.NaN)));
  const [{ limits = [] }] = places;
  return {
    variable: findVariable('precipitation'),
    units: 'mm',
    granularity,
    window: 'sum',
    reference: { firstYear: 1993, lastYear: 2022 },
    metadata: new Map(),
    latitude: Float64Array.from(places, ({ latitude }) => latitude ?? Number.NaN),
    longitude: Float64Array.from(places, ({ longitude }) => longitude ?? Number.NaN),
    keys,
    samples: new Int32Array(places.length * keys.length).fill(30),
    mean: entries(({ mean }) => mean),
    quantiles,
    quantileValues: quantiles.map((_, k) => entries((place) => place.quantiles?.[k])),
    categories: limits.length > 0 ? limits.length + 1 : 0,
    limits: limits.map((_, k) => entries((place) => place.limits?.[k])),
    thresholds: [],
    probabilities: [],
    [COMPARE]: compared,
    ...more,
  };
}

/** Changes the values of one period at one place. */
export function setPeriod(climatology: Climatology, key: string, values: PlainPlace, place = 0): void {
  const entry = place * climatology.keys.length + climatology.keys.indexOf(key);
  values.limits?.forEach((limit, k) => {
    climatology.limits[k][entry] = limit;
  });
  values.quantiles?.forEach((value, k) => {
    climatology.quantileValues[k][entry] = value;
  });
  if (values.mean !== undefined) climatology.mean[entry] = values.mean;
}
