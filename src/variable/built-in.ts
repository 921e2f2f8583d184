import type { Availability } from './availability.js';
import {
  DEW_POINT,
  EVAPOTRANSPIRATION,
  PRECIPITATION,
  RELATIVE_HUMIDITY,
  SOLAR_RADIATION,
  TEMP_MAX,
  TEMP_MEAN,
  TEMP_MIN,
  VAPOR_PRESSURE_DEFICIT,
  WIND_GUST_MAX,
  WIND_SPEED,
  WIND_SPEED_MAX,
} from './file-names.js';
import { frozen, type Variable } from './variable.js';

/**
 * The built-in variables, in the order of the documentation's table.
 *
 * Standard names are of the CF table. Precipitation is a depth in mm, so its name is that of a liquid water equivalent
 * thickness; radiation in MJ m-2 d-1 is a flux. Wind is that at 10 m, temperature and humidity are those at 2 m.
 */
export const variables: readonly Variable[] = /* @__PURE__ */ builtInVariables();

function builtInVariables(): readonly Variable[] {
  const everywhere: Availability = { history: {}, 'short-term': {}, subseasonal: {}, seasonal: {} };
  const basic = { window: 'mean', decimals: 2, derived: false, downscalable: false, availability: everywhere } as const;
  const temperature = {
    ...basic,
    group: 'temperature',
    standardName: 'air_temperature',
    units: 'degC',
    label: '°C',
    bounds: [-95, 60],
    downscalable: true,
  } as const;
  const water = { ...basic, units: 'mm', label: 'mm', window: 'sum' } as const;
  const humidity = { ...basic, group: 'humidity' } as const;
  const wind = { ...basic, group: 'wind', standardName: 'wind_speed', units: 'm s-1', label: 'm/s' } as const;

  const table: readonly Variable[] = [
    { ...temperature, slug: 'temp_mean', fileNames: names(TEMP_MEAN) },
    { ...temperature, slug: 'temp_min', fileNames: names(TEMP_MIN) },
    { ...temperature, slug: 'temp_max', fileNames: names(TEMP_MAX) },
    {
      ...water,
      slug: 'precipitation',
      group: 'precipitation',
      standardName: 'lwe_thickness_of_precipitation_amount',
      bounds: [0, 2000],
      fileNames: names(PRECIPITATION),
    },
    {
      ...water,
      slug: 'evapotranspiration',
      group: 'evapotranspiration',
      standardName: 'water_potential_evapotranspiration_amount',
      bounds: [0, 30],
      derived: true,
      fileNames: names(EVAPOTRANSPIRATION),
    },
    {
      ...humidity,
      slug: 'relative_humidity',
      standardName: 'relative_humidity',
      units: '%',
      label: '%',
      bounds: [0, 100],
      decimals: 1,
      fileNames: names(RELATIVE_HUMIDITY),
    },
    {
      ...humidity,
      slug: 'dew_point',
      standardName: 'dew_point_temperature',
      units: 'degC',
      label: '°C',
      bounds: [-100, 40],
      derived: true,
      fileNames: names(DEW_POINT),
    },
    {
      ...humidity,
      slug: 'vapor_pressure_deficit',
      standardName: 'water_vapor_saturation_deficit_in_air',
      units: 'kPa',
      label: 'kPa',
      bounds: [0, 15],
      decimals: 3,
      derived: true,
      fileNames: names(VAPOR_PRESSURE_DEFICIT),
    },
    { ...wind, slug: 'wind_speed', bounds: [0, 110], fileNames: names(WIND_SPEED) },
    {
      ...wind,
      slug: 'wind_speed_max',
      bounds: [0, 150],
      availability: { history: {}, 'short-term': {} },
      fileNames: names(WIND_SPEED_MAX),
    },
    {
      ...wind,
      slug: 'wind_gust_max',
      standardName: 'wind_speed_of_gust',
      bounds: [0, 150],
      availability: { history: {}, 'short-term': { lastLead: 9 } },
      fileNames: names(WIND_GUST_MAX),
    },
    {
      ...basic,
      slug: 'solar_radiation',
      group: 'solar radiation',
      standardName: 'surface_downwelling_shortwave_flux_in_air',
      units: 'MJ m-2 d-1',
      label: 'MJ/m²/d',
      bounds: [0, 50],
      downscalable: true,
      fileNames: names(SOLAR_RADIATION),
    },
  ];
  return Object.freeze(table.map(frozen));
}

function names(text: string): string[] {
  return text.split(' ');
}
