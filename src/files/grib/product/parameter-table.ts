/*
 * The parameters that have names here: surface fields of forecasts and those that the registry's variables are made of.
 * Numbers, units and short names are those of the WMO's code table 4.2, of NCEP's local tables (centre 7) and ECMWF's
 * (centre 98; discipline 192 has its tables of edition 1), and of ecCodes. All others keep their numbers.
 *
 * Each line: numbers (discipline-category-number, and after a slash the centre) | level | process | short name | unit |
 * name | CF standard name. A line with a level or a process counts for these only; the first line that fits is taken. In
 * ECMWF's tables names without a level are those of the surface, and `each` marks those of many levels.
 * Standard names are those of surface fields: where one has many levels, as temperature, it would be taken for the one
 * near the ground.
 */

/** Parameters of edition 2. */
export const GRIB2_PARAMETERS = `
0-0-0 | 2m | max | mx2t | K | Maximum temperature at 2 metres | air_temperature
0-0-0 | 2m | min | mn2t | K | Minimum temperature at 2 metres | air_temperature
0-0-0 | 2m |     | 2t | K | 2 metre temperature | air_temperature
0-0-0 |    |     | t | K | Temperature |
0-0-2 |    |     | pt | K | Potential temperature |
0-0-4 | 2m |     | tmax | K | Maximum temperature | air_temperature
0-0-5 | 2m |     | tmin | K | Minimum temperature | air_temperature
0-0-6 | 2m |     | 2d | K | 2 metre dewpoint temperature | dew_point_temperature
0-0-6 |    |     | dpt | K | Dew point temperature |
0-0-7 |    |     | depr | K | Dew point depression |
0-0-10 | surface | accum | slhf | J m-2 | Surface latent heat flux |
0-0-10 | surface |     | lhtfl | W m-2 | Latent heat net flux |
0-0-11 | surface | accum | sshf | J m-2 | Surface sensible heat flux |
0-0-11 | surface |     | shtfl | W m-2 | Sensible heat net flux |
0-0-17 | surface |     | skt | K | Skin temperature |
0-0-21 | 2m |     | aptmp | K | Apparent temperature |
0-1-0 | 2m |     | 2sh | kg kg-1 | 2 metre specific humidity |
0-1-0 |    |     | q | kg kg-1 | Specific humidity |
0-1-1 | 2m |     | 2r | % | 2 metre relative humidity | relative_humidity
0-1-1 |    |     | r | % | Relative humidity |
0-1-3 |    |     | pwat | kg m-2 | Precipitable water |
0-1-7 | surface |     | prate | kg m-2 s-1 | Precipitation rate | precipitation_flux
0-1-8 | surface |     | tp | kg m-2 | Total precipitation | precipitation_amount
0-1-9 | surface |     | ncpcp | kg m-2 | Large-scale precipitation (non-convective) |
0-1-10 | surface |     | acpcp | kg m-2 | Convective precipitation (water) |
0-1-11 | surface |     | sde | m | Snow depth |
0-1-13 | surface |     | sdwe | kg m-2 | Water equivalent of accumulated snow depth |
0-1-37 | surface | accum | cp | kg m-2 | Convective precipitation |
0-1-37 | surface |     | cprat | kg m-2 s-1 | Convective precipitation rate |
0-1-52 | surface | accum | tp | kg m-2 | Total precipitation | precipitation_amount
0-1-52 | surface |     | tprate | kg m-2 s-1 | Total precipitation rate | precipitation_flux
0-1-53 | surface | accum | sf | kg m-2 | Snowfall water equivalent |
0-1-54 | surface | accum | lsp | kg m-2 | Large-scale precipitation |
0-1-60 | surface |     | sd | kg m-2 | Snow depth water equivalent |
0-1-192/7 | surface |     | crain | 1 | Categorical rain |
0-1-193/7 | surface |     | cfrzr | 1 | Categorical freezing rain |
0-1-194/7 | surface |     | cicep | 1 | Categorical ice pellets |
0-1-195/7 | surface |     | csnow | 1 | Categorical snow |
0-1-196/7 | surface |     | cprat | kg m-2 s-1 | Convective precipitation rate |
0-1-193/98 | surface | accum | tp | m | Total precipitation | lwe_thickness_of_precipitation_amount
0-1-196/98 | surface | accum | lsp | m | Large-scale precipitation |
0-1-198/98 | surface | accum | sf | m | Snowfall (water equivalent) |
0-1-199/98 | surface | accum | e | m | Evaporation (water equivalent) |
0-2-0 | 10m |     | 10wdir | degrees | 10 metre wind direction |
0-2-1 | 10m |     | 10si | m s-1 | 10 metre wind speed | wind_speed
0-2-1 |    |     | ws | m s-1 | Wind speed |
0-2-2 | 10m |     | 10u | m s-1 | 10 metre U wind component | eastward_wind
0-2-2 |    |     | u | m s-1 | U component of wind |
0-2-3 | 10m |     | 10v | m s-1 | 10 metre V wind component | northward_wind
0-2-3 |    |     | v | m s-1 | V component of wind |
0-2-22 | 10m | max | 10fg | m s-1 | Maximum 10 metre wind gust | wind_speed_of_gust
0-2-22 | 10m |     | i10fg | m s-1 | Instantaneous 10 metre wind gust | wind_speed_of_gust
0-2-22 | surface |     | gust | m s-1 | Wind speed (gust) | wind_speed_of_gust
0-3-0 | surface |     | sp | Pa | Surface pressure | surface_air_pressure
0-3-0 | meanSea |     | msl | Pa | Mean sea level pressure | air_pressure_at_mean_sea_level
0-3-0 |    |     | pres | Pa | Pressure |
0-3-1 | meanSea |     | prmsl | Pa | Pressure reduced to MSL | air_pressure_at_mean_sea_level
0-3-4 | surface |     | z | m2 s-2 | Geopotential | surface_geopotential
0-3-4 |    |     | z | m2 s-2 | Geopotential |
0-3-5 | surface |     | orog | m | Orography | surface_altitude
0-3-5 |    |     | gh | m | Geopotential height |
0-4-7 | surface | accum | ssrd | J m-2 | Surface short-wave (solar) radiation downwards | integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air
0-4-7 | surface |     | sdswrf | W m-2 | Surface downward short-wave radiation flux | surface_downwelling_shortwave_flux_in_air
0-4-8 | surface |     | uswrf | W m-2 | Upward short-wave radiation flux |
0-4-9 | surface | accum | ssr | J m-2 | Surface net short-wave (solar) radiation |
0-4-192/7 | surface |     | dswrf | W m-2 | Downward short-wave radiation flux | surface_downwelling_shortwave_flux_in_air
0-4-193/7 | surface |     | uswrf | W m-2 | Upward short-wave radiation flux |
0-5-3 | surface | accum | strd | J m-2 | Surface long-wave (thermal) radiation downwards |
0-5-3 | surface |     | sdlwrf | W m-2 | Surface downward long-wave radiation flux |
0-5-5 | surface | accum | str | J m-2 | Surface net long-wave (thermal) radiation |
0-5-192/7 | surface |     | dlwrf | W m-2 | Downward long-wave radiation flux |
0-5-193/7 | surface |     | ulwrf | W m-2 | Upward long-wave radiation flux |
0-6-1 |    |     | tcc | % | Total cloud cover |
0-6-192/98 | surface |     | tcc | 1 | Total cloud cover |
0-7-6 |    |     | cape | J kg-1 | Convective available potential energy |
0-7-7 |    |     | cin | J kg-1 | Convective inhibition |
0-19-0 | surface |     | vis | m | Visibility |
2-0-0 | surface |     | lsm | 1 | Land-sea mask | land_area_fraction
2-0-2 |    |     | st | K | Soil temperature |
2-0-5 | surface |     | ro | kg m-2 | Runoff |
10-2-0 | surface |     | ci | 1 | Sea ice area fraction |
10-3-0 | surface |     | sst | K | Sea surface temperature |
`;

/** ECMWF's tables 128 and 228 of edition 1, which are the categories of its discipline 192. */
export const ECMWF_PARAMETERS = `
128-31 |    |     | ci | 1 | Sea ice area fraction |
128-34 |    |     | sst | K | Sea surface temperature |
128-49 |    | max | 10fg | m s-1 | Maximum 10 metre wind gust | wind_speed_of_gust
128-51 |    | max | mx2t24 | K | Maximum temperature at 2 metres in the last 24 hours | air_temperature
128-52 |    | min | mn2t24 | K | Minimum temperature at 2 metres in the last 24 hours | air_temperature
128-59 |    |     | cape | J kg-1 | Convective available potential energy |
128-121 |    | max | mx2t6 | K | Maximum temperature at 2 metres in the last 6 hours | air_temperature
128-122 |    | min | mn2t6 | K | Minimum temperature at 2 metres in the last 6 hours | air_temperature
128-123 |    | max | 10fg6 | m s-1 | 10 metre wind gust in the last 6 hours | wind_speed_of_gust
128-129 | surface |     | z | m2 s-2 | Geopotential | surface_geopotential
128-129 | each |     | z | m2 s-2 | Geopotential |
128-130 | each |     | t | K | Temperature |
128-131 | each |     | u | m s-1 | U component of wind |
128-132 | each |     | v | m s-1 | V component of wind |
128-133 | each |     | q | kg kg-1 | Specific humidity |
128-134 |    |     | sp | Pa | Surface pressure | surface_air_pressure
128-141 |    |     | sd | m | Snow depth (water equivalent) |
128-142 |    | accum | lsp | m | Large-scale precipitation |
128-143 |    | accum | cp | m | Convective precipitation |
128-144 |    | accum | sf | m | Snowfall (water equivalent) |
128-146 |    | accum | sshf | J m-2 | Surface sensible heat flux |
128-147 |    | accum | slhf | J m-2 | Surface latent heat flux |
128-151 |    |     | msl | Pa | Mean sea level pressure | air_pressure_at_mean_sea_level
128-156 | each |     | gh | m | Geopotential height |
128-157 | each |     | r | % | Relative humidity |
128-164 |    |     | tcc | 1 | Total cloud cover |
128-165 |    |     | 10u | m s-1 | 10 metre U wind component | eastward_wind
128-166 |    |     | 10v | m s-1 | 10 metre V wind component | northward_wind
128-167 |    |     | 2t | K | 2 metre temperature | air_temperature
128-168 |    |     | 2d | K | 2 metre dewpoint temperature | dew_point_temperature
128-169 |    | accum | ssrd | J m-2 | Surface short-wave (solar) radiation downwards | integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air
128-172 |    |     | lsm | 1 | Land-sea mask | land_area_fraction
128-175 |    | accum | strd | J m-2 | Surface long-wave (thermal) radiation downwards |
128-176 |    | accum | ssr | J m-2 | Surface net short-wave (solar) radiation |
128-177 |    | accum | str | J m-2 | Surface net long-wave (thermal) radiation |
128-182 |    | accum | e | m | Evaporation (water equivalent) |
128-201 |    | max | mx2t | K | Maximum temperature at 2 metres | air_temperature
128-202 |    | min | mn2t | K | Minimum temperature at 2 metres | air_temperature
128-205 |    | accum | ro | m | Runoff |
128-207 |    |     | 10si | m s-1 | 10 metre wind speed | wind_speed
128-228 |    | accum | tp | m | Total precipitation | lwe_thickness_of_precipitation_amount
128-235 |    |     | skt | K | Skin temperature |
228-28 |    | max | 10fg3 | m s-1 | 10 metre wind gust in the last 3 hours | wind_speed_of_gust
228-26 |    | max | mx2t3 | K | Maximum temperature at 2 metres in the last 3 hours | air_temperature
228-27 |    | min | mn2t3 | K | Minimum temperature at 2 metres in the last 3 hours | air_temperature
228-29 |    |     | i10fg | m s-1 | Instantaneous 10 metre wind gust | wind_speed_of_gust
228-228 |    | accum | tp | kg m-2 | Total precipitation | precipitation_amount
228-246 |    |     | 100u | m s-1 | 100 metre U wind component |
228-247 |    |     | 100v | m s-1 | 100 metre V wind component |
140-229 |    |     | swh | m | Significant height of combined wind waves and swell |
172-169 |    |     | msdsrf | W m-2 | Time-mean surface downward short-wave (solar) radiation flux | surface_downwelling_shortwave_flux_in_air
172-175 |    |     | msdtrf | W m-2 | Time-mean surface downward long-wave (thermal) radiation flux |
172-228 |    |     | tprate | m s-1 | Time-mean total precipitation rate | lwe_precipitation_rate
`;

/**
 * Table 2 of edition 1, versions 1 to 3: the number, and from 128 on after a slash the centre; names and units are
 * those of edition 2.
 */
export const GRIB1_PARAMETERS = `
1 | surface |     | sp | Pa | Surface pressure | surface_air_pressure
1 | meanSea |     | msl | Pa | Mean sea level pressure | air_pressure_at_mean_sea_level
1 |    |     | pres | Pa | Pressure |
2 | meanSea |     | prmsl | Pa | Pressure reduced to MSL | air_pressure_at_mean_sea_level
6 | surface |     | z | m2 s-2 | Geopotential | surface_geopotential
6 |    |     | z | m2 s-2 | Geopotential |
7 | surface |     | orog | m | Orography | surface_altitude
7 |    |     | gh | m | Geopotential height |
11 | surface |     | skt | K | Skin temperature |
11 | 2m | max | mx2t | K | Maximum temperature at 2 metres | air_temperature
11 | 2m | min | mn2t | K | Minimum temperature at 2 metres | air_temperature
11 | 2m |     | 2t | K | 2 metre temperature | air_temperature
11 |    |     | t | K | Temperature |
13 |    |     | pt | K | Potential temperature |
15 | 2m | max | tmax | K | Maximum temperature | air_temperature
16 | 2m | min | tmin | K | Minimum temperature | air_temperature
17 | 2m |     | 2d | K | 2 metre dewpoint temperature | dew_point_temperature
17 |    |     | dpt | K | Dew point temperature |
18 |    |     | depr | K | Dew point depression |
31 | 10m |     | 10wdir | degrees | 10 metre wind direction |
32 | 10m |     | 10si | m s-1 | 10 metre wind speed | wind_speed
32 |    |     | ws | m s-1 | Wind speed |
33 | 10m |     | 10u | m s-1 | 10 metre U wind component | eastward_wind
33 |    |     | u | m s-1 | U component of wind |
34 | 10m |     | 10v | m s-1 | 10 metre V wind component | northward_wind
34 |    |     | v | m s-1 | V component of wind |
51 | 2m |     | 2sh | kg kg-1 | 2 metre specific humidity |
51 |    |     | q | kg kg-1 | Specific humidity |
52 | 2m |     | 2r | % | 2 metre relative humidity | relative_humidity
52 |    |     | r | % | Relative humidity |
54 |    |     | pwat | kg m-2 | Precipitable water |
57 | surface |     | e | kg m-2 | Evaporation |
59 | surface |     | prate | kg m-2 s-1 | Precipitation rate | precipitation_flux
61 | surface |     | tp | kg m-2 | Total precipitation | precipitation_amount
62 | surface |     | ncpcp | kg m-2 | Large-scale precipitation (non-convective) |
63 | surface |     | acpcp | kg m-2 | Convective precipitation (water) |
65 | surface |     | sdwe | kg m-2 | Water equivalent of accumulated snow depth |
66 | surface |     | sde | m | Snow depth |
71 |    |     | tcc | % | Total cloud cover |
81 | surface |     | lsm | 1 | Land-sea mask | land_area_fraction
85 |    |     | st | K | Soil temperature |
90 | surface |     | ro | kg m-2 | Runoff |
91 | surface |     | ci | 1 | Sea ice area fraction |
111 | surface |     | nswrs | W m-2 | Net short-wave radiation flux at the surface |
112 | surface |     | nlwrs | W m-2 | Net long-wave radiation flux at the surface |
121 | surface |     | lhtfl | W m-2 | Latent heat net flux |
122 | surface |     | shtfl | W m-2 | Sensible heat net flux |
140/7 | surface |     | crain | 1 | Categorical rain |
141/7 | surface |     | cfrzr | 1 | Categorical freezing rain |
142/7 | surface |     | cicep | 1 | Categorical ice pellets |
143/7 | surface |     | csnow | 1 | Categorical snow |
144/7 |    |     | soilw | 1 | Volumetric soil moisture content |
156/7 |    |     | cin | J kg-1 | Convective inhibition |
157/7 |    |     | cape | J kg-1 | Convective available potential energy |
180/7 | surface |     | gust | m s-1 | Wind speed (gust) | wind_speed_of_gust
204/7 | surface |     | dswrf | W m-2 | Downward short-wave radiation flux | surface_downwelling_shortwave_flux_in_air
205/7 | surface |     | dlwrf | W m-2 | Downward long-wave radiation flux |
211/7 | surface |     | uswrf | W m-2 | Upward short-wave radiation flux |
212/7 | surface |     | ulwrf | W m-2 | Upward long-wave radiation flux |
214/7 | surface |     | cprat | kg m-2 s-1 | Convective precipitation rate |
`;
