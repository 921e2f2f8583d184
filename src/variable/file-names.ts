/*
 * Short names of daily variables in files, separated by spaces: those of ECMWF and NCEP GRIB tables, CMIP, E-OBS,
 * gridMET, Daymet, PRISM, NASA POWER, Earth Engine and Open-Meteo, CF standard names of fluxes and amounts, and the
 * plain English ones. Separators and case do not matter: t2m_min is also T2M-Min. Levels have one spelling, see
 * `variableByName`. A name that means different things in different sources (t, e, ws2m) is left out.
 */

/** Names of the daily mean of 2 m temperature. */
export const TEMP_MEAN =
  't2m 2t t2 ta tas tg tavg tmean meantemp temp temperature air_temperature airtemp tmp tmp_2m t2m_mean mean2t24 ' +
  'temperature_2m temperature_2m_mean 2m_temperature mean_temperature temperature_mean avg_temp';

/** Names of the daily minimum of 2 m temperature. */
export const TEMP_MIN =
  't2m_min tasmin tmin tn tmmn mn2t mn2t3 mn2t6 mn2t24 min2t24 tmin_2m mintemp min_temperature temperature_min ' +
  'temperature_2m_min 2m_temperature_min minimum_2m_temperature minimum_temperature';

/** Names of the daily maximum of 2 m temperature. */
export const TEMP_MAX =
  't2m_max tasmax tmax tx tmmx mx2t mx2t3 mx2t6 mx2t24 max2t24 tmax_2m maxtemp max_temperature temperature_max ' +
  'temperature_2m_max 2m_temperature_max maximum_2m_temperature maximum_temperature';

/** Names of the daily precipitation total. */
export const PRECIPITATION =
  'precip precipitation_sum precipitation_amount precipitation_flux total_precipitation tp pr prcp ppt rr apcp apcp_sfc ' +
  'prectotcorr prectot tot_prec rain rainfall rainfall_flux thickness_of_rainfall_amount total_precipitation_sum ' +
  'tprate prate prate_sfc mtpr avg_tprate precipitation_rate lwe_precipitation_rate total_precipitation_rate ' +
  'mean_total_precipitation_rate';

/** Names of daily reference or potential evapotranspiration. */
export const EVAPOTRANSPIRATION =
  'et0 eto etref pet evspsblpot reference_evapotranspiration potential_evapotranspiration et0_fao_evapotranspiration ' +
  'et0_fao_evapotranspiration_sum water_potential_evaporation_flux water_potential_evaporation_amount ' +
  'water_potential_evapotranspiration_flux';

/** Names of the daily mean of relative humidity at 2 m. */
export const RELATIVE_HUMIDITY =
  'rh rhum hurs hu 2r rh2m rhmean relhum humidity relative_humidity_2m relative_humidity_2m_mean 2m_relative_humidity ' +
  'relhum_2m';

/** Names of the daily mean of the dew point at 2 m. */
export const DEW_POINT =
  'd2m 2d td tdps tdew tdmean dpt dewpt t2mdew dewpoint_temperature dew_point_2m dew_point_2m_mean 2m_dewpoint_temperature ' +
  'dpt_2m td_2m dewpoint_temperature_2m';

/** Names of the daily mean vapour pressure deficit. */
export const VAPOR_PRESSURE_DEFICIT = 'vpd vpds vapour_pressure_deficit vapor_pressure_deficit_2m';

/** Names of the daily mean of wind speed at 10 m. */
export const WIND_SPEED =
  'sfcwind wind ws wspd ws10 ws10m si10 10si fg wind_speed_10m wind_speed_10m_mean 10m_wind_speed mean_wind_speed ' +
  'wind_10m wspd_10m';

/** Names of the daily maximum of wind speed at 10 m. */
export const WIND_SPEED_MAX = 'sfcwindmax wsmax ws10m_max ws10_max wind_max max_wind max_wind_speed wind_speed_10m_max';

/** Names of the daily maximum of wind gusts at 10 m. */
export const WIND_GUST_MAX =
  'gust gusts gustmax wsgsmax fx fg10 10fg i10fg wind_gust wind_gusts max_wind_gust wind_gusts_10m wind_gusts_10m_max ' +
  '10m_wind_gust instantaneous_10m_wind_gust gust_sfc 10fg3 10fg6 fg310 fg610 vmax_10m';

/** Names of the daily mean of downward short-wave radiation at the surface. */
export const SOLAR_RADIATION =
  'rsds ssrd srad dswrf dswrf_sfc qq swdown radiation solar shortwave_radiation shortwave_radiation_sum global_radiation ' +
  'solar_rad surface_solar_radiation_downwards surface_solar_radiation_downwards_sum allsky_sfc_sw_dwn msdwswrf avg_sdswrf ' +
  'mean_surface_downward_short_wave_radiation_flux surface_downwelling_shortwave_flux ' +
  'integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air';
