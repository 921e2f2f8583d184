/** What a unit measures: the exponents of kilogram, metre, second and kelvin. */
export type Dimensions = readonly [kilogram: number, metre: number, second: number, kelvin: number];

/** The size of a unit in SI units, as `numerator / denominator`, so that exact ratios stay exact. */
export interface UnitScale {
  readonly numerator: number;
  readonly denominator: number;
  readonly dimensions: Dimensions;
}

const SECOND: Dimensions = [0, 0, 1, 0];
const METRE: Dimensions = [0, 1, 0, 0];
const SPEED: Dimensions = [0, 1, -1, 0];
const PASCAL: Dimensions = [1, -1, -2, 0];
const JOULE: Dimensions = [1, 2, -2, 0];
const WATT: Dimensions = [1, 2, -3, 0];
const NUMBER: Dimensions = [0, 0, 0, 0];

/**
 * The units of weather data. Source: The International System of Units, 9th edition, tables 4 and 8; NIST SP 811,
 * appendix B, for inch, foot, mile and knot, all exact.
 */
export const UNIT_SCALES: ReadonlyMap<string, UnitScale> = /* @__PURE__ */ new Map([
  unit('kg', 1, 1, [1, 0, 0, 0]),
  unit('g', 1, 1000, [1, 0, 0, 0]),
  unit('m', 1, 1, METRE),
  unit('mm', 1, 1000, METRE),
  unit('cm', 1, 100, METRE),
  unit('km', 1000, 1, METRE),
  unit('in', 127, 5000, METRE),
  unit('ft', 381, 1250, METRE),
  unit('mi', 201168, 125, METRE),
  unit('s', 1, 1, SECOND),
  unit('min', 60, 1, SECOND),
  unit('h', 3600, 1, SECOND),
  unit('d', 86400, 1, SECOND),
  unit('kt', 463, 900, SPEED),
  unit('mph', 1397, 3125, SPEED),
  unit('kph', 5, 18, SPEED),
  unit('Pa', 1, 1, PASCAL),
  unit('hPa', 100, 1, PASCAL),
  unit('kPa', 1000, 1, PASCAL),
  unit('bar', 100000, 1, PASCAL),
  unit('J', 1, 1, JOULE),
  unit('kJ', 1000, 1, JOULE),
  unit('MJ', 1000000, 1, JOULE),
  unit('Wh', 3600, 1, JOULE),
  unit('kWh', 3600000, 1, JOULE),
  unit('W', 1, 1, WATT),
  unit('kW', 1000, 1, WATT),
  unit('K', 1, 1, [0, 0, 0, 1]),
  unit('%', 1, 100, NUMBER),
]);

function unit(symbol: string, numerator: number, denominator: number, dimensions: Dimensions): [string, UnitScale] {
  return [symbol, { numerator, denominator, dimensions }];
}

/** Symbols of UNIT_SCALES by their names and other spellings, in lower case. */
export const UNIT_NAMES: Readonly<Record<string, string>> = {
  kilogram: 'kg',
  kilograms: 'kg',
  gram: 'g',
  grams: 'g',
  centimeter: 'cm',
  centimeters: 'cm',
  centimetre: 'cm',
  centimetres: 'cm',
  kilometer: 'km',
  kilometers: 'km',
  kilometre: 'km',
  kilometres: 'km',
  inch: 'in',
  inches: 'in',
  foot: 'ft',
  feet: 'ft',
  mile: 'mi',
  miles: 'mi',
  minute: 'min',
  minutes: 'min',
  kn: 'kt',
  kts: 'kt',
  knot: 'kt',
  knots: 'kt',
  kmh: 'kph',
  pascal: 'Pa',
  pascals: 'Pa',
  hectopascal: 'hPa',
  hectopascals: 'hPa',
  mb: 'hPa',
  mbar: 'hPa',
  millibar: 'hPa',
  millibars: 'hPa',
  joule: 'J',
  joules: 'J',
  kilojoule: 'kJ',
  kilojoules: 'kJ',
  megajoule: 'MJ',
  megajoules: 'MJ',
  watt: 'W',
  watts: 'W',
  wh: 'Wh',
  kwh: 'kWh',
};
