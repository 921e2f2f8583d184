import { type LegendEntry, legendOf } from '../legend.js';
import { picture } from '../picture.js';
import { element, escapeText } from '../svg.js';
import { FONT, wrappedLines, wrappedText } from '../text-size.js';
import type { PlotTheme } from '../theme.js';

/** A part of a figure with axes of its own. */
export interface FigurePanel {
  /** What it is of, in words; empty where it is the only one. */
  readonly heading: string;
  /** Its numbers and the number of cases, which stand below the heading. */
  readonly facts: readonly string[];
  /** Draws it from 0, 0 into a width. */
  readonly draw: (width: number) => { readonly markup: readonly string[]; readonly height: number };
}

/** A figure: panels beside and below each other, with a common legend. */
export interface Figure {
  readonly title: string;
  /** What it is of: leads, cases, reference. */
  readonly subject: readonly string[];
  readonly panels: readonly FigurePanel[];
  readonly legend: readonly LegendEntry[];
  /** What the figure needs to be read rightly. */
  readonly notes: readonly string[];
  readonly description: string;
}

/** The least and the greatest width of a panel in pixels. */
export interface PanelWidths {
  readonly least: number;
  readonly most: number;
}

/** How a figure looks. */
export interface FigureLook extends PanelWidths {
  readonly width: number;
  readonly theme: PlotTheme;
}

const MARGIN = 10;
const [GAP, LINE] = [26, 15];

/** Draws a figure as SVG. */
export function drawFigure(figure: Figure, { width, theme, least, most }: FigureLook): string {
  const inner = width - 2 * MARGIN;
  const body: string[] = [];
  let y = MARGIN;
  const addLines = (lines: readonly string[], look: { class?: string; size: number; weight?: number; row: number }) => {
    for (const line of lines) {
      y += look.row;
      const place = { class: look.class, x: MARGIN, y, 'font-size': look.size, 'font-weight': look.weight };
      body.push(element('text', place, escapeText(line)));
    }
  };
  addLines(wrappedText(figure.title, FONT.title, inner, true), {
    class: 'title',
    size: FONT.title,
    weight: 700,
    row: 18,
  });
  y += 3;
  const soft = { class: 'soft', size: FONT.label, row: LINE };
  addLines(wrappedLines(figure.subject, ' · ', FONT.label, inner), soft);
  y += 10;
  const legend = legendOf(figure.legend, inner);
  body.push(...legend.draw(MARGIN, y));
  y += legend.height + 4;
  const columns = Math.max(1, Math.min(figure.panels.length, Math.floor((inner + GAP) / (least + GAP))));
  const panelWidth = Math.min(most, Math.floor((inner - (columns - 1) * GAP) / columns));
  for (let first = 0; first < figure.panels.length; first += columns) {
    const row = figure.panels.slice(first, first + columns);
    y += drawRow(row, panelWidth, y, body);
  }
  y += 2;
  addLines(
    figure.notes.flatMap((note) => wrappedText(note, FONT.small, inner)),
    { class: 'soft caption', size: FONT.small, row: LINE },
  );
  const { title, description } = figure;
  return picture({ width, height: y + MARGIN, theme, title, description, body });
}

/** Draws panels beside each other, whose axes begin at one height; returns how high they are. */
function drawRow(panels: readonly FigurePanel[], width: number, top: number, body: string[]): number {
  const heads = panels.map(({ heading, facts }) => ({
    heading: heading === '' ? [] : wrappedText(heading, FONT.label, width, true),
    facts: wrappedLines(facts, ' · ', FONT.small, width),
  }));
  const heightOf = ({ heading, facts }: (typeof heads)[number]) => heading.length * LINE + facts.length * LINE;
  const head = Math.max(...heads.map(heightOf)) + 4;
  let height = 0;
  panels.forEach((panel, i) => {
    const drawn = panel.draw(width);
    height = Math.max(height, drawn.height);
    let y = 0;
    const lines = (texts: readonly string[], attributes: Record<string, string | number>) =>
      texts.map((text) => element('text', { x: 0, y: (y += LINE), ...attributes }, escapeText(text)));
    const { heading, facts } = heads[i];
    const markup = [
      ...lines(heading, { class: 'heading', 'font-size': FONT.label, 'font-weight': 600 }),
      ...lines(facts, { class: 'soft', 'font-size': FONT.small }),
      element('g', { transform: `translate(0,${head})` }, ...drawn.markup),
    ];
    body.push(element('g', { transform: `translate(${MARGIN + i * (width + GAP)},${top})` }, ...markup));
  });
  return head + height + 14;
}
