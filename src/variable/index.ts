export { actualVaporPressure } from './actual-vapor-pressure.js';
export { atmosphericPressure } from './atmospheric-pressure.js';
export {
  type Availability,
  type Coverage,
  HORIZONS,
  type HorizonName,
  isAvailable,
  PRODUCTS,
  type Product,
} from './availability.js';
export { variables } from './built-in.js';
export { clearSkyRadiation } from './clear-sky-radiation.js';
export { defineVariable, type VariableDefinition } from './define-variable.js';
export { DERIVED_INPUTS, type DerivedVariable } from './derived-inputs.js';
export { dewPoint } from './dew-point.js';
export { extraterrestrialRadiation } from './extraterrestrial-radiation.js';
export { findVariable } from './find-variable.js';
export { meanSaturationVaporPressure } from './mean-saturation-vapor-pressure.js';
export { nearestName } from './nearest-name.js';
export { type LongwaveConditions, netLongwaveRadiation } from './net-longwave-radiation.js';
export { netRadiation } from './net-radiation.js';
export { netShortwaveRadiation } from './net-shortwave-radiation.js';
export { psychrometricConstant } from './psychrometric-constant.js';
export { type EvapotranspirationConditions, referenceEvapotranspiration } from './reference-evapotranspiration.js';
export { relativeHumidity } from './relative-humidity.js';
export { saturationVaporPressure } from './saturation-vapor-pressure.js';
export { saturationVaporPressureSlope } from './saturation-vapor-pressure-slope.js';
export type { BuiltInSlug, VariableSlug } from './slug.js';
export { unitsAgree } from './units-agree.js';
export { vaporPressureDeficit } from './vapor-pressure-deficit.js';
export { type Variable, WINDOW_RULES, type WindowRule } from './variable.js';
export { variableByName } from './variable-by-name.js';
export { windSpeedAt2m } from './wind-speed-at-2-m.js';
