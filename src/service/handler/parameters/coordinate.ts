import type { Parameter } from './parameter.js';

/**
 * A decimal number as JSON and clients write it: `37.3`, `1e-7`, `2.2E-16`, `+37.3`. A plus that is not percent-encoded
 * arrives as a blank.
 */
const NUMBER = /^[ +-]?(?:\d+\.?\d*|\.\d+)(?:e[ +-]?\d+)?$/i;

/** The longest number is the smallest float64 with all of its decimals. */
const MAX_LENGTH = 1_100;

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
    maxLength: MAX_LENGTH,
    allowed: `a number from ${-limit} to ${limit}`,
    read(text, reject) {
      if (!NUMBER.test(text)) return reject('is not a number');
      const degrees = Number(text.replaceAll(' ', '+'));
      if (Math.abs(degrees) > limit) return reject(`is outside ${-limit} to ${limit}`);
      // Minus zero becomes zero: it is the same place, and its answer is cached once.
      return degrees + 0;
    },
  };
}
