import { dateText } from '../period/calendar.js';
import { layoutMeteogram, type MeteogramLayout } from '../plot/draw-meteogram.js';
import type { PanelData, Windows } from '../plot/panel-data.js';
import { describePanels, panelLabel } from '../plot/panel-texts.js';
import { themeClass } from '../plot/theme.js';
import type { ChartSelect } from './chart-element.js';
import type { ChartLook } from './chart-request.js';
import { chartStyle, THEME } from './chart-style.js';
import { nearestWindow, windowsOf, wordsAt } from './panel-windows.js';
import { valueTable } from './value-table.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The least width that a picture is laid out for, and the height of the values of a panel, in pixels. */
const MIN_WIDTH = 240;
const [PANEL, NARROW_PANEL, NARROW] = [170, 150, 500];

/** What keys do: steps from window to window. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 },
  ...{ Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};

/** The content of an element: a picture, what a window says in words, and the table of values. */
export class ChartView {
  readonly #root: ShadowRoot;
  readonly #onSelect: (detail: ChartSelect) => void;
  readonly #plot = create('div', 'plot');
  readonly #words = create('p', 'words');
  readonly #details = document.createElement('details');
  readonly #tables = create('div', 'scroll');
  #panels: readonly PanelData[] = [];
  #look: ChartLook | undefined;
  #layout: MeteogramLayout | undefined;
  #drawnWidth = 0;
  #window = -1;

  constructor(root: ShadowRoot, onSelect: (detail: ChartSelect) => void) {
    this.#root = root;
    this.#onSelect = onSelect;
    root.adoptedStyleSheets = [chartStyle()];
    const [plot, details, tables] = [this.#plot, this.#details, this.#tables];
    plot.tabIndex = 0;
    plot.setAttribute('role', 'slider');
    plot.setAttribute('part', 'chart');
    plot.setAttribute('aria-valuemin', '0');
    this.#words.setAttribute('part', 'words');
    tables.setAttribute('part', 'table');
    tables.setAttribute('role', 'region');
    tables.setAttribute('aria-label', 'Table of values');
    tables.tabIndex = 0;
    const summary = document.createElement('summary');
    summary.textContent = 'Table of values';
    details.append(summary, tables);
    root.append(plot, this.#words, details);
    this.#listen();
    this.say('');
  }

  /** Shows panels. A chart that is drawn again keeps its window. */
  show(panels: readonly PanelData[], look: ChartLook): void {
    if (panels !== this.#panels) this.#window = -1;
    this.#panels = panels;
    this.#look = look;
    this.#draw();
    this.#words.classList.remove('error');
    this.#words.removeAttribute('role');
    this.#plot.hidden = false;
    this.#details.hidden = false;
    this.#fillTables();
    this.#sayWindow();
  }

  /** Shows a text in place of a chart, such as an error. */
  say(text: string, isError = false): void {
    this.#panels = [];
    this.#layout = undefined;
    this.#plot.replaceChildren();
    this.#plot.hidden = true;
    this.#details.hidden = true;
    this.#tables.replaceChildren();
    this.#words.textContent = text;
    this.#words.classList.toggle('error', isError);
    if (isError) this.#words.setAttribute('role', 'alert');
    else this.#words.removeAttribute('role');
  }

  /** Draws again for another width. */
  resize(): void {
    if (this.#panels.length > 0 && this.#width() !== this.#drawnWidth) this.#draw();
  }

  /** The width of the box, at least of the smallest picture; without a box, a common one. */
  #width(): number {
    const { clientWidth } = this.#root.host;
    return clientWidth === 0 ? this.#drawnWidth || 640 : Math.max(MIN_WIDTH, Math.min(10_000, clientWidth));
  }

  #draw(): void {
    if (this.#look === undefined) return;
    const width = this.#width();
    const { heading, amounts, hidesMembers, height } = this.#look;
    const shown = hidesMembers ? this.#panels.map(withoutMembers) : this.#panels;
    const panelHeight = width < NARROW ? NARROW_PANEL : PANEL;
    const layout = layoutMeteogram(shown, { width, panelHeight, height, title: heading, theme: THEME, amounts });
    this.#layout = layout;
    this.#drawnWidth = width;
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('class', themeClass(THEME));
    svg.setAttribute('viewBox', `0 0 ${width} ${Math.ceil(Math.max(layout.height, height ?? 0))}`);
    svg.setAttribute('aria-hidden', 'true');
    svg.append(document.createElementNS(SVG, 'g'), ...svgNodes(layout.body.join('')));
    this.#plot.replaceChildren(svg);
    this.#drawCursor();
  }

  #listen(): void {
    const plot = this.#plot;
    const point = (event: PointerEvent) => {
      const day = this.#dayAt(event.clientX);
      const windows = this.#windows();
      if (day !== undefined && windows !== undefined) this.#select(nearestWindow(windows, day));
    };
    plot.addEventListener('pointermove', point);
    plot.addEventListener('pointerdown', point);
    plot.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'mouse') this.#select(-1);
    });
    plot.addEventListener('keydown', (event) => this.#press(event));
    this.#details.addEventListener('toggle', () => this.#fillTables());
  }

  #press(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    const last = (this.#windows()?.start.length ?? 0) - 1;
    if (event.key === 'Escape') this.#select(-1);
    if (step === undefined || last < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const isFromEnd = step === Number.POSITIVE_INFINITY || (step < 0 && Number.isFinite(step));
    const next = this.#window < 0 ? (isFromEnd ? last : 0) : this.#window + step;
    this.#select(Math.max(0, Math.min(last, next)));
  }

  /** The windows from which the reader chooses: of the panel that has most of them. */
  #windows(): Windows | undefined {
    const all = this.#panels.flatMap((panel) => windowsOf(panel) ?? []);
    return all.length === 0
      ? undefined
      : all.reduce((most, windows) => (windows.start.length > most.start.length ? windows : most));
  }

  #dayAt(clientX: number): number | undefined {
    const box = this.#plot.firstElementChild?.getBoundingClientRect();
    if (this.#layout === undefined || box === undefined || box.width === 0) return undefined;
    const { x } = this.#layout;
    const pixel = ((clientX - box.left) * this.#drawnWidth) / box.width;
    return (pixel - x(0)) / (x(1) - x(0));
  }

  #select(window: number): void {
    if (window === this.#window) return;
    this.#window = window;
    this.#drawCursor();
    this.#sayWindow();
    const windows = this.#windows();
    const calendar = this.#panels[0]?.texts.calendar;
    const dateOf = (days: Int32Array | undefined) =>
      window < 0 || days === undefined ? undefined : dateText(calendar, days[window]);
    const text = window < 0 ? '' : (this.#words.textContent ?? '');
    this.#onSelect({ start: dateOf(windows?.start), end: dateOf(windows?.end), text });
  }

  #drawCursor(): void {
    const group = this.#plot.firstElementChild?.firstElementChild;
    const [layout, windows, i] = [this.#layout, this.#windows(), this.#window];
    if (group === null || group === undefined || layout === undefined) return;
    if (windows === undefined || i < 0) {
      group.replaceChildren();
      return;
    }
    const [from, to] = [layout.x(windows.start[i]), layout.x(windows.end[i] + 1)];
    group.replaceChildren(
      ...layout.panels.map(({ top, bottom }) => {
        const rect = document.createElementNS(SVG, 'rect');
        const place = { class: 'cursor', x: from, y: top, width: Math.max(2, to - from), height: bottom - top };
        for (const [name, value] of Object.entries(place)) rect.setAttribute(name, String(value));
        return rect;
      }),
    );
  }

  /** The sentence about the chosen window, or what a reader can do. */
  #sayWindow(): void {
    const windows = this.#windows();
    const i = this.#window;
    const plot = this.#plot;
    const last = (windows?.start.length ?? 0) - 1;
    const middle = windows === undefined || i < 0 ? undefined : (windows.start[i] + windows.end[i] + 1) / 2;
    const isAlone = this.#panels.length === 1;
    const sentences =
      middle === undefined ? [] : this.#panels.flatMap((panel) => wordsAt(panel, middle, isAlone) ?? []);
    const text = sentences.join('\n');
    this.#words.textContent = text || 'Point at the chart, or use the arrow keys on it, to read a window.';
    plot.setAttribute('aria-label', `${this.#panels.map(panelLabel).join('; ')}: choose a window`);
    plot.setAttribute('aria-description', describePanels(this.#panels));
    plot.setAttribute('aria-valuemax', String(Math.max(0, last)));
    plot.setAttribute('aria-valuenow', String(Math.max(0, i)));
    plot.setAttribute('aria-valuetext', text || 'no window chosen; use the arrow keys');
  }

  /** Tables are made when they are opened. */
  #fillTables(): void {
    this.#tables.replaceChildren(...(this.#details.open ? this.#panels.map(valueTable) : []));
  }
}

/** A panel of statistics alone; one that has none keeps its members. */
function withoutMembers(panel: PanelData): PanelData {
  return panel.statistics.length === 0 ? panel : { ...panel, members: undefined };
}

function create(name: 'div' | 'p', className: string): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

/** Parses markup as XML, in which nothing runs, and gives its nodes to this page. */
function svgNodes(markup: string): Node[] {
  const text = `<svg xmlns="${SVG}">${markup}</svg>`;
  const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (documentElement.querySelector('parsererror') !== null) throw new Error('The drawing is not SVG.');
  return Array.from(documentElement.childNodes, (node) => document.importNode(node, true));
}
