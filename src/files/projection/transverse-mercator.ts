import { conformal, type EarthShape, type ToEarth } from './projection.js';

/**
 * The third flattening, and the radius of a circle that is as long as a meridian, of an ellipsoid (Karney, Transverse
 * Mercator with an accuracy of a few nanometers, Journal of Geodesy 85, 2011, equation 14).
 */
export function meridian({ radius, eccentricity }: EarthShape): { readonly n: number; readonly rectifying: number } {
  const ratio = Math.sqrt(1 - eccentricity ** 2);
  const n = (1 - ratio) / (1 + ratio);
  return { n, rectifying: (radius / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64) };
}

/**
 * The inverse of the transverse Mercator projection with the given scale at the central meridian; `y` is 0 at the
 * latitude `origin`. By Krueger's series to the fourth order in the third flattening (Karney, equations 35 and 36),
 * which is exact to a micrometre within 4,000 km of the central meridian.
 */
export function transverseMercator(earth: EarthShape, central: number, origin: number, scale: number): ToEarth {
  const { latitudeOf, t } = conformal(earth.eccentricity);
  const { n, rectifying } = meridian(earth);
  const alpha = [
    n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3 + (41 / 180) * n ** 4,
    (13 / 48) * n ** 2 - (3 / 5) * n ** 3 + (557 / 1440) * n ** 4,
    (61 / 240) * n ** 3 - (103 / 140) * n ** 4,
    (49_561 / 161_280) * n ** 4,
  ];
  const beta = [
    n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - n ** 4 / 360,
    n ** 2 / 48 + n ** 3 / 15 - (437 / 1440) * n ** 4,
    (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
    (4397 / 161_280) * n ** 4,
  ];
  const unit = scale * rectifying;
  const conformalOrigin = Math.PI / 2 - 2 * Math.atan(t(origin));
  const xiOrigin = alpha.reduce((sum, a, j) => sum + a * Math.sin(2 * (j + 1) * conformalOrigin), conformalOrigin);
  return (x, y) => {
    const [xi, eta] = [y / unit + xiOrigin, x / unit];
    let [north, east] = [xi, eta];
    for (let j = 1; j <= beta.length; j++) {
      north -= beta[j - 1] * Math.sin(2 * j * xi) * Math.cosh(2 * j * eta);
      east -= beta[j - 1] * Math.cos(2 * j * xi) * Math.sinh(2 * j * eta);
    }
    const conformalLatitude = Math.atan2(Math.sin(north), Math.hypot(Math.sinh(east), Math.cos(north)));
    const longitude = central + Math.atan2(Math.sinh(east), Math.cos(north));
    return [latitudeOf(Math.tan(Math.PI / 4 - conformalLatitude / 2)), longitude];
  };
}
