import { messageError } from '../message-error.js';
import type { Octets } from '../octets.js';

/** Integers that stand for angles: so many of `unit` degrees. */
export interface AngleUnit {
  readonly unit: number;
  /** Units of a full circle, rounded. */
  readonly circle: number;
}

/** The unit where a grid states none: a millionth of a degree. */
const MILLIONTH = 1e-6;
/** A grid whose unit is larger has no points at other places than whole degrees. */
const MAX_UNIT = 1;

/**
 * Reads the unit of angles of templates 3.0, 3.1 and 3.40: the basic angle divided by its subdivisions. Throws
 * FormatError for units of more than a degree.
 */
export function angleUnit(section: Octets): AngleUnit {
  const [basic, subdivisions] = [section.known(39, 4) ?? 0, section.known(43, 4) ?? 0];
  const unit = basic === 0 || subdivisions === 0 ? MILLIONTH : basic / subdivisions;
  if (unit <= MAX_UNIT) return { unit, circle: Math.round(360 / unit) };
  throw messageError(section.place, section.section, {
    problem: 'has an impossible unit of angles',
    received: `${basic} / ${subdivisions} degrees`,
    allowed: `at most ${MAX_UNIT} degree`,
  });
}

/** An angle in degrees; millionths by a division, which is exact where the result is. */
export function toDegrees(count: number, { unit }: AngleUnit): number {
  return unit === MILLIONTH ? count / 1e6 : count * unit;
}
