/*
 * Areas on the sphere of radius 1, in steradians: the area of a cylinder that is as high as the sphere, on which longitude
 * and the sine of latitude are the coordinates (Archimedes). Angles are in radians.
 */

/** Below this angle a series is exact, and the difference of nearly equal numbers is not. */
const SMALL = 0.05;

/**
 * The area between a line that is straight in longitude and latitude and a meridian east of it; negative where the line
 * goes south, or the meridian is west of it. `height` is `heightBetween` its ends, for those who know it.
 */
export function areaEastOf(
  meridian: number,
  lon1: number,
  lat1: number,
  lon2: number,
  lat2: number,
  height: number = heightBetween(lat1, lat2),
): number {
  const half = (lat2 - lat1) / 2;
  const middle = (lat1 + lat2) / 2;
  // Parallels are shorter at the end of the line that is nearer to a pole.
  return (meridian - (lon1 + lon2) / 2) * height + (lon2 - lon1) * Math.sin(middle) * bend(half);
}

/** (sin h - h cos h) / h */
function bend(half: number): number {
  if (Math.abs(half) > SMALL) return (Math.sin(half) - half * Math.cos(half)) / half;
  const square = half * half;
  return (square / 3) * (1 - (square / 10) * (1 - (square / 28) * (1 - square / 54)));
}

/** The difference of the sines of two latitudes. */
export function heightBetween(south: number, north: number): number {
  return 2 * Math.cos((south + north) / 2) * Math.sin((north - south) / 2);
}
