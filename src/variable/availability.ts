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

/** Whether `product` has the variable, at lead day `lead` of a horizon. */
export function isAvailable(variable: { readonly availability: Availability }, product: Product, lead = 0): boolean {
  const availability = variable?.availability;
  if (typeof availability !== 'object' || availability === null) {
    throw unusable('variable', variable, 'what findVariable or defineVariable returns');
  }
  if (!PRODUCTS.includes(product)) throw unusable('product', product, PRODUCTS.join(', '));
  if (typeof lead !== 'number') throw unusable('lead', lead, 'a number of days');
  const coverage = availability[product];
  return coverage !== undefined && coverage !== null && lead <= (coverage.lastLead ?? Number.POSITIVE_INFINITY);
}
