import { Resvg } from '@resvg/resvg-js';
import { expect } from 'vitest';
import type { Grid } from '../../src/ensemble/grid.js';
import type { MapField } from '../../src/plot/index.js';
import { elementsOf } from './read-svg.js';

/** The pixels of a picture, without texts. */
export interface Pixels {
  /** The colour at a pixel of the picture, as `#rrggbb`. */
  at(x: number, y: number): string;
}

/** Renders a map without the lines on its cells. */
export function pixelsOf(svg: string): Pixels {
  const cells = svg.replace(/<path class="graticule"[^>]*>/, '');
  // Images have two pixels for each one.
  const look = { font: { loadSystemFonts: false }, background: '#ffffff', fitTo: { mode: 'zoom', value: 2 } } as const;
  const { pixels, width } = new Resvg(cells, look).render();
  return {
    at: (x, y) => {
      const first = 4 * (Math.floor(2 * y) * width + Math.floor(2 * x));
      return `#${[...pixels.subarray(first, first + 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    },
  };
}

/** The frame of a map in its picture. */
export function frameOf(svg: string): { left: number; top: number; width: number; height: number } {
  const [, left, top] = /<g transform="translate\(([\d.]+),([\d.]+)\)"><svg/.exec(svg) as RegExpExecArray;
  const [{ attributes }] = elementsOf(svg, 'rect', 'frame');
  return { left: Number(left), top: Number(top), width: Number(attributes.width), height: Number(attributes.height) };
}

/** The legend: the colours of classes from the lowest, and the labels of the limits between them. */
export function legendOf(svg: string): { colours: string[]; labels: string[] } {
  const legend = svg.slice(svg.lastIndexOf('<g transform'));
  const colours = [...legend.matchAll(/<rect class="fill-([0-9a-f]{6})"/g)].map(([, colour]) => `#${colour}`);
  const labels = [...legend.matchAll(/text-anchor="middle">([^<]+)</g)].map(([, label]) => label);
  return { colours, labels };
}

/** The edges of a map, in degrees. */
interface Edges {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** The range of values of the class whose colour is at a longitude and latitude of a map between these edges. */
export function rangeReader(
  svg: string,
  { west, east, south, north }: Edges,
): (longitude: number, latitude: number) => [number, number] | string {
  const [pixels, frame, { colours, labels }] = [pixelsOf(svg), frameOf(svg), legendOf(svg)];
  const limits = labels.map((label) => Number(label.replace('\u2212', '-')));
  return (longitude, latitude) => {
    const x = frame.left + (frame.width * (longitude - west)) / (east - west);
    const y = frame.top + (frame.height * (north - latitude)) / (north - south);
    const colour = pixels.at(x, y);
    const k = colours.indexOf(colour);
    return k < 0 ? colour : [limits[k], limits[k + 1]];
  };
}

/** A value that differs from place to place. */
export const wave = (latitude: number, longitude: number) =>
  0.123 + 20 * Math.sin((latitude * Math.PI) / 90) + 10 * Math.cos((longitude * Math.PI) / 60);

/** The field of values at the cells of a grid. */
export function field(grid: Grid, valueAt = wave): MapField {
  const { kind, latitude, longitude } = grid;
  const width = longitude.length;
  const cells = kind === 'rectilinear' ? latitude.length * width : width;
  const values = Float64Array.from({ length: cells }, (_, cell) =>
    kind === 'rectilinear'
      ? valueAt(latitude[Math.floor(cell / width)], longitude[cell % width])
      : valueAt(latitude[cell], longitude[cell]),
  );
  return { grid, values, statistic: { kind: 'mean' }, variable: 'wind_speed', units: 'm s-1' };
}

/** Expects at places, by default at all centres, a colour whose class has the value there. */
export function expectValues(svg: string, extent: Edges, { grid, values }: MapField): void {
  const rangeAt = rangeReader(svg, extent);
  const { kind, latitude, longitude } = grid;
  const width = longitude.length;
  let count = 0;
  for (let cell = 0; cell < values.length; cell += 7) {
    const lat = kind === 'rectilinear' ? latitude[Math.floor(cell / width)] : latitude[cell];
    const lon = kind === 'rectilinear' ? longitude[cell % width] : longitude[cell];
    if (Math.abs(lat) > 89) continue;
    const turned = lon - 360 * Math.floor((lon - extent.west) / 360);
    const found = rangeAt(turned, lat);
    if (typeof found === 'string') throw new Error(`${found} at ${lat}, ${lon}`);
    const [low, high] = found;
    expect(values[cell], `${lat}, ${lon}`).toBeGreaterThanOrEqual(low);
    expect(values[cell], `${lat}, ${lon}`).toBeLessThanOrEqual(high);
    count++;
  }
  expect(count).toBeGreaterThan(20);
}
