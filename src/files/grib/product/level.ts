import type { Octets } from '../octets.js';

/** The surface or layer that a field belongs to. */
export interface Level {
  /** Code table 4.5; 255 where there is none. */
  readonly type: number;
  readonly value: number | undefined;
  /** Of the second surface, for a layer. */
  readonly secondType: number;
  readonly secondValue: number | undefined;
}

/** Names of surfaces that have no value, and those of the units of others, by code table 4.5. */
const SURFACES: Readonly<Record<number, { readonly name: string; readonly unit?: string; readonly factor?: number }>> =
  {
    1: { name: 'surface' },
    2: { name: 'cloudBase' },
    3: { name: 'cloudTop' },
    4: { name: 'isothermZero' },
    6: { name: 'maxWind' },
    7: { name: 'tropopause' },
    8: { name: 'nominalTop' },
    10: { name: 'atmosphere' },
    100: { name: 'isobaricInhPa', unit: 'hPa', factor: 0.01 },
    101: { name: 'meanSea' },
    102: { name: 'heightAboveSea', unit: 'm' },
    103: { name: 'heightAboveGround', unit: 'm' },
    104: { name: 'sigma', unit: 'sigma' },
    105: { name: 'hybrid', unit: 'hybrid' },
    106: { name: 'depthBelowLand', unit: 'm' },
    107: { name: 'theta', unit: 'K' },
    108: { name: 'pressureFromGround', unit: 'hPa', factor: 0.01 },
    109: { name: 'potentialVorticity', unit: 'pv' },
    160: { name: 'depthBelowSea', unit: 'm' },
    200: { name: 'atmosphere' },
  };

/** Reads the two fixed surfaces of a product definition, whose first octet is `octet`. */
export function readLevel(section: Octets, octet: number): Level {
  return {
    type: section.unsigned(octet),
    value: section.scaled(octet + 1),
    secondType: section.unsigned(octet + 6),
    secondValue: section.scaled(octet + 7),
  };
}

/**
 * How a level of edition 1 (table 3) is one of edition 2: its type, the factor of its value, and whether it is a layer.
 */
interface OldLevel {
  readonly type: number;
  readonly factor?: number;
  readonly isLayer?: true;
}

/** Surfaces of edition 1 that have another number in edition 2, or values in another unit. */
const OLD_LEVELS: Readonly<Record<number, OldLevel>> = {
  100: { type: 100, factor: 100 },
  101: { type: 100, factor: 1000, isLayer: true },
  102: { type: 101 },
  103: { type: 102, factor: 1 },
  104: { type: 102, factor: 100, isLayer: true },
  105: { type: 103, factor: 1 },
  106: { type: 103, factor: 100, isLayer: true },
  107: { type: 104, factor: 1e-4 },
  108: { type: 104, factor: 0.01, isLayer: true },
  109: { type: 105, factor: 1 },
  110: { type: 105, factor: 1, isLayer: true },
  111: { type: 106, factor: 0.01 },
  112: { type: 106, factor: 0.01, isLayer: true },
  113: { type: 107, factor: 1 },
  115: { type: 108, factor: 100 },
  116: { type: 108, factor: 100, isLayer: true },
  117: { type: 109, factor: 1e-9 },
  125: { type: 103, factor: 0.01 },
  160: { type: 160, factor: 1 },
};
/** Other surfaces of edition 1 up to this number have no value, and the same number in edition 2. */
const MAX_SURFACE = 8;

/** Reads the level of a field of edition 1, octets 10 to 12, as one of edition 2. Others keep their number. */
export function readGrib1Level(section: Octets): Level {
  const code = section.unsigned(10);
  const known: OldLevel = OLD_LEVELS[code] ?? { type: code };
  const { type, isLayer, factor = code <= MAX_SURFACE || code in OLD_LEVELS ? undefined : 1 } = known;
  // A division by a power of ten is exact where the result is.
  const scaled = (value: number) =>
    factor === undefined ? undefined : factor < 1 ? value / Math.round(1 / factor) : value * factor;
  if (isLayer) {
    return { type, value: scaled(section.unsigned(11)), secondType: type, secondValue: scaled(section.unsigned(12)) };
  }
  return { type, value: scaled(section.unsigned(11, 2)), secondType: 255, secondValue: undefined };
}

/** Whether two levels are the same; a surface without a value has none, or 0. */
export function levelKey({ type, value = 0, secondType, secondValue = 0 }: Level): string {
  return secondType === 255 ? `${type} ${value}` : `${type} ${value} ${secondType} ${secondValue}`;
}

/** The name of a level's type, as ecCodes calls it where it has a name. */
export function levelType({ type, secondType }: Level): string {
  const name = SURFACES[type]?.name ?? `level${type}`;
  return secondType !== 255 && secondType === type && SURFACES[type]?.unit !== undefined ? `${name}Layer` : name;
}

/** The value of a level in the unit of its type: hPa, m. */
export function levelValue({ type, value = 0 }: Level): number {
  return Number((value * (SURFACES[type]?.factor ?? 1)).toPrecision(12));
}

/** A level in a few characters, for names: `850hPa`, `2m`, `surface`, `0-0.1m`. */
export function levelText(level: Level): string {
  const { type, value = 0, secondType, secondValue } = level;
  const { name = `level${type}`, unit } = SURFACES[type] ?? {};
  const isLayer = secondType !== 255 && secondValue !== undefined;
  if (unit === undefined && (SURFACES[type] !== undefined || value === 0)) return name;
  const text = String(levelValue(level));
  const second = isLayer ? `-${levelValue({ ...level, type: secondType, value: secondValue })}` : '';
  return unit === undefined ? `${name}_${text}${second}` : `${text}${second}${unit}`;
}

/** Whether a level is a height of so many metres above the ground. */
export function isHeight({ type, value, secondType }: Level, metres: number): boolean {
  return type === 103 && value === metres && secondType === 255;
}

/**
 * Whether a level is a height at which temperature and humidity near the ground are measured: 1.25 to 2 m above it
 * (WMO-No. 8, Guide to Instruments and Methods of Observation, volume I, 2.1.4.2.1).
 */
export function isScreenHeight({ type, value = 0, secondType }: Level): boolean {
  return type === 103 && value >= 1.25 && value <= 2 && secondType === 255;
}
