import {
  type GeoProjection,
  geoAzimuthalEqualArea,
  geoAzimuthalEquidistant,
  geoConicConformal,
  geoConicEqualArea,
  geoEquirectangular,
  geoProjection,
  geoStereographic,
  geoTransverseMercator,
} from 'd3-geo';
import type { GridProjection } from '../../ensemble/grid.js';

const RADIANS = Math.PI / 180;

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
