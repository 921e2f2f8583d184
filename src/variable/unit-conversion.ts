import { unusable } from '../errors.js';

/** Names and symbols, as `plainName` has them, of units that are spelled in more than one way. */
const SYMBOLS: Readonly<Record<string, string>> = {
  c: 'degC',
  celsius: 'degC',
  cel: 'degC',
  centigrade: 'degC',
  f: 'degF',
  fahrenheit: 'degF',
  kelvin: 'K',
  percent: '%',
  pct: '%',
  sec: 's',
  second: 's',
  hr: 'h',
  hour: 'h',
  day: 'd',
  meter: 'm',
  millimeter: 'mm',
  kpa: 'kPa',
  kilopascal: 'kPa',
};

/** A name in lower case, of meters rather than metres, and of one: `metres` as `meter`. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace('metre', 'meter')
    .replace(/(?<=\w{3})(?<!iu)s$/, '');
}

/**
 * Reads a unit that is written as a product of powers: its symbols, each in one spelling, with their exponents.
 * Undefined if the text is not such a product; an empty text has no factors.
 */
function unitFactors(text: string): Map<string, number> | undefined {
  const exponents = new Map<string, number>();
  const plain = plainText(text);
  // A slash divides by the one factor after it, as in UDUNITS: J/m2 d is J m-2 d.
  const factor = /\s*(\/?)\s*([a-zA-Z%]+)([+-]?\d+)?/y;
  while (factor.lastIndex < plain.length) {
    const match = factor.exec(plain);
    if (match === null) return undefined;
    const name = plainName(match[2]);
    const symbol = Object.hasOwn(SYMBOLS, name) ? SYMBOLS[name] : match[2];
    const exponent = Number(match[3] ?? 1) * (match[1] === '/' ? -1 : 1);
    exponents.set(symbol, (exponents.get(symbol) ?? 0) + exponent);
  }
  return exponents;
}

function plainText(text: string): string {
  return (
    text
      .replace(/º/g, '°')
      // Superscripts become digits, one-character °C two characters.
      .normalize('NFKC')
      .replace(/−/g, '-')
      // The IRI Data Library writes scales of temperature as Celsius_scale.
      .replace(/_scale\b/gi, '')
      .replace(/(°|\bdeg(rees?)?)[\s_]*(?=([ck]|f(ahrenheit)?|cel(sius)?|centigrade|kelvins?)\b)/gi, '')
      .replace(/\bper\b/gi, '/')
      .replace(/\*\*|\^/g, '')
      .replace(/[·⋅*.]|-(?=[a-z])/gi, ' ')
      .trim()
      .replace(/^(mps|ms-1)$/, 'm s-1')
      .replace(/^mp\/h$/i, 'mph')
  );
}

/** What a unit measures: the exponents of kilogram, metre, second and kelvin. */
type Dimensions = readonly [kilogram: number, metre: number, second: number, kelvin: number];

/** The size of a unit in SI units, as `numerator / denominator`, so that exact ratios stay exact. */
interface UnitScale {
  readonly numerator: number;
  readonly denominator: number;
  readonly dimensions: Dimensions;
}

/**
 * The units of weather data, by what they measure: the exponents of kilogram, metre, second and kelvin, then of each unit its
 * symbol, other spellings as `plainName` has them, and its size in SI units as numerator and denominator. Source: The
 * International System of Units, 9th edition, tables 4 and 8; NIST SP 811, appendix B, for inch, foot, mile and knot, all
 * exact.
 */
const UNITS =
  '1 0 0 0,kg kilogram 1,g gram 1 1000;0 1 0 0,m 1,mm 1 1000,cm centimeter 1 100,km kilometer 1000,' +
  'in inch inche 127 5000,ft foot feet 381 1250,mi mile 201168 125;0 3 0 0,l liter litre 1 1000;0 0 1 0,s 1,min minute 60,' +
  'h 3600,d 86400;0 1 -1 0,kt kn kts knot 463 900,mph 1397 3125,kph kmh 5 18;' +
  '1 -1 -2 0,Pa pa pascal 1,hPa hpa hectopascal mb mbar millibar 100,kPa 1000,bar 100000;' +
  '1 2 -2 0,J j joule 1,kJ kj kilojoule 1000,MJ megajoule 1000000,Wh wh 3600,kWh kwh 3600000;' +
  '1 2 -3 0,W w watt 1,kW kw 1000;0 0 0 1,K 1;0 0 0 0,% 1 100';

const UNIT_SCALES: ReadonlyMap<string, UnitScale> = /* @__PURE__ */ (() => {
  const scales = new Map<string, UnitScale>();
  for (const group of UNITS.split(';')) {
    const [exponents, ...units] = group.split(',');
    const dimensions = exponents.split(' ').map(Number) as unknown as Dimensions;
    for (const words of units.map((unit) => unit.split(' '))) {
      const [numerator, denominator = 1] = words.filter((word) => +word > 0).map(Number);
      for (const name of words) scales.set(name, { numerator, denominator, dimensions });
    }
  }
  return scales;
})();

/**
 * Whether two texts are spellings of the same unit of daily values, so that no value changes between them.
 *
 * Products and quotients may be written in any usual way (`m s-1`, `m/s`, `m·s⁻¹`, `m s**-1`), degrees Celsius,
 * percent, days and metres by their names. Daily values of water and of radiation are totals over a day, so that `mm`,
 * `mm/day` and `kg m-2` (water of 1000 kg m-3) agree, and `MJ m-2` agrees with `MJ m-2 d-1`. Texts that are not
 * products of powers agree only if they are equal. Nothing is converted: `K` and `degC` do not agree.
 */
export function unitsAgree(a: string, b: string): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') throw unusable('units', typeof a === 'string' ? b : a, 'a text');
  return canonicalUnits(a) === canonicalUnits(b);
}

/** `text` as symbols with their exponents, in alphabetical order; the trimmed text itself if it is not a product. */
function canonicalUnits(text: string): string {
  const exponents = unitFactors(text);
  if (exponents === undefined || text.trim() === '') return text.trim();
  asDailyTotal(exponents);
  const factors = [...exponents].filter(([, exponent]) => exponent !== 0);
  if (factors.length === 0) return '1';
  return factors
    .map(([symbol, exponent]) => `${symbol}${exponent}`)
    .sort()
    .join(' ');
}

function asDailyTotal(exponents: Map<string, number>): void {
  if (exponents.get('kg') === 1 && exponents.get('m') === -2) {
    exponents.delete('kg');
    exponents.delete('m');
    exponents.set('mm', (exponents.get('mm') ?? 0) + 1);
  }
  if (exponents.get('d') !== -1) return;
  const water = exponents.size === 2 && exponents.get('mm') === 1;
  const radiation = exponents.size === 3 && exponents.get('MJ') === 1 && exponents.get('m') === -2;
  if (water || radiation) exponents.delete('d');
}

/** How values of one unit become values of another. */
export interface UnitConversion {
  /** A value times `factor`, plus `offset`. */
  readonly factor: number;
  readonly offset: number;
  /** Whether a rate becomes a total: then the value is also multiplied by the length of its time step in seconds. */
  readonly perSecond: boolean;
  /** For people: `K to degC`; undefined if daily values do not change. */
  readonly text: string | undefined;
}

/**
 * How values in the unit `from` become daily values in the unit `to`, both as CF and UDUNITS write them; undefined if
 * the units measure different things, or one of them is not known here.
 *
 * A number before a unit counts it: values of `0.1 mm` are tenths of a millimetre. Temperatures, depths, masses and volumes of water (1 kg m-2 and 1 l m-2 are 1 mm), speeds, pressures, energies, powers, fractions (`1`, or
 * an empty text) and percent are known. Values of a depth of water or of an energy over an area, with or without `d-1`,
 * are totals: rates (`kg m-2 s-1`, `mm h-1`, `m s-1` of water, `W m-2`, `mm d-1`) become totals by the length of their
 * time step, `perSecond`, amounts (`m`, `J m-2`) by their scale alone. A factor is a quotient of two integers, rounded
 * once; `mm d-1` over 86400 seconds is exact. Sources: `UNIT_SCALES`, and the SI's definition of degrees Celsius,
 * 273.15 K.
 */
export function unitConversion(from: string, to: string): UnitConversion | undefined {
  const text = unitsAgree(from, to) ? undefined : `${from.trim() || '1'} to ${to.trim()}`;
  const [given, wanted] = [temperatureOf(from), temperatureOf(to)];
  if (given && wanted) {
    const [degree, zero] = wanted;
    if (given === wanted) return UNCHANGED;
    return { factor: given[0] / degree, offset: (given[1] - zero) / degree, perSecond: false, text };
  }
  const source = scaleOf(from);
  const target = scaleOf(to);
  if (source === undefined || target === undefined) return unitsAgree(from, to) ? UNCHANGED : undefined;
  const total = totalOf(to);
  if (total !== undefined && agree(source, total, 1)) {
    return { factor: quotient(source, total), offset: 0, perSecond: true, text };
  }
  const aim = total ?? target;
  if (!agree(source, aim, 0)) return undefined;
  const factor = quotient(source, aim);
  return factor === 1 && unitsAgree(from, to) ? UNCHANGED : { factor, offset: 0, perSecond: false, text };
}

/**
 * `text` if it is a unit that can be converted, else its lower case if that is one (`MM`); undefined for other texts.
 */
export function convertibleUnit(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  return [text, text.toLowerCase()].find((unit) => temperatureOf(unit) ?? scaleOf(unit.replace(/^[\d.]+ /, '')));
}

const UNCHANGED: UnitConversion = /* @__PURE__ */ Object.freeze({
  ...{ factor: 1, offset: 0, perSecond: false, text: undefined },
});

/** The size of a degree, and where its scale is zero above absolute zero, in degrees of Fahrenheit. */
const TEMPERATURES: Readonly<Record<string, readonly [number, number]>> = {
  K1: [1.8, 0],
  degC1: [1.8, 491.67],
  degF1: [1, 459.67],
};

/** The scale of `K`, `degC` or `degF`; undefined for other units. */
function temperatureOf(text: string): readonly [number, number] | undefined {
  return TEMPERATURES[canonicalUnits(text)];
}

/** What files add to the unit. */
const OF_WATER = /\s*\b(of water( equivalent)?|water equivalent|w\.?e\.?|h2o|lwe)(?![a-z])/gi;
const FRACTION = /^(1|fraction|ratio|proportion|dimensionless|\(?0\s*-\s*1\)?)?$/i;

function factorsOf(text: string): Map<string, number> | undefined {
  const unit = text.replace(OF_WATER, '').trim();
  return FRACTION.test(unit) ? new Map() : unitFactors(unit);
}

function scaleOf(text: string): UnitScale | undefined {
  const factors = factorsOf(text);
  return factors === undefined ? undefined : productOf(factors);
}

/** The scale of a total over a day, without `d-1`; undefined for units of other values. */
function totalOf(text: string): UnitScale | undefined {
  const factors = factorsOf(text);
  if (factors === undefined) return undefined;
  if (factors.get('d') === -1) factors.delete('d');
  const scale = productOf(factors);
  const isTotal = scale !== undefined && TOTALS.some((dimensions) => agree(scale, { dimensions }, 0));
  return isTotal ? scale : undefined;
}

/** A depth, and an energy over an area. */
const TOTALS: readonly Dimensions[] = [
  [0, 1, 0, 0],
  [1, 0, -2, 0],
];

function productOf(factors: ReadonlyMap<string, number>): UnitScale | undefined {
  let [numerator, denominator] = [1, 1];
  const dimensions: [number, number, number, number] = [0, 0, 0, 0];
  for (const [symbol, exponent] of factors) {
    const scale = UNIT_SCALES.get(symbol) ?? UNIT_SCALES.get(plainName(symbol));
    if (scale === undefined) return undefined;
    const up = exponent >= 0 ? scale : { numerator: scale.denominator, denominator: scale.numerator };
    numerator *= up.numerator ** Math.abs(exponent);
    denominator *= up.denominator ** Math.abs(exponent);
    for (const d of dimensions.keys()) dimensions[d] += scale.dimensions[d] * exponent;
  }
  const isWaterOverArea = dimensions[0] === 1 && dimensions[1] === -2;
  if (!isWaterOverArea) return { numerator, denominator, dimensions };
  return { numerator, denominator: denominator * 1000, dimensions: [0, 1, dimensions[2], dimensions[3]] };
}

/** Whether the unit `a` measures the same as `b`, divided by seconds to the power of `perSecond`. */
function agree(a: Pick<UnitScale, 'dimensions'>, b: Pick<UnitScale, 'dimensions'>, perSecond: number): boolean {
  return a.dimensions.every((exponent, d) => exponent === b.dimensions[d] - (d === 2 ? perSecond : 0));
}

function quotient(source: UnitScale, target: UnitScale): number {
  return (source.numerator * target.denominator) / (source.denominator * target.numerator);
}
