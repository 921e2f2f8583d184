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
export { defineVariable, type VariableDefinition } from './define-variable.js';
export { DERIVED_INPUTS, type DerivedVariable } from './derived-inputs.js';
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
} from './fao56.js';
export { findVariable } from './find-variable.js';
export {
  actualVaporPressure,
  dewPoint,
  meanSaturationVaporPressure,
  relativeHumidity,
  saturationVaporPressure,
  saturationVaporPressureSlope,
  vaporPressureDeficit,
} from './humidity.js';
export { nearestName } from './nearest-name.js';
export type { BuiltInSlug, VariableSlug } from './slug.js';
export { unitsAgree } from './units-agree.js';
export { type Variable, WINDOW_RULES, type WindowRule } from './variable.js';
export { variableByName } from './variable-by-name.js';
