import { unusable } from '../errors.js';
import { unitFactors } from './unit-factors.js';

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
