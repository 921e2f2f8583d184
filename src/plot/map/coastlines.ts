import { type GeoProjection, type GeoStream, geoPath } from 'd3-geo';
import { mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { unusable } from '../../errors.js';
import { element } from '../svg.js';

/**
 * Coastlines and borders as TopoJSON: a file of the package world-atlas, such as `countries-50m.json` or
 * `land-110m.json`, or others with an object `countries` or `land`.
 */
export type Coastlines = Topology;

/** Throws OptionError for what is not TopoJSON of countries or of land. */
export function checkCoastlines(topology: Coastlines): void {
  const given = topology as Partial<Topology> | null;
  const isTopology = given?.type === 'Topology' && Array.isArray(given.arcs) && shapesOf(topology) !== undefined;
  if (isTopology) return;
  throw unusable('coastlines', topology, 'TopoJSON with an object countries or land, as of the package world-atlas');
}

function shapesOf({ objects }: Topology): GeometryCollection | undefined {
  const shapes = objects?.countries ?? objects?.land;
  if (shapes?.type === 'GeometryCollection') return shapes as GeometryCollection;
  return shapes === undefined
    ? undefined
    : ({ type: 'GeometryCollection', geometries: [shapes] } as GeometryCollection);
}

/** Draws borders, and coastlines with a light edge, so that they are seen on every colour. */
export function drawCoastlines(topology: Coastlines, projection: GeoProjection): string[] {
  const shapes = shapesOf(topology) as GeometryCollection;
  const stream = { stream: (into: GeoStream) => projection.stream(thinned(into)) };
  const path = geoPath(stream).digits(1);
  const coast = path(mesh(topology, shapes, (a, b) => a === b)) ?? '';
  const borders = path(mesh(topology, shapes, (a, b) => a !== b)) ?? '';
  return [
    ...(borders === '' ? [] : [element('path', { class: 'border', d: borders })]),
    ...(coast === '' ? [] : ['coast-edge', 'coast'].map((name) => element('path', { class: name, d: coast }))),
  ];
}

/** Points that are closer than this to the last one are left out, in pixels. */
const MIN_STEP = 0.6;

/** A stream without points that cannot be seen. The last point of a line stays. */
function thinned(into: GeoStream): GeoStream {
  let [isFirst, x, y] = [true, 0, 0];
  let waiting: [number, number] | undefined;
  return {
    ...{ sphere: () => into.sphere?.(), polygonStart: () => into.polygonStart(), polygonEnd: () => into.polygonEnd() },
    lineStart: () => {
      isFirst = true;
      waiting = undefined;
      into.lineStart();
    },
    point: (nextX, nextY) => {
      const isNear = !isFirst && Math.hypot(nextX - x, nextY - y) < MIN_STEP;
      isFirst = false;
      waiting = isNear ? [nextX, nextY] : undefined;
      if (isNear) return;
      [x, y] = [nextX, nextY];
      into.point(x, y);
    },
    lineEnd: () => {
      if (waiting !== undefined) into.point(...waiting);
      into.lineEnd();
    },
  };
}
