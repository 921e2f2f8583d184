import { unusable } from '../errors.js';

/** The forecast horizons; each comes from another model. */
export type HorizonName = 'short-term' | 'subseasonal' | 'seasonal';

/** Every horizon, from the shortest. */
export const HORIZONS: readonly HorizonName[] = /* @__PURE__ */ Object.freeze([
  'short-term',
  'subseasonal',
  'seasonal',
] as const);

/** What a variable can be part of: the history, from which climatologies are made, or a forecast horizon. */
export type Product = 'history' | HorizonName;

/** Every product. */
export const PRODUCTS: readonly Product[] = /* @__PURE__ */ Object.freeze(['history', ...HORIZONS] as const);

/** The part of a product in which a variable has values. */
export interface Coverage {
  /** The last lead day, inclusive; the first complete day of a horizon is lead 0. Default: the horizon's last day. */
  readonly lastLead?: number;
}

/** The products that have a variable; those that are left out do not have it. */
export type Availability = Readonly<Partial<Record<Product, Coverage>>>;

/** Whether a value is an object with fields of its own kind. */
export function isFields(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** Whether `product` has the variable, at lead day `lead` of a horizon. */
export function isAvailable(variable: { readonly availability: Availability }, product: Product, lead = 0): boolean {
  const availability = variable?.availability;
  if (!isFields(availability)) {
    throw unusable('variable.availability', availability, 'what findVariable or defineVariable returns');
  }
  if (!PRODUCTS.includes(product)) throw unusable('product', product, PRODUCTS.join(', '));
  if (typeof lead !== 'number') throw unusable('lead', lead, 'a number of days');
  for (const [name, coverage] of Object.entries(availability)) {
    if (coverage === undefined || isFields(coverage)) continue;
    throw unusable(`variable.availability.${name}`, coverage, '{} or { lastLead }');
  }
  const coverage = availability[product];
  return coverage !== undefined && lead <= (coverage.lastLead ?? Number.POSITIVE_INFINITY);
}
