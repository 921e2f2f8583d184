import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawTimeAxis } from '../../plot/draw-meteogram.js';
import { panelLabel } from '../../plot/panel-texts.js';
import { type Explained, explainChance, explainWindow, ofMembers } from './explain.js';
import type { ChartLayers } from './layers.js';
import type { Layout } from './layout.js';
import { drawWithoutSkill, explainWithoutSkill } from './skill-marks.js';
import { drawStrip, STRIP_HEIGHT, type Strip } from './strips.js';
import { LayerNodes, MarkupNode } from './svg-nodes.js';
import { ValueTable } from './value-table.js';
import { windowAt } from './window-at.js';
import { WindowFrame, windowMark } from './window-frame.js';

/** Pixels above a plot, and of the labels of days below it. */
const [ABOVE, BELOW] = [10, 36];
/** Pixels between a plot and the strips below it. */
const GAP = 6;

export interface ChartProps {
  readonly explained: Explained;
  readonly layout: Layout;
  readonly index: number;
  readonly layers: ChartLayers;
  readonly theme: 'light' | 'dark';
  /** The moment, in days, that the reader points at in any chart. */
  readonly day: number | undefined;
  readonly onDay: (day: number | undefined) => void;
  readonly notes: readonly string[];
  /** Controls of the chart. */
  readonly children?: ComponentChildren;
}

/** A chart of one variable, what a window of it says in words, and the table of its values. */
export function Chart(props: ChartProps) {
  const { explained, layout, index, theme, day, onDay, notes, children } = props;
  const { panel } = explained;
  const windows = panel.statistics[0];
  const strips = useMemo(() => stripsOf(explained), [explained]);
  const height = ABOVE + layout.height + stripsHeight(strips) + BELOW;
  const svg = useDrawing(props, strips);
  const label = panelLabel(panel);
  const current = day === undefined ? -1 : windowAt(windows, day);
  const words = current < 0 ? '' : explainWindow(explained, current);
  const chance = explainChance(explained);
  const withoutSkill = explainWithoutSkill(explained.skill);
  const isEmpty = windows.start.length === 0;
  return (
    <article class="card chart" aria-labelledby={`chart-${index}`}>
      <header class="chart-head">
        <h2 id={`chart-${index}`}>{label}</h2>
        <div class="chart-controls">{children}</div>
      </header>
      <WindowFrame {...{ svg, windows, layout, height, theme, current, words, onDay }} name={label} title={label} />
      <p class="words">{isEmpty ? NONE_COMPLETE : words || hintOf(panel.memberCount)}</p>
      {chance && (
        <p class="words chance" aria-live="polite">
          {chance}
        </p>
      )}
      {withoutSkill && (
        <p class="words skill" aria-live="polite">
          {withoutSkill}
        </p>
      )}
      {explained.earlierNote && <p class="words">{explained.earlierNote}</p>}
      <ValueTable explained={explained} label={label} />
      {notes.length > 0 && (
        <details class="notes">
          <summary>What was done to the values</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

const NONE_COMPLETE = 'No window is complete: choose shorter windows, or keep those that are not complete.';

function hintOf(count: number | undefined): string {
  const members = count === 1 ? '1 member' : `${count ?? 0} members`;
  return `${members}. Point at the chart, or use the arrow keys on it, to read a window.`;
}

/** The strips below a plot: the chance of the threshold, and the categories of normal values. */
function stripsOf({ panel, chance: shares, shown, threshold }: Explained): Strip[] {
  const strips: Strip[] = [];
  const { start, categories } = panel.statistics[0];
  if (shares && threshold && start.length > 0) {
    strips.push({
      label: `share of members ${ofMembers({ panel, shown }, threshold)}`,
      parts: [{ className: 'chance-bar', shares }],
    });
  }
  if (categories) {
    const kind = panel.texts.window === 'sum' ? 'wet' : 'warm';
    const parts = categories.map(({ category, values }) => ({
      ...{ className: `${kind}-${category}`, shares: values },
      name: { below: 'below', normal: 'near', above: 'above normal' }[category],
    }));
    strips.push({ label: 'members', parts });
  }
  return strips;
}

/** Pixels of the strips below a plot, with the gap above them. */
function stripsHeight(strips: readonly Strip[]): number {
  return strips.length === 0 ? 0 : GAP + strips.length * STRIP_HEIGHT;
}

/** Draws into the picture of a chart what has changed. */
function useDrawing({ explained, layout, layers, day }: ChartProps, strips: readonly Strip[]) {
  const svg = useRef<SVGSVGElement>(null);
  const [nodes] = useState(() => ({
    layers: new LayerNodes(),
    skill: new MarkupNode(),
    strips: new MarkupNode(),
    axis: new MarkupNode(),
    cursor: new MarkupNode(),
  }));
  const { panel } = explained;
  useEffect(() => {
    svg.current?.append(nodes.cursor.node, nodes.layers.root, nodes.skill.node, nodes.strips.node, nodes.axis.node);
    nodes.layers.root.setAttribute('transform', `translate(0,${ABOVE})`);
  }, []);
  useLayoutEffect(() => nodes.layers.show(layers.markup), [layers]);
  useLayoutEffect(
    () => nodes.skill.show(drawWithoutSkill(explained.skill, panel.statistics[0], layout, ABOVE)),
    [explained.skill, panel, layout],
  );
  useLayoutEffect(() => {
    const windows = panel.statistics[0];
    const { axis, x, left, right, height } = layout;
    const parts = strips.map(
      (strip, s) =>
        `<g transform="translate(0,${ABOVE + height + GAP + s * STRIP_HEIGHT})">${drawStrip(strip, windows, layout)}</g>`,
    );
    const top = ABOVE + height + stripsHeight(strips);
    nodes.strips.show(parts.join(''));
    nodes.axis.show(drawTimeAxis(axis, { x, left, right, top }).join(''));
  }, [panel, layout, strips]);
  useLayoutEffect(() => {
    const windows = panel.statistics[0];
    const i = day === undefined ? -1 : windowAt(windows, day);
    nodes.cursor.show(windowMark(windows, layout, i, ABOVE, layout.height + stripsHeight(strips)));
  }, [panel, layout, strips, day]);
  return svg;
}
