import { FileError } from '../errors.js';
import { loadPackage } from '../files/load-package.js';

/** How a picture becomes pixels. */
export interface PngOptions {
  /** The name of the output in messages. */
  readonly subject: string;
  /** Whether fonts of the system are used; only tests do without them. Default true. */
  readonly hasSystemFonts?: boolean;
}

/** Pixels for each pixel of the picture, so that texts are sharp on most screens. */
const ZOOM = 2;

/** A picture of one letter, which is empty where there is no font. */
const LETTER =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="16" font-family="sans-serif">M</text></svg>';

/**
 * Renders an SVG as PNG, with two pixels for each one. Throws PackageError if the package for it is missing, and
 * FileError if the machine has no font to draw texts with.
 */
export async function renderPng(svg: string, { subject, hasSystemFonts = true }: PngOptions): Promise<Uint8Array> {
  const { Resvg } = await loadPackage('@resvg/resvg-js', 'PNG', () => import('@resvg/resvg-js'));
  const font = { loadSystemFonts: hasSystemFonts };
  if (!new Resvg(LETTER, { font }).render().pixels.some((value) => value > 0)) {
    throw new FileError({
      ...{ subject, problem: 'texts cannot be drawn, as this machine has no fonts' },
      allowed: 'a font, such as the package fonts-dejavu-core of Debian; or an output that ends in .svg',
    });
  }
  return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: ZOOM } }).render().asPng();
}
