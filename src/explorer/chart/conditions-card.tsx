import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { leavesOf, neededQuantiles } from '../../condition/condition.js';
import { conditionText } from '../../condition/condition-text.js';
import { drawTimeAxis } from '../../plot/draw-meteogram.js';
import { periodWords } from '../../plot/period-words.js';
import { percentText } from '../../plot/window-words.js';
import type { ShownCondition } from '../use-conditions.js';
import { withLimits } from '../view/condition-units.js';
import { type Shown, shownLimit } from '../view/units.js';
import type { Layout } from './layout.js';
import { drawStrip, STRIP_HEIGHT } from './strips.js';
import { MarkupNode } from './svg-nodes.js';
import { windowAt } from './window-at.js';
import { WindowFrame, windowMark } from './window-frame.js';

/** Pixels of the labels of days below the strips. */
const BELOW = 36;

/** A condition in the units that are shown: `precipitation>5 mm and temp mean<32 °F`. */
function shownConditionText({ condition }: Pick<ShownCondition, 'condition'>, shownOf: (variable: string) => Shown) {
  const inUnits = withLimits(condition, (limit, variable) => shownLimit(limit, shownOf(variable ?? '')));
  const withNumbers = leavesOf(condition).filter((leaf) => neededQuantiles([leaf]).length === 0);
  const units = [...new Set(withNumbers.map(({ variable }) => shownOf(variable ?? '').label))].filter(Boolean);
  return `${conditionText(inUnits)}${units.length === 0 ? '' : ` (${units.join(', ')})`}`;
}

/** The shares of members with conditions, a strip for each. */
export function ConditionsCard(props: {
  readonly conditions: readonly ShownCondition[];
  readonly layout: Layout;
  readonly theme: 'light' | 'dark';
  readonly day: number | undefined;
  readonly shownOf: (variable: string) => Shown;
  readonly onDay: (day: number | undefined) => void;
  readonly onRemove: (text: string) => void;
}) {
  const { conditions, layout, theme, day, shownOf, onDay, onRemove } = props;
  const found = conditions.flatMap(({ found, ...rest }) =>
    found === undefined ? [] : { ...rest, found, label: shownConditionText(rest, shownOf) },
  );
  const height = found.length * STRIP_HEIGHT + BELOW;
  const svg = useRef<SVGSVGElement>(null);
  const [nodes] = useState(() => ({ cursor: new MarkupNode(), strips: new MarkupNode(), axis: new MarkupNode() }));
  useEffect(() => svg.current?.append(nodes.cursor.node, nodes.strips.node, nodes.axis.node), [found.length === 0]);
  const labels = found.map(({ label }) => label).join('\n');
  const markup = useMemo(
    () =>
      found.map(({ found: { windows, shares }, label }, s) => {
        const strip = { label, parts: [{ className: 'chance-bar', shares }] };
        return `<g transform="translate(0,${s * STRIP_HEIGHT})">${drawStrip(strip, windows, layout)}</g>`;
      }),
    [layout, labels, ...found.map((each) => each.found)],
  );
  const [first] = found;
  const current = first === undefined || day === undefined ? -1 : windowAt(first.found.windows, day);
  useLayoutEffect(() => {
    const { axis, x, left, right } = layout;
    nodes.strips.show(markup.join(''));
    nodes.axis.show(drawTimeAxis(axis, { x, left, right, top: found.length * STRIP_HEIGHT }).join(''));
    nodes.cursor.show(first === undefined ? '' : windowMark(first.found.windows, layout, current, 0, height - BELOW));
  }, [markup, layout, current]);
  const words = first === undefined || current < 0 ? '' : wordsOf(first.found, found, current, day ?? 0);
  return (
    <article class="card conditions" aria-labelledby="conditions-card">
      <header class="chart-head">
        <h2 id="conditions-card">Share of members with</h2>
      </header>
      {first !== undefined && (
        <>
          <WindowFrame
            {...{ svg, layout, height, theme, current, words, onDay }}
            windows={first.found.windows}
            name="Conditions"
            title="Share of members with conditions"
          />
          <p class="words">{words || 'Point at the bars, or use the arrow keys on them, to read a window.'}</p>
        </>
      )}
      <ul class="condition-list">
        {conditions.map((each) => {
          const label = shownConditionText(each, shownOf);
          return (
            <li key={each.text}>
              <span>
                {label}
                {each.error !== undefined && <span class="fault">: {each.error}</span>}
                {each.found?.note !== undefined && <span class="hint">: {each.found.note}</span>}
              </span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove the condition ${label}`}
                onClick={() => onRemove(each.text)}
              >
                ✕
              </button>
            </li>
          );
        })}
      </ul>
    </article>
  );
}

interface Labelled {
  readonly found: NonNullable<ShownCondition['found']>;
  readonly label: string;
}

/** The shares of all conditions in a window, in a sentence. */
function wordsOf(
  { windows: { granularity, start, end }, keys, calendar, members }: Labelled['found'],
  found: readonly Labelled[],
  i: number,
  day: number,
): string {
  const period = periodWords({ granularity, start: start[i], end: end[i], calendar, key: keys?.[i] });
  const shares = found.map(
    ({ found: { windows, shares }, label }) => `${percentText(shares[windowAt(windows, day)])} ${label}`,
  );
  return `${period.charAt(0).toUpperCase()}${period.slice(1)}, ${members} members: ${shares.join('; ')}.`;
}
