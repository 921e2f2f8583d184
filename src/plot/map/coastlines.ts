import { type GeoProjection, type GeoStream, geoPath } from 'd3-geo';
import { mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { element } from '../svg.js';
import { checksum } from './indexed-png.js';
import type { Coastlines } from './topojson.js';

/** The shapes of coastlines that are checked. */
function shapesOf({ objects }: Topology): GeometryCollection {
  const shapes = objects.countries ?? objects.land;
  return (
    shapes.type === 'GeometryCollection' ? shapes : { type: 'GeometryCollection', geometries: [shapes] }
  ) as GeometryCollection;
}

/** Draws borders, and coastlines with a light edge, so that they are seen on every colour. */
export function drawCoastlines(coastlines: Coastlines, projection: GeoProjection): string[] {
  const topology = coastlines as unknown as Topology;
  const shapes = shapesOf(topology);
  const stream = { stream: (into: GeoStream) => projection.stream(thinned(into)) };
  const lines = (areBorders: boolean) => {
    const context = new RelativePath();
    geoPath(stream, context)(mesh(topology, shapes, (a, b) => (a !== b) === areBorders));
    return context.text;
  };
  const [coast, borders] = [lines(false), lines(true)];
  // Pictures in one page may have different coastlines.
  const id = `coast-${checksum(new TextEncoder().encode(coast)).toString(16)}`;
  // Rules for paths of the picture do not reach into what is used.
  return [
    ...(borders === '' ? [] : [element('path', { class: 'border', d: borders })]),
    ...(coast === ''
      ? []
      : [element('defs', {}, element('path', { id, fill: 'none', 'stroke-linejoin': 'round', d: coast }))]),
    ...(coast === '' ? [] : ['coast-edge', 'coast'].map((name) => element('use', { class: name, href: `#${id}` }))),
  ];
}

/** Writes lines as steps of tenths of a pixel, which takes half as many characters as the points do. */
class RelativePath {
  text = '';
  #x = 0;
  #y = 0;
  #command = '';
  #start: readonly [number, number] = [0, 0];

  moveTo(x: number, y: number): void {
    this.#step('m', x, y);
    this.#start = [this.#x, this.#y];
  }

  lineTo(x: number, y: number): void {
    this.#step('l', x, y);
  }

  closePath(): void {
    this.text += 'z';
    this.#command = 'z';
    [this.#x, this.#y] = this.#start;
  }

  /** For points, which coastlines have not. */
  arc(): void {}
  beginPath(): void {}

  #step(command: 'm' | 'l', x: number, y: number): void {
    const [toX, toY] = [Math.round(10 * x), Math.round(10 * y)];
    const [dx, dy] = [tenths(toX - this.#x), tenths(toY - this.#y)];
    const isKnown = command === this.#command && command === 'l';
    this.text += `${isKnown ? '' : command}${isKnown && !dx.startsWith('-') ? ' ' : ''}${dx}${dy.startsWith('-') ? '' : ' '}${dy}`;
    this.#command = command;
    [this.#x, this.#y] = [toX, toY];
  }
}

/** A number of tenths without the zero before the point: `-.3`. */
function tenths(value: number): string {
  const digit = Math.abs(value) % 10;
  const whole = (Math.abs(value) - digit) / 10;
  return `${value < 0 ? '-' : ''}${digit > 0 ? `${whole > 0 ? whole : ''}.${digit}` : whole}`;
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
