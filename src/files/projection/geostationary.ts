import { BEYOND, type EarthShape, type ToEarth } from './projection.js';

/**
 * The view of a geostationary satellite (Coordination Group for Meteorological Satellites, LRIT/HRIT Global
 * Specification, section 4.4.3.2), by scanning angles in radians; NaN beside the disc.
 *
 * @param height Of the satellite above the equator, in metres.
 * @param central The longitude below it, in radians.
 * @param sweep The axis about which the outer of both mirrors turns: `y` as of Meteosat, `x` as of GOES.
 */
export function geostationary(
  { radius, eccentricity }: EarthShape,
  height: number,
  central: number,
  sweep: 'x' | 'y',
): ToEarth {
  const distance = 1 + height / radius;
  // The square of the radius at the pole in radii at the equator.
  const polar = 1 - eccentricity ** 2;
  return (x, y) => {
    const [tanX, tanY] = [Math.tan(x), Math.tan(y)];
    const north = sweep === 'x' ? tanY : tanY * Math.hypot(1, tanX);
    const east = sweep === 'x' ? tanX * Math.hypot(1, tanY) : tanX;
    const a = east ** 2 + north ** 2 / polar + 1;
    const seen = distance ** 2 - a * (distance ** 2 - 1);
    if (seen < 0) return BEYOND;
    const k = (distance - Math.sqrt(seen)) / a;
    const [px, py, pz] = [distance - k, k * east, k * north];
    return [Math.atan2(pz, polar * Math.hypot(px, py)), central + Math.atan2(py, px)];
  };
}
