import { element, escapeText } from '../svg.js';
import { FONT, textWidth } from '../text-size.js';
import { colourClass } from './draw-cells.js';
import type { ValueClasses } from './value-classes.js';

/** Pixels of a legend: the height of its boxes, of all, and the most for a class. */
const [BOX, MAX_CLASS] = [13, 64];
export const LEGEND_HEIGHT = 34;

/** What a legend shows besides the classes. */
interface LegendParts {
  readonly units: string;
  readonly hasMissing: boolean;
  readonly width: number;
}

/** Draws a box for each class with its limits between them, the unit, and a box of missing cells, from 0, 0. */
export function drawMapLegend(classes: ValueClasses | undefined, parts: LegendParts): string[] {
  const { hasMissing, width } = parts;
  const units = [parts.units, classes?.areExceeded ? 'ends include values beyond' : ''].filter(Boolean).join('; ');
  const missing = 'missing';
  const besides = textWidth(units, FONT.small) + (hasMissing ? 40 + textWidth(missing, FONT.small) : 0) + 30;
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
  if (hasMissing) {
    markup.push(element('rect', { class: 'missing-cell', x, y: 0, width: 22, height: BOX }));
    markup.push(element('rect', { class: 'legend-frame', x, y: 0, width: 22, height: BOX }));
    markup.push(element('text', { x: x + 28, y: BOX - 2, 'font-size': FONT.small }, missing));
  }
  return markup;
}
