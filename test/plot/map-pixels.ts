import { Resvg } from '@resvg/resvg-js';
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

/** The range of values of the class whose colour is at a longitude and latitude of a map between these edges. */
export function rangeReader(
  svg: string,
  { west, east, south, north }: { west: number; east: number; south: number; north: number },
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
