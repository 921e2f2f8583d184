import type { Parameter } from './parameter.js';

/** A plain decimal: no exponent, no blank, no other base. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

/** Latitude in degrees. */
export function latitudeParameter(): Parameter<'lat'> {
  return coordinate('lat', 'Latitude in degrees, north is positive.', 90, 37.3);
}

/** Longitude in degrees. */
export function longitudeParameter(): Parameter<'lon'> {
  return coordinate('lon', 'Longitude in degrees, east is positive.', 180, -79.84);
}

function coordinate<Name extends 'lat' | 'lon'>(
  name: Name,
  description: string,
  limit: number,
  example: number,
): Parameter<Name> {
  return {
    name,
    description,
    schema: { type: 'number', minimum: -limit, maximum: limit },
    example,
    required: true,
    repeatable: false,
    longest: 32,
    allowed: `a plain decimal from ${-limit} to ${limit}`,
    read(text, refuse) {
      if (!DECIMAL.test(text)) return refuse('is not a plain decimal');
      const degrees = Number(text);
      if (Math.abs(degrees) > limit) return refuse(`is outside ${-limit} to ${limit}`);
      // Minus zero is the same place as zero: what is made of it is kept once.
      return degrees + 0;
    },
  };
}
