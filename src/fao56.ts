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
  relativeShortwaveRadiation,
  windSpeedAt2m,
} from './variable/fao56.js';
export {
  actualVaporPressure,
  dewPoint,
  type HumidityExtremes,
  meanSaturationVaporPressure,
  relativeHumidity,
  saturationVaporPressure,
  saturationVaporPressureSlope,
  vaporPressureDeficit,
  vaporPressureOfExtremes,
} from './variable/humidity.js';
