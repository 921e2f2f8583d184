export { variables } from './built-in.js';
export { defineVariable, type VariableDefinition } from './define-variable.js';
export type { DerivedVariable } from './derived-inputs.js';
export { findVariable } from './find-variable.js';
export type { BuiltInSlug, VariableSlug } from './slug.js';
export type { Variable, WindowRule } from './variable.js';
