import {
  type GeoProjection,
  geoAzimuthalEqualArea,
  geoAzimuthalEquidistant,
  geoConicConformal,
  geoConicEqualArea,
  geoEquirectangular,
  geoPath,
  geoProjection,
  geoStereographic,
  geoTransverseMercator,
} from 'd3-geo';
import type { GridProjection } from '../../ensemble/grid.js';
import type { MapCells } from './map-cells.js';
import type { MapExtent } from './map-extent.js';
import type { MapProjectionName } from './projection-names.js';

/** From degrees to the pixels of a map, which has its upper left corner at 0, 0. */
export interface MapProjection {
  /** `grid`: that of the plane on which the cells are rows and columns. */
  readonly name: MapProjectionName | 'grid';
  readonly width: number;
  readonly height: number;
  readonly extent: MapExtent;
  /** The pixel of a point; NaN for a point that the projection cannot show. */
  point(longitude: number, latitude: number): readonly [number, number];
  /** For lines, which are cut at the edges of the map. */
  readonly geo: GeoProjection;
}

const RADIANS = Math.PI / 180;
/** Points that are enough to find the edges of a map. */
const MAX_OUTLINE = 20_000;
/** A map is at most this many times as high as wide. */
const MAX_RATIO = 0.8;

/**
 * Chooses a projection: parallels and meridians are straight for cells along them. Curvilinear grids have that of their
 * own plane; where it is not known, those of a region have a Lambert cone as many of them do, and those around a pole a
 * view of it.
 */
export function chooseProjection(cells: MapCells, { south, north, west, east }: MapExtent): MapProjection['name'] {
  if (cells.kind === 'corners' && cells.projection !== undefined) return 'grid';
  if (cells.kind !== 'corners' || south * north < 0) return 'equirectangular';
  const nearest = Math.max(Math.abs(south), Math.abs(north));
  if (east - west > 180) return nearest > 75 ? 'polar' : 'equirectangular';
  return Math.abs(south + north) / 2 > 15 ? 'lambert' : 'equirectangular';
}

/** What a projection is to show: an extent, and in other projections than of latitudes and longitudes some points. */
interface Shown {
  readonly extent: MapExtent;
  /** Longitudes and latitudes. */
  readonly outline: [number, number][];
  /** That of the grid, if it is known. */
  readonly plane?: GridProjection;
}

/** The greatest size of a map in pixels. */
interface MapSize {
  readonly width: number;
  readonly height: number;
}

/** Creates the projection of an extent that fits into a size. */
export function mapProjection(name: MapProjection['name'], shown: Shown, { width, height }: MapSize): MapProjection {
  const size = { width, height: Math.min(height, MAX_RATIO * width) };
  return name === 'equirectangular' ? equirectangular(shown.extent, size) : fitted(name, shown, size);
}

/** Degrees are as long as they are in the middle of the map, so that shapes are those of the globe there. */
function equirectangular(extent: MapExtent, most: MapSize): MapProjection {
  const { south, north, west, east } = extent;
  const middle = (south + north) / 2;
  const stretch = 1 / Math.max(0.35, Math.cos(middle * RADIANS));
  const perDegree = Math.min(most.width / (east - west), most.height / (stretch * (north - south)));
  const size = { width: perDegree * (east - west), height: perDegree * stretch * (north - south) };
  const geo = geoProjection((x, y) => [x, y * stretch])
    .rotate([-(west + east) / 2, 0])
    .scale(perDegree / RADIANS)
    .translate([size.width / 2, size.height / 2 + perDegree * stretch * middle])
    .clipExtent([
      [0, 0],
      [size.width, size.height],
    ]);
  return {
    ...{ name: 'equirectangular', extent, geo, ...size },
    point: (longitude, latitude) => [(longitude - west) * perDegree, (north - latitude) * perDegree * stretch],
  };
}

/** The plane of a projection by its name: that of the grid, a view of the nearer pole, or a cone. */
function planeOf(name: MapProjection['name'], { extent, plane }: Shown): GridProjection {
  const { south, north, west, east } = extent;
  const middle = (west + east) / 2;
  if (name === 'grid' && plane !== undefined) return plane;
  if (name === 'polar') {
    const latitude = north + south >= 0 ? 90 : -90;
    const isTurned = plane?.latitude === latitude;
    return { name: 'stereographic', latitude, longitude: isTurned ? plane.longitude : east - west > 300 ? 0 : middle };
  }
  const sixth = (north - south) / 6;
  const cone = { latitude: 0, longitude: middle, parallels: [south + sixth, north - sixth] } as const;
  return { name: 'lambert_conformal_conic', ...cone };
}

function fitted(name: MapProjection['name'], shown: Shown, most: MapSize): MapProjection {
  const { extent, outline: coordinates } = shown;
  const geo = gridGeo(planeOf(name, shown));
  const outline = { type: 'MultiPoint' as const, coordinates };
  geo.fitWidth(most.width, outline);
  const bounds = () => geoPath(geo).bounds(outline);
  let [[, top], [, bottom]] = bounds();
  geo.fitSize([most.width, Math.min(most.height, bottom - top)], outline);
  const [[left], [right]] = bounds();
  const [x, y] = geo.translate();
  geo.translate([x - left, y]);
  [[, top], [, bottom]] = bounds();
  const size = { width: right - left, height: bottom - top };
  geo.clipExtent([
    [0, 0],
    [size.width, size.height],
  ]);
  const nowhere = [Number.NaN, Number.NaN] as const;
  return { name, extent, geo, ...size, point: (longitude, latitude) => geo([longitude, latitude]) ?? nowhere };
}

/** Points along the edges of a curvilinear grid, or of an extent. */
export function outlineOf(
  cells: MapCells,
  { south, north, west, east }: MapExtent,
  isBox: boolean,
): [number, number][] {
  if (cells.kind === 'corners' && !isBox) {
    const { rows, columns, longitude, latitude } = cells.corners;
    const places: number[] = [];
    for (let y = 0; y <= rows; y++) {
      // Of rows within, the first and the last corner.
      for (let x = 0; x <= columns; x += y === 0 || y === rows ? 1 : columns) places.push(y * (columns + 1) + x);
    }
    const isKnown = (i: number) => !Number.isNaN(latitude[i]);
    if (places.every(isKnown)) return places.map((i) => [longitude[i], latitude[i]]);
    // A view from space has its edge within the grid.
    const step = Math.ceil(latitude.length / MAX_OUTLINE);
    const known = Array.from(latitude.keys()).filter((i) => i % step === 0 && isKnown(i));
    if (known.length > 0) return known.map((i) => [longitude[i], latitude[i]]);
  }
  const steps = Array.from({ length: 73 }, (_, i) => i / 72);
  return steps.flatMap((share): [number, number][] => {
    const [longitude, latitude] = [west + share * (east - west), south + share * (north - south)];
    return [
      [longitude, south],
      [longitude, north],
      [west, latitude],
      [east, latitude],
    ];
  });
}

/** The projection of the plane of a grid, on a sphere: x to the right, y to the top. */
export function gridGeo({ name, latitude, longitude, parallels, distance }: GridProjection): GeoProjection {
  switch (name) {
    case 'lambert_conformal_conic':
    case 'albers_conical_equal_area': {
      const geo = name === 'lambert_conformal_conic' ? geoConicConformal() : geoConicEqualArea();
      return geo.parallels(parallels as [number, number]).rotate([-longitude, 0]);
    }
    case 'transverse_mercator':
      return geoTransverseMercator().rotate([-longitude, 0]);
    case 'sinusoidal':
      return geoProjection((x, y) => [x * Math.cos(y), y]).rotate([-longitude, 0]);
    case 'geostationary':
      return satellite(distance as number).rotate([-longitude, 0]);
    default:
      return AROUND[name]().rotate([-longitude, -latitude]);
  }
}

/** Those that are made about a place. */
const AROUND = {
  stereographic: () => geoStereographic().clipAngle(120),
  lambert_azimuthal_equal_area: geoAzimuthalEqualArea,
  azimuthal_equidistant: geoAzimuthalEquidistant,
  rotated_latitude_longitude: geoEquirectangular,
};

/** The earth as a satellite sees it, by the tangents of angles; NaN for what is behind the edge of its disc. */
function satellite(distance: number): GeoProjection {
  const edge = 1 / distance;
  const project = (x: number, y: number): [number, number] => {
    const towards = Math.cos(y) * Math.cos(x);
    if (towards < edge) return [Number.NaN, Number.NaN];
    const scale = (distance - 1) / (distance - towards);
    return [scale * Math.cos(y) * Math.sin(x), scale * Math.sin(y)];
  };
  return geoProjection(project).clipAngle(Math.acos(edge) / RADIANS - 1e-3);
}
