import { geoPath } from 'd3-geo';
import { element, escapeText } from '../svg.js';
import { FONT, textWidth } from '../text-size.js';
import type { MapExtent } from './map-extent.js';
import type { MapProjection } from './map-projection.js';

/** Degrees between lines, of which the least is taken that gives few enough. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60];
/** The least pixels between two lines. */
const BETWEEN = 62;

/** Parallels and meridians, and their labels at the left and the lower edge of a map. */
export interface Graticule {
  readonly lines: string;
  readonly labels: readonly string[];
}

/** Creates the graticule of a map. */
export function graticule(projection: MapProjection): Graticule {
  const { extent, geo, width, height } = projection;
  const isRound = isAroundPole(projection);
  const stepX = stepFor(((extent.east - extent.west) * BETWEEN) / (isRound ? 4 * width : width));
  const stepY = stepFor(((extent.north - extent.south) * BETWEEN) / (isRound ? height / 2 : height));
  const { south, north, west, east } = linesExtent(projection);
  const meridians = multiples(west, east, stepX).filter((longitude, i) => i === 0 || longitude - west < 360 - 1e-9);
  const parallels = multiples(south, north, stepY).filter((latitude) => Math.abs(latitude) < 90);
  const lines = [
    ...meridians.map((longitude) => sampled((share) => [longitude, south + share * (north - south)])),
    ...parallels.map((latitude) => sampled((share) => [west + share * (east - west), latitude])),
  ];
  const d = geoPath(geo).digits(1)({ type: 'MultiLineString', coordinates: lines }) ?? '';
  const below = meridians.flatMap((longitude) => {
    const at = crossing(
      sampled((share) => [longitude, south + share * (north - south)]),
      projection,
      'bottom',
    );
    return at === undefined ? [] : { at, label: degreeText(westwards(longitude), 'E', 'W') };
  });
  const beside = parallels.flatMap((latitude) => {
    const at = crossing(
      sampled((share) => [west + share * (east - west), latitude]),
      projection,
      'left',
    );
    return at === undefined ? [] : { at, label: degreeText(latitude, 'N', 'S') };
  });
  let taken = Number.NEGATIVE_INFINITY;
  const labels = [...below]
    .sort((a, b) => a.at - b.at)
    .flatMap(({ at, label }) => {
      const half = textWidth(label, FONT.small) / 2;
      if (at - half < taken) return [];
      taken = at + half + 6;
      return element('text', { x: at, y: height + 14, 'text-anchor': 'middle' }, escapeText(label));
    });
  taken = Number.NEGATIVE_INFINITY;
  labels.push(
    ...[...beside]
      .sort((a, b) => a.at - b.at)
      .flatMap(({ at, label }) => {
        if (at - 6 < taken) return [];
        taken = at + 6;
        return element('text', { x: -6, y: at + 4, 'text-anchor': 'end' }, escapeText(label));
      }),
  );
  return { lines: element('path', { class: 'graticule', d }), labels };
}

/** Whether meridians go out from a point of the map, or from one near it. */
function isAroundPole({ name, extent: { south, north, west, east } }: MapProjection): boolean {
  return (
    name === 'polar' || (name === 'grid' && east - west > 300 && Math.max(-south, north) > 89 && south * north > 0)
  );
}

/** Where lines are drawn: those of a cone and of a pole go on beyond the grid, up to the edges of the map. */
function linesExtent(projection: MapProjection): MapExtent {
  const { name, extent } = projection;
  const { south, north, west, east } = extent;
  if (name === 'equirectangular') return extent;
  if (isAroundPole(projection)) {
    const [from, to] = north + south >= 0 ? [Math.max(-10, south - 30), 90] : [-90, Math.min(10, north + 30)];
    return { south: from, north: to, west: -180, east: 180 };
  }
  const middle = (west + east) / 2;
  const beyond = Math.min(name === 'grid' ? 180 : 90, east - west);
  return {
    south: Math.max(-80, south - 15),
    north: Math.min(85, north + 15),
    ...{ west: middle - beyond, east: middle + beyond },
  };
}

function stepFor(least: number): number {
  return STEPS.find((step) => step >= least) ?? 90;
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-6);
  const count = Math.floor(to / step + 1e-6) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toFixed(6)));
}

function sampled(at: (share: number) => [number, number]): [number, number][] {
  return Array.from({ length: 181 }, (_, i) => at(i / 180));
}

/** Where a line crosses the left or the lower edge of a map; undefined if it does not. */
function crossing(
  line: readonly (readonly [number, number])[],
  { point, width, height }: MapProjection,
  edge: 'left' | 'bottom',
): number | undefined {
  const points = line.map(([longitude, latitude]) => {
    const [x, y] = point(longitude, latitude);
    return edge === 'left' ? { across: x, along: y } : { across: height - y, along: x };
  });
  const length = edge === 'left' ? height : width;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    if (a.across > 1e-6 === b.across > 1e-6) continue;
    const share = a.across === b.across ? 0 : Math.min(1, Math.max(0, a.across / (a.across - b.across)));
    const along = a.along + share * (b.along - a.along);
    if (along >= -0.5 && along <= length + 0.5) return along;
  }
  return undefined;
}

function westwards(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude;
}

function degreeText(degrees: number, positive: string, negative: string): string {
  const size = Number(Math.abs(degrees).toFixed(2));
  return `${size}°${size === 0 || size === 180 ? '' : degrees < 0 ? negative : positive}`;
}
