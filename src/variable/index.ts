export { type Availability, type Coverage, type Horizon, isAvailable, PRODUCTS, type Product } from './availability.js';
export { variables } from './built-in.js';
export { defineVariable, type VariableDefinition } from './define-variable.js';
export { findVariable } from './find-variable.js';
export { nearestName } from './nearest-name.js';
export { unitsAgree } from './units-agree.js';
export { type Variable, WINDOW_RULES, type WindowRule } from './variable.js';
export { variableByName } from './variable-by-name.js';
