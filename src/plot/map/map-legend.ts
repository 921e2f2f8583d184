import { element, escapeText } from '../svg.js';
import { FONT, textWidth } from '../text-size.js';
import { colourClass } from './draw-cells.js';
import type { TercileClasses } from './tercile-classes.js';
import type { ValueClasses } from './value-classes.js';

/** Pixels of a legend: the height of its boxes, of all, and the most for a class. */
const [BOX, MAX_CLASS] = [13, 64];
/** The height of a legend of values in pixels. */
export const LEGEND_HEIGHT = 34;
const MISSING_LABEL = 'missing';

/** What a legend shows besides the classes. */
export interface LegendParts {
  readonly units: string;
  readonly hasMissing: boolean;
  readonly width: number;
}

/** Draws a box for each class with its limits between them, the unit, and a box of missing cells, from 0, 0. */
export function drawMapLegend(classes: ValueClasses | undefined, parts: LegendParts): string[] {
  const { hasMissing, width } = parts;
  const units = [parts.units, classes?.areExceeded ? 'ends include values beyond' : ''].filter(Boolean).join('; ');
  const besides = textWidth(units, FONT.small) + (hasMissing ? 40 + textWidth(MISSING_LABEL, FONT.small) : 0) + 30;
  const count = classes?.colours.length ?? 0;
  const size = Math.max(8, Math.min(MAX_CLASS, (width - besides) / Math.max(1, count)));
  const markup: string[] = [];
  let x = 0;
  if (classes !== undefined) {
    const { colours, limits, label } = classes;
    colours.forEach((colour, i) => {
      markup.push(element('rect', { class: colourClass(colour), x: i * size, y: 0, width: size, height: BOX }));
    });
    x = count * size;
    markup.push(element('rect', { class: 'legend-frame', x: 0, y: 0, width: x, height: BOX }));
    let taken = Number.NEGATIVE_INFINITY;
    const labels = limits.flatMap((limit, i) => {
      const text = label(limit);
      const half = textWidth(text, FONT.small) / 2;
      if (i * size - half < taken) return [];
      taken = i * size + half + 5;
      return element('text', { x: i * size, y: BOX + 14, 'text-anchor': 'middle' }, escapeText(text));
    });
    markup.push(element('g', { 'font-size': FONT.small }, ...labels));
    const unitsPlace = { x: x + 12, y: BOX - 2, 'font-size': FONT.small };
    markup.push(element('text', { class: 'soft', ...unitsPlace }, escapeText(units)));
    x += textWidth(units, FONT.small) + 40;
  }
  if (hasMissing) markup.push(...drawMissing(x, 0));
  return markup;
}

/** A hatched box and its label. */
function drawMissing(x: number, y: number): string[] {
  const box = { x, y, width: 22, height: BOX };
  return [
    element('rect', { class: 'missing-cell', ...box }),
    element('rect', { class: 'legend-frame', ...box }),
    element('text', { x: x + 28, y: y + BOX - 2, 'font-size': FONT.small }, MISSING_LABEL),
  ];
}

/** Pixels of a row of the legend of terciles, and the most for a class. */
const [TERCILE_ROW, TERCILE_CLASS] = [17, 44];
const TERCILE_LABELS = ['above normal', 'near normal', 'below normal'] as const;

/** The height of the legend of a map of the most likely tercile in pixels. */
export const TERCILE_LEGEND_HEIGHT = 4 * TERCILE_ROW + 20;

/**
 * Draws the legend of the most likely tercile from 0, 0: a row of boxes for each category, from above to below normal, with
 * the limits of the shares below them, and the neutral class.
 */
export function drawTercileLegend({ limits, colours }: TercileClasses, { hasMissing, width }: LegendParts): string[] {
  const count = limits.length - 1;
  const label = Math.max(...TERCILE_LABELS.map((text) => textWidth(text, FONT.small)));
  const size = Math.max(8, Math.min(TERCILE_CLASS, (width - label - 24) / count));
  const place = (x: number, row: number) => ({ x, y: row * TERCILE_ROW + BOX - 2, 'font-size': FONT.small });
  const markup = TERCILE_LABELS.flatMap((text, row) => [
    ...Array.from({ length: count }, (_, i) => {
      const colour = colours[1 + (2 - row) * count + i];
      return element('rect', {
        class: colourClass(colour),
        ...{ x: i * size, y: row * TERCILE_ROW, width: size, height: BOX },
      });
    }),
    element('rect', { class: 'legend-frame', x: 0, y: row * TERCILE_ROW, width: count * size, height: BOX }),
    element('text', place(count * size + 12, row), escapeText(text)),
  ]);
  let taken = Number.NEGATIVE_INFINITY;
  const labels = limits.flatMap((limit, i) => {
    const text = `${Number((100 * limit).toFixed(4))}${i === limits.length - 1 ? ' %' : ''}`;
    const half = textWidth(text, FONT.small) / 2;
    if (i * size - half < taken) return [];
    taken = i * size + half + 5;
    return element('text', { x: i * size, y: 3 * TERCILE_ROW + 11, 'text-anchor': 'middle' }, escapeText(text));
  });
  markup.push(element('g', { 'font-size': FONT.small }, ...labels));
  const [neutral, top] = [`none has ${Number((100 * limits[0]).toFixed(4))} %`, 3 * TERCILE_ROW + 20];
  const box = { x: 0, y: top, width: 22, height: BOX };
  markup.push(
    element('rect', { class: colourClass(colours[0]), ...box }),
    element('rect', { class: 'legend-frame', ...box }),
    element('text', { x: 28, y: top + BOX - 2, 'font-size': FONT.small }, neutral),
  );
  if (hasMissing) markup.push(...drawMissing(28 + textWidth(neutral, FONT.small) + 18, top));
  return markup;
}
