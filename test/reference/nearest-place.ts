/** The slow, obvious twin of the search for the nearest place: it looks at all of them. */
import type { Places, Point } from '../../src/ensemble/nearest-place.js';

const DEGREE = Math.PI / 180;

/** Whether coordinates agree to a millionth of a degree. */
const same = (degrees: number) => degrees < 1e-6;

function apart(a: number, b: number): number {
  const around = Math.abs(a - b) % 360;
  return Math.min(around, 360 - around);
}

/** The great-circle distance in degrees, by haversines. */
function greatCircle(a: Point, b: Point): number {
  const north = Math.sin(((b.latitude - a.latitude) * DEGREE) / 2) ** 2;
  const east = Math.sin(((b.longitude - a.longitude) * DEGREE) / 2) ** 2;
  const along = Math.cos(a.latitude * DEGREE) * Math.cos(b.latitude * DEGREE) * east;
  return (2 * Math.asin(Math.sqrt(Math.min(1, north + along)))) / DEGREE;
}

/**
 * All that the search may answer: the index of a nearest place, or where the point is too far from it, the points
 * allowed.
 */
export function nearestTwin({ latitude, longitude }: Places, point: Point): (number | string | undefined)[] {
  const places = Array.from(latitude, (north, i) => ({ latitude: north, longitude: longitude[i] }));
  const known = places.filter((place) => !Number.isNaN(place.latitude + place.longitude));
  if (known.length === 0) return [undefined];
  const distances = known.map((place) => greatCircle(place, point));
  const least = Math.min(...distances);
  const nearest = known.filter((_, i) => distances[i] <= least + 1e-9);
  return nearest.map((place) => {
    const norths = known.map((other) => Math.abs(other.latitude - place.latitude));
    const easts = known.map((other) => apart(other.longitude, place.longitude));
    const north = Math.min(...norths.filter((step, i) => !same(step) && same(easts[i])));
    const east = Math.min(...easts.filter((step, i) => !same(step) && same(norths[i])));
    const lone = Math.min(north, east) === Number.POSITIVE_INFINITY;
    const steps = [north, east].map((step) => (lone ? 1 : step < 1000 ? step : Math.min(north, east)));
    const [farNorth, farEast] = [
      Math.abs(point.latitude - place.latitude),
      Math.min(apart(point.longitude, place.longitude), least / Math.max(1e-9, Math.cos(place.latitude * DEGREE))),
    ];
    if (
      same(least) ||
      (Math.abs(point.latitude) >= 90 - steps[0] && least <= steps[0] + 1e-9) ||
      (farNorth <= steps[0] + 1e-9 && farEast <= steps[1] + 1e-9)
    ) {
      return places.findIndex(
        (other) => same(Math.abs(other.latitude - place.latitude)) && same(apart(other.longitude, place.longitude)),
      );
    }
    const [up, along] = steps.map((step) => Number(step.toPrecision(6)));
    const within = lone ? '1 degree of latitude and longitude' : `one grid step (${up} by ${along} degrees)`;
    return `within ${within} of the data; the nearest is ${place.latitude}, ${place.longitude}`;
  });
}
