import type { Availability } from './availability.js';

/**
 * How the daily values of a window become one value: the value of the `first` or `last` day; the `count` of days with
 * a value; the `range` from the smallest to the largest.
 */
export type WindowRule = 'sum' | 'mean' | 'min' | 'max' | 'first' | 'last' | 'count' | 'range';

/** Every window rule; the kernels know them by their places. */
export const WINDOW_RULES: readonly WindowRule[] = /* @__PURE__ */ Object.freeze([
  'sum',
  'mean',
  'min',
  'max',
  'first',
  'last',
  'count',
  'range',
] as const);

/** A daily weather variable: what its values mean, and how they are combined and shown. */
export interface Variable {
  /** The name in requests, responses and tables: lower-case letters, digits and underscores. */
  readonly slug: string;
  /** The group it belongs to: temperature, wind, ... */
  readonly group: string;
  /** The CF `standard_name`; undefined where CF has none. */
  readonly standardName: string | undefined;
  /** The unit of the values, as CF and UDUNITS write it: `degC`, `m s-1`. */
  readonly units: string;
  /** The unit as shown in responses: `°C`, `m/s`. */
  readonly label: string;
  readonly window: WindowRule;
  /** The lowest and the highest plausible daily value, in `units`, inclusive. Values are never clipped to them. */
  readonly bounds: readonly [number, number];
  /** The number of decimals in JSON. */
  readonly decimals: number;
  /** Whether it is computed from other variables, per member and day. */
  readonly derived: boolean;
  /** Whether 1 km data of it exist. */
  readonly downscalable: boolean;
  readonly availability: Availability;
  /** Other names for it in files, besides the slug and the standard name; case and separators do not matter. */
  readonly fileNames: readonly string[];
}

/** A copy of `variable` that is frozen at all levels. */
export function frozen(variable: Variable): Variable {
  const availability: Availability = Object.fromEntries(
    Object.entries(variable.availability).map(([product, coverage]) => [product, Object.freeze({ ...coverage })]),
  );
  return Object.freeze({
    ...variable,
    bounds: Object.freeze([variable.bounds[0], variable.bounds[1]] as const),
    availability: Object.freeze(availability),
    fileNames: Object.freeze([...variable.fileNames]),
  });
}
