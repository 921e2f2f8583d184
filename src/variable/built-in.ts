import type { Availability } from './availability.js';
import { frozen, type Variable } from './variable.js';

/*
 * Short names of daily variables in files, separated by spaces: those of ECMWF and NCEP GRIB tables, CMIP, E-OBS,
 * gridMET, Daymet, PRISM, NASA POWER, Earth Engine and Open-Meteo, AgERA5, CESM, GLDAS, IMERG, WeatherBench2, CF standard names of fluxes and amounts, and the
 * plain English ones. Separators and case do not matter: t2m_min is also T2M-Min. Levels have one spelling, see
 * `variableByName`. A name that means different things in different sources (t, e, ws2m) is left out.
 */

/** Names of the daily mean of 2 m temperature. */
const TEMP_MEAN =
  't2m 2t t2 ta tas tg tavg tmean meantemp temp temperature tair tmp tmp_2m t2m_mean mean2t24 ' +
  'temperature_2m temperature_2m_mean mean_temperature temperature_mean avg_temp trefht';

/** Names of the daily minimum of 2 m temperature. */
const TEMP_MIN =
  't2m_min tasmin tmin tn tmmn mn2t mn2t3 mn2t6 mn2t24 min2t24 tmin_2m mintemp min_temperature temperature_min ' +
  'temperature_2m_min minimum_2m_temperature minimum_temperature minimum_temperature_2m trefhtmn';

/** Names of the daily maximum of 2 m temperature: `tasmax` for `tasmin`, `mx2t` for `mn2t`, `tx` for `tn`. */
const TEMP_MAX = /* @__PURE__ */ TEMP_MIN.replace(/min/g, 'max').replace(/mn/g, 'mx').replace(' tn', ' tx');

/** Names of the daily precipitation total. */
const PRECIPITATION =
  'precip precipitation_sum precipitation_amount precipitation_flux total_precipitation tp pr prcp ppt rr apcp apcp_sfc ' +
  'prectotcorr prectot tot_prec rain rainfall rainfall_flux thickness_of_rainfall_amount total_precipitation_sum ' +
  'tprate prate prate_sfc mtpr avg_tprate precipitation_rate lwe_precipitation_rate total_precipitation_rate ' +
  'mean_total_precipitation_rate precipitationcal prect rainf';

/** Names of daily reference or potential evapotranspiration. */
const EVAPOTRANSPIRATION =
  'et0 eto etref pet evspsblpot reference_evapotranspiration potential_evapotranspiration et0_fao_evapotranspiration ' +
  'et0_fao_evapotranspiration_sum water_potential_evaporation_flux water_potential_evaporation_amount ' +
  'water_potential_evapotranspiration_flux';

/** Names of the daily mean of relative humidity at 2 m. */
const RELATIVE_HUMIDITY =
  'rh rhum hurs hu 2r rh2m rhmean relhum humidity relative_humidity_2m relative_humidity_2m_mean relhum_2m rhrefht';

/** Names of the daily mean of the dew point at 2 m. */
const DEW_POINT =
  'd2m 2d td tdps tdew tdmean dpt dewpt t2mdew dewpoint_temperature dew_point_2m dew_point_2m_mean dpt_2m td_2m ' +
  'dewpoint_temperature_2m dew_point_temperature_2m_mean';

/** Names of the daily mean vapour pressure deficit. */
const VAPOR_PRESSURE_DEFICIT = 'vpd vpds vapour_pressure_deficit vapor_pressure_deficit_2m';

/** Names of the daily mean of wind speed at 10 m. */
const WIND_SPEED =
  'sfcwind wind ws wspd ws10 ws10m si10 10si fg wind_speed_10m wind_speed_10m_mean mean_wind_speed wind_10m ' +
  'wspd_10m';

/** Names of the daily maximum of wind speed at 10 m. */
const WIND_SPEED_MAX = 'sfcwindmax wsmax ws10m_max ws10_max wind_max max_wind max_wind_speed wind_speed_10m_max';

/** Names of the daily maximum of wind gusts at 10 m. */
const WIND_GUST_MAX =
  'gust gusts gustmax wsgsmax fx fg10 10fg i10fg wind_gust wind_gusts max_wind_gust wind_gusts_10m wind_gusts_10m_max ' +
  'wind_gust_10m instantaneous_10m_wind_gust gust_sfc 10fg3 10fg6 fg310 fg610 vmax_10m';

/** Names of the daily mean of downward short-wave radiation at the surface. */
const SOLAR_RADIATION =
  'rsds ssrd srad dswrf dswrf_sfc qq swdown radiation solar shortwave_radiation shortwave_radiation_sum global_radiation ' +
  'solar_rad surface_solar_radiation_downwards surface_solar_radiation_downwards_sum allsky_sfc_sw_dwn msdwswrf avg_sdswrf ' +
  'mean_surface_downward_short_wave_radiation_flux surface_downwelling_shortwave_flux ' +
  'integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air solar_radiation_flux fsds';

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
  const water = { ...basic, units: 'mm', window: 'sum' } as const;
  const humidity = { ...basic, group: 'humidity' } as const;
  const wind = { ...basic, group: 'wind', standardName: 'wind_speed', units: 'm s-1', label: 'm/s' } as const;

  type Row = Omit<Variable, 'fileNames' | 'label'> & { readonly fileNames: string; readonly label?: string };
  const table: readonly Row[] = [
    { ...temperature, slug: 'temp_mean', fileNames: TEMP_MEAN },
    { ...temperature, slug: 'temp_min', fileNames: TEMP_MIN },
    { ...temperature, slug: 'temp_max', fileNames: TEMP_MAX },
    {
      ...water,
      slug: 'precipitation',
      group: 'precipitation',
      standardName: 'lwe_thickness_of_precipitation_amount',
      bounds: [0, 2000],
      fileNames: PRECIPITATION,
    },
    {
      ...water,
      slug: 'evapotranspiration',
      group: 'evapotranspiration',
      standardName: 'water_potential_evapotranspiration_amount',
      bounds: [0, 30],
      derived: true,
      fileNames: EVAPOTRANSPIRATION,
    },
    {
      ...humidity,
      slug: 'relative_humidity',
      standardName: 'relative_humidity',
      units: '%',
      bounds: [0, 100],
      decimals: 1,
      fileNames: RELATIVE_HUMIDITY,
    },
    {
      ...humidity,
      slug: 'dew_point',
      standardName: 'dew_point_temperature',
      units: 'degC',
      label: '°C',
      bounds: [-100, 40],
      derived: true,
      fileNames: DEW_POINT,
    },
    {
      ...humidity,
      slug: 'vapor_pressure_deficit',
      standardName: 'water_vapor_saturation_deficit_in_air',
      units: 'kPa',
      bounds: [0, 15],
      decimals: 3,
      derived: true,
      fileNames: VAPOR_PRESSURE_DEFICIT,
    },
    { ...wind, slug: 'wind_speed', bounds: [0, 110], fileNames: WIND_SPEED },
    {
      ...wind,
      slug: 'wind_speed_max',
      bounds: [0, 150],
      availability: { history: {}, 'short-term': {} },
      fileNames: WIND_SPEED_MAX,
    },
    {
      ...wind,
      slug: 'wind_gust_max',
      standardName: 'wind_speed_of_gust',
      bounds: [0, 150],
      availability: { history: {}, 'short-term': { lastLead: 9 } },
      fileNames: WIND_GUST_MAX,
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
      fileNames: SOLAR_RADIATION,
    },
  ];
  return Object.freeze(table.map((row) => frozen({ label: row.units, ...row, fileNames: row.fileNames.split(' ') })));
}
