import type { GridProjection } from '../../../ensemble/grid.js';
import { DataError } from '../../../errors.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import { azimuthalEquidistant } from '../../projection/azimuthal-equidistant.js';
import {
  lambertConformal,
  mercator,
  obliqueStereographic,
  polarStereographic,
} from '../../projection/conformal-projections.js';
import { albers, cylindricalEqualArea, lambertAzimuthal, sinusoidal } from '../../projection/equal-area.js';
import { geostationary } from '../../projection/geostationary.js';
import { type EarthShape, RADIANS, type ToEarth } from '../../projection/projection.js';
import { type RotatedPole, rotatedProjection } from '../../projection/rotation.js';
import { transverseMercator } from '../../projection/transverse-mercator.js';
import { listedNames, numberAttributes, textAttribute } from '../attribute-values.js';
import { arrayNamed } from '../coordinates.js';

/** How the coordinates of a plane become latitudes and longitudes. */
export type GridMapping =
  | { readonly kind: 'rotated'; readonly pole: RotatedPole; readonly projection: GridProjection }
  /**
   * `angleHeight` divides metres into radians, where coordinates are angles. Rows that follow parallels have no
   * `projection`.
   */
  | {
      readonly kind: 'plane';
      readonly toEarth: ToEarth;
      readonly angleHeight?: number;
      readonly projection?: GridProjection;
    };

/** The names of grid mappings that are known, of the CF conventions, appendix F. */
export const GRID_MAPPINGS = [
  ...['albers_conical_equal_area', 'azimuthal_equidistant', 'geostationary', 'lambert_azimuthal_equal_area'],
  ...['lambert_conformal_conic', 'lambert_cylindrical_equal_area', 'mercator', 'polar_stereographic'],
  ...['rotated_latitude_longitude', 'sinusoidal', 'stereographic', 'transverse_mercator'],
] as const;

/**
 * The array that describes the projection of an array: the one that its attribute `grid_mapping` names, in the short or
 * the long form (`crs: x y`), or else the only one of the file.
 */
export function findGridMapping(file: ArrayFile, array: StoredArray): StoredArray | undefined {
  const [name] = listedNames(array.attributes, 'grid_mapping');
  if (name !== undefined) return arrayNamed(file, array, name.replace(/:$/, ''));
  const all = [...file.arrays.values()].filter((each) => each.attributes.has('grid_mapping_name'));
  return all.length === 1 ? all[0] : undefined;
}

/** The name of the projection that an array describes. */
export function mappingName({ attributes }: StoredArray): string | undefined {
  return textAttribute(attributes, 'grid_mapping_name')?.toLowerCase();
}

/**
 * Reads a projection from its attributes; undefined for one that is not known. Throws DataError for numbers that are
 * not there, or that no projection has.
 */
export function readGridMapping(source: string, described: StoredArray): GridMapping | undefined {
  const { name, attributes } = described;
  const read = new MappingAttributes(source, name, attributes);
  const mapping = mappingName(described);
  if (mapping === 'rotated_latitude_longitude') {
    const pole = rotatedPole(read);
    return { kind: 'rotated', pole, projection: rotatedProjection(pole) };
  }
  const origin = (...names: string[]) => read.number(['longitude_of_projection_origin', ...names]) * RADIANS;
  const [central, north] = ['longitude_of_central_meridian', 'latitude_of_projection_origin'] as const;
  const moved = (toEarth: ToEarth, projection?: GridProjection, northOfOrigin = 0): GridMapping => {
    const [east, up] = [read.optional('false_easting') ?? 0, read.optional('false_northing') ?? 0];
    return { kind: 'plane', toEarth: (x, y) => toEarth(x - east, y - up + northOfOrigin), projection };
  };
  const earth = read.earth();
  switch (mapping) {
    case 'lambert_conformal_conic': {
      const latitude = read.optional(north);
      const parallels = read.parallels(latitude);
      const scale = read.optional('scale_factor_at_projection_origin') ?? 1;
      const longitude = read.number([central, 'longitude_of_projection_origin']) * RADIANS;
      const { toEarth, toPlane } = lambertConformal(earth, parallels, longitude, scale);
      const northOfOrigin = toPlane((latitude ?? parallels[0] / RADIANS) * RADIANS, longitude)[1];
      return moved(toEarth, cone(mapping, longitude, parallels), northOfOrigin);
    }
    case 'albers_conical_equal_area': {
      const parallels = read.parallels(undefined);
      const longitude = read.number([central, 'longitude_of_projection_origin']) * RADIANS;
      const toEarth = albers(earth, parallels, longitude, (read.optional(north) ?? 0) * RADIANS);
      return moved(toEarth, cone(mapping, longitude, parallels));
    }
    case 'lambert_azimuthal_equal_area':
    case 'azimuthal_equidistant': {
      const inverse = mapping === 'azimuthal_equidistant' ? azimuthalEquidistant : lambertAzimuthal;
      const [latitude, longitude] = [read.latitude([north]), origin(central)];
      return moved(inverse(earth, latitude * RADIANS, longitude), about(mapping, longitude, latitude));
    }
    case 'polar_stereographic':
    case 'stereographic': {
      const latitude = read.latitude([north]);
      const scaleThere = read.optional('scale_factor_at_projection_origin');
      if (Math.abs(latitude) !== 90) {
        if (mapping === 'polar_stereographic') throw read.fault(`has the ${north} ${latitude}`, '90 or -90');
        const longitude = origin(central);
        const toEarth = obliqueStereographic(earth, latitude * RADIANS, longitude, scaleThere ?? 1);
        return moved(toEarth, about('stereographic', longitude, latitude));
      }
      const trueLatitude = Math.abs(read.optional('standard_parallel') ?? 90) * RADIANS;
      const names = ['straight_vertical_longitude_from_pole', 'longitude_of_projection_origin', central];
      const longitude = read.number(names) * RADIANS;
      const scale = scaleThere === undefined ? { trueLatitude } : { atPole: scaleThere };
      const { toEarth } = polarStereographic(earth, latitude > 0 ? 1 : -1, longitude, scale);
      return moved(toEarth, about('stereographic', longitude, latitude));
    }
    case 'lambert_cylindrical_equal_area': {
      const longitude = read.number([central, 'longitude_of_projection_origin']) * RADIANS;
      return moved(cylindricalEqualArea(earth, read.scaleOrParallel(), longitude));
    }
    case 'mercator': {
      const longitude = (read.optional('longitude_of_projection_origin') ?? 0) * RADIANS;
      const { toEarth } = mercator(earth, read.scaleOrParallel());
      return moved((x, y) => {
        const [latitude, east] = toEarth(x, y);
        return [latitude, east + longitude];
      });
    }
    case 'transverse_mercator': {
      const scale = read.optional('scale_factor_at_central_meridian') ?? 1;
      const longitude = read.number([central, 'longitude_of_projection_origin']) * RADIANS;
      const toEarth = transverseMercator(earth, longitude, (read.optional(north) ?? 0) * RADIANS, scale);
      return moved(toEarth, about(mapping, longitude));
    }
    case 'sinusoidal': {
      const longitude = origin(central);
      return moved(sinusoidal(earth, longitude), about(mapping, longitude));
    }
    case 'geostationary': {
      const height = read.number(['perspective_point_height']);
      if (height <= 0) throw read.fault(`has the perspective_point_height ${height}`, 'metres above the equator');
      if ((read.optional(north) ?? 0) !== 0) return undefined;
      const fixed = textAttribute(attributes, 'fixed_angle_axis');
      const sweep = textAttribute(attributes, 'sweep_angle_axis') ?? (fixed === 'y' ? 'x' : 'y');
      const longitude = origin(central);
      const toEarth = geostationary(earth, height, longitude, sweep === 'x' ? 'x' : 'y');
      const projection = { ...about(mapping, longitude), distance: 1 + height / earth.radius };
      return { kind: 'plane', toEarth, angleHeight: height, projection };
    }
    default:
      return undefined;
  }
}

function rotatedPole(read: MappingAttributes): RotatedPole {
  const [latitude, longitude] = [
    read.latitude(['grid_north_pole_latitude']),
    read.number(['grid_north_pole_longitude']),
  ];
  const turned = read.optional('north_pole_grid_longitude') ?? 0;
  return { latitude: -latitude, longitude: longitude + 180, angle: -turned };
}

/** A projection about a place, its longitude in radians. */
function about(name: GridProjection['name'], longitude: number, latitude = 0): GridProjection {
  return { name, latitude, longitude: longitude / RADIANS };
}

function cone(name: GridProjection['name'], longitude: number, [first, second]: [number, number]): GridProjection {
  return { ...about(name, longitude), parallels: [first / RADIANS, second / RADIANS] };
}

const WGS_84 = { axis: 6_378_137, flattening: 1 / 298.257223563 };

/** The attributes of a grid mapping as numbers. */
class MappingAttributes {
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
