import { type UnitConversion, unitConversion } from './unit-conversion.js';

/**
 * How values in the unit `from` become values in `to`, as `unitConversion` says; a number before a unit counts it: values of
 * `0.1 mm` are tenths of a millimetre.
 */
export function countedConversion(from: string, to: string): UnitConversion | undefined {
  const [, count, unit = from] = /^\s*(\d*\.?\d+)\s*([a-z°º%].*)/i.exec(from) ?? [];
  const found = unitConversion(unit, to);
  return count && found ? { ...found, factor: found.factor * +count, text: `${from} to ${to}` } : found;
}
