import { unusable } from '../errors.js';
import { element, escapeText } from './svg.js';
import { FONT, wrappedText } from './text-size.js';
import { type PlotTheme, styleSheet, themeClass } from './theme.js';

/** The parts of a picture. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly theme: PlotTheme;
  /** Whether it has no size of its own, and fills its box in a page. Default false. */
  readonly fill?: boolean | undefined;
  /** A name and a description for those who do not see it. */
  readonly title: string;
  readonly description: string;
  readonly body: readonly string[];
  /** Colours of areas, as `#rrggbb`, with the names of their classes. */
  readonly fills?: ReadonlyMap<string, string>;
}

/** Joins the parts of a picture to an SVG. */
export function picture({ width, height, theme, fill, title, description, body, fills }: Picture): string {
  const size = { width, height: Math.ceil(height) };
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: themeClass(theme),
      ...(fill ? { width: '100%' } : size),
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'aria-label': title,
    },
    '\n',
    element('title', {}, escapeText(title)),
    element('desc', {}, escapeText(description)),
    element('style', {}, styleSheet(theme, fills)),
    '\n',
    element('rect', { class: 'background', ...size }),
    ...body.map((part) => `\n${part}`),
    '\n',
  )}\n`;
}

/** The space beside a title in pixels, and the lines that it has at most. */
const [TITLE_MARGIN, TITLE_LINES] = [10, 4];

/** The lines of the title of a picture. The rest of one that is longer is left out. */
export function titleLines(title: string, width: number): string[] {
  if (title === '') return [];
  const lines = wrappedText(title, FONT.title, width - 2 * TITLE_MARGIN, true);
  return lines.length <= TITLE_LINES ? lines : [...lines.slice(0, TITLE_LINES - 1), `${lines[TITLE_LINES - 1]}…`];
}

/** Creates a check of a whole number of pixels. */
export function checkPixels(name: string, least: number, most: number): (received: number) => void {
  return (received) => {
    if (Number.isInteger(received) && received >= least && received <= most) return;
    throw unusable(name, received, `a whole number of pixels from ${least} to ${most}`);
  };
}
