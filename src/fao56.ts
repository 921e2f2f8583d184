/** Reference evapotranspiration, radiation and humidity of FAO Irrigation and Drainage Paper 56 (Allen et al. 1998). */
export {
  atmosphericPressure,
  clearSkyRadiation,
  type EvapotranspirationConditions,
  extraterrestrialRadiation,
  type LongwaveConditions,
  netLongwaveRadiation,
  netRadiation,
  netShortwaveRadiation,
  psychrometricConstant,
  referenceEvapotranspiration,
  windSpeedAt2m,
} from './variable/fao56.js';
export {
  actualVaporPressure,
  dewPoint,
  meanSaturationVaporPressure,
  relativeHumidity,
  saturationVaporPressure,
  saturationVaporPressureSlope,
  vaporPressureDeficit,
} from './variable/humidity.js';
