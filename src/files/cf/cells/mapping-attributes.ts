import { DataError } from '../../../errors.js';
import type { StoredArray } from '../../array/array-file.js';
import { type EarthShape, RADIANS } from '../../projection/projection.js';
import { numberAttributes } from '../attribute-values.js';

const WGS_84 = { axis: 6_378_137, flattening: 1 / 298.257223563 };

/** The attributes of a grid mapping as numbers. */
export class MappingAttributes {
  readonly #source: string;
  readonly #name: string;
  readonly #attributes: StoredArray['attributes'];

  constructor(source: string, name: string, attributes: StoredArray['attributes']) {
    this.#source = source;
    this.#name = name;
    this.#attributes = attributes;
  }

  fault(problem: string, allowed: string): DataError {
    return new DataError({ source: this.#source, column: this.#name, problem: `the grid mapping ${problem}`, allowed });
  }

  optional(name: string): number | undefined {
    const [value] = numberAttributes(this.#attributes, name);
    if (value === undefined || Number.isFinite(value)) return value;
    throw this.fault(`has the ${name} ${value}`, 'a number');
  }

  /** The number of the first of some names that is there. */
  number(names: readonly string[]): number {
    const found = names.map((name) => this.optional(name)).find((value) => value !== undefined);
    if (found !== undefined) return found;
    throw this.fault(`has no ${names[0]}`, 'the attributes that the CF conventions list for it');
  }

  latitude(names: readonly string[]): number {
    const value = this.number(names);
    if (Math.abs(value) <= 90) return value;
    throw this.fault(`has the ${names[0]} ${value}`, 'degrees from -90 to 90');
  }

  /** One or two standard parallels of a cone, in radians; with none, the latitude of the origin. */
  parallels(origin: number | undefined): [number, number] {
    const stated = numberAttributes(this.#attributes, 'standard_parallel');
    const [first = origin, second = first] = stated;
    const isCone = first !== undefined && second !== undefined && Math.abs(first + second) > 1e-7;
    if (isCone && Math.max(Math.abs(first), Math.abs(second)) < 89.999) return [first * RADIANS, second * RADIANS];
    throw this.fault(`has the standard parallels ${stated.join(' and ') || 'none'}`, 'one or two that a cone has');
  }

  /** Where a cylinder has the scale 1: at a parallel, or else at the equator, or the scale there. */
  scaleOrParallel(): { readonly trueLatitude: number; readonly scale: number } {
    const trueLatitude = (this.optional('standard_parallel') ?? 0) * RADIANS;
    if (Math.abs(trueLatitude) >= Math.PI / 2) throw this.fault('has a pole as its standard_parallel', 'another one');
    return { trueLatitude, scale: this.optional('scale_factor_at_projection_origin') ?? 1 };
  }

  /** The stated sphere or ellipsoid, or WGS 84. Longitudes from another prime meridian are not read. */
  earth(): EarthShape {
    const radius = this.optional('earth_radius') ?? this.optional('semi_major_axis');
    const minor = this.optional('semi_minor_axis');
    const inverse = this.optional('inverse_flattening');
    const isSphere = radius !== undefined && minor === undefined && (inverse === undefined || inverse === 0);
    const axis = radius ?? WGS_84.axis;
    const flattening =
      isSphere || this.optional('earth_radius') !== undefined
        ? 0
        : inverse !== undefined && inverse !== 0
          ? 1 / inverse
          : minor !== undefined
            ? 1 - minor / axis
            : WGS_84.flattening;
    if ((this.optional('longitude_of_prime_meridian') ?? 0) !== 0) {
      throw this.fault('counts longitudes from another meridian', 'Greenwich: longitude_of_prime_meridian 0');
    }
    if (axis > 1e6 && axis < 1e8 && flattening >= 0 && flattening < 0.1) {
      return { radius: axis, eccentricity: Math.sqrt(flattening * (2 - flattening)) };
    }
    throw this.fault(
      `has an impossible earth, of ${axis} m and the flattening ${flattening}`,
      'a sphere or an ellipsoid',
    );
  }
}
