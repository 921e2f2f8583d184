import { unitFactors } from './unit-factors.js';
import { type Dimensions, UNIT_NAMES, UNIT_SCALES, type UnitScale } from './unit-scales.js';
import { unitsAgree } from './units-agree.js';

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
 * Temperatures, depths and masses of water (1 kg m-2 is 1 mm), speeds, pressures, energies, powers, fractions (`1`, or
 * an empty text) and percent are known. Values of a depth of water or of an energy over an area, with or without `d-1`,
 * are totals: rates (`kg m-2 s-1`, `mm h-1`, `m s-1` of water, `W m-2`, `mm d-1`) become totals by the length of their
 * time step, `perSecond`, amounts (`m`, `J m-2`) by their scale alone. A factor is a quotient of two integers, rounded
 * once; `mm d-1` over 86400 seconds is exact. Sources: unit-scales.ts, and the SI's definition of degrees Celsius,
 * 273.15 K.
 */
export function unitConversion(from: string, to: string): UnitConversion | undefined {
  const text = unitsAgree(from, to) ? undefined : `${from.trim() || '1'} to ${to.trim()}`;
  const [fromScale, toScale] = [temperatureOf(from), temperatureOf(to)];
  if (fromScale !== undefined && toScale !== undefined) {
    return fromScale === toScale
      ? UNCHANGED
      : { ...TEMPERATURES[`${fromScale} to ${toScale}`], perSecond: false, text };
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
  return [text, text.toLowerCase()].find((unit) => temperatureOf(unit) !== undefined || scaleOf(unit) !== undefined);
}

const UNCHANGED: UnitConversion = /* @__PURE__ */ Object.freeze({
  ...{ factor: 1, offset: 0, perSecond: false, text: undefined },
});

const TEMPERATURES: Readonly<Record<string, Pick<UnitConversion, 'factor' | 'offset'>>> = {
  'K to degC': { factor: 1, offset: -273.15 },
  'K to degF': { factor: 9 / 5, offset: -459.67 },
  'degC to K': { factor: 1, offset: 273.15 },
  'degC to degF': { factor: 9 / 5, offset: 32 },
  'degF to degC': { factor: 5 / 9, offset: -160 / 9 },
  'degF to K': { factor: 5 / 9, offset: 45967 / 180 },
};

function temperatureOf(text: string): 'K' | 'degC' | 'degF' | undefined {
  if (/^\s*(°|º|deg(rees?)?)?[\s_]*f(ahrenheit)?\s*$/i.test(text)) return 'degF';
  if (/^\s*(°|º|deg(rees?)?)?[\s_]*k(elvins?)?\s*$/i.test(text)) return 'K';
  return unitsAgree(text, 'degC') ? 'degC' : undefined;
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
    const scale = UNIT_SCALES.get(symbol) ?? UNIT_SCALES.get(UNIT_NAMES[symbol.toLowerCase()]);
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
