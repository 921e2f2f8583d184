import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Core } from '../core/load.js';
import { labelAt } from '../ensemble/place-labels.js';
import type { Mark } from '../plot/draw-values.js';
import { createLegend } from '../plot/legend.js';
import type { MemberLines, PanelData } from '../plot/panel-data.js';
import { captionParts, placeText } from '../plot/panel-texts.js';
import { themeClass } from '../plot/theme.js';
import { variables } from '../variable/built-in.js';
import { variableByName } from '../variable/find-variable.js';
import { Chart } from './chart/chart.js';
import { ConditionsCard } from './chart/conditions-card.js';
import type { Explained } from './chart/explain.js';
import { chartLayers } from './chart/layers.js';
import { chartLayout } from './chart/layout.js';
import { explainLeftOut } from './chart/left-out.js';
import { MarkupNode } from './chart/svg-nodes.js';
import { Select } from './controls/fields.js';
import { HoldControl } from './controls/hold.js';
import { SeamReport } from './controls/seams.js';
import { ThresholdControl } from './controls/threshold.js';
import { variableName } from './controls/variable-name.js';
import type { OpenSource } from './data/open-source.js';
import { MapSection } from './map/map-section.js';
import { ActionBar } from './output/action-bar.js';
import type { Shown, ShownVariable } from './use-panels.js';
import type { View } from './view/view.js';

export interface ChartsProps {
  readonly core: Core;
  readonly source: OpenSource;
  readonly view: View;
  readonly shown: Shown;
  readonly theme: 'light' | 'dark';
  readonly onChange: (change: Partial<View>) => void;
}

/** The charts, below each other on one axis of days. */
export function Charts(props: ChartsProps) {
  const { core, source, view, shown, theme, onChange } = props;
  const [day, setDay] = useState<number>();
  const section = useRef<HTMLElement>(null);
  const width = useWidth(section);
  const list = shown.list.flatMap((each) => [
    ...(shown.steps.has(each.key) ? [shown.steps.get(each.key) as ShownVariable] : []),
    each,
  ]);
  const isDrawn = (each: ShownVariable): each is ShownVariable & { explained: Explained } => Boolean(each.explained);
  const charts = list.filter(isDrawn);
  const drawn = shown.list.filter(isDrawn);
  const panels = charts.map(({ explained }) => explained.panel);
  const height = width < 500 ? 150 : 190;
  // Axes follow from these alone.
  const shownOnAxes = panels.flatMap(({ members, climate, thresholds }) => [members, climate, ...thresholds]);
  const layout = useMemo(
    () =>
      panels.length === 0 || width === 0 ? undefined : chartLayout(panels, width - 2 * cardPadding(width), height),
    [width, height, ...shownOnAxes],
  );
  const layers = useMemo(
    () => (layout === undefined ? [] : panels.map((panel, i) => chartLayers(panel, layout, i, view.members))),
    [shown.list, shown.steps, layout, view.members],
  );
  const joined = drawn.flatMap(({ key, explained: { timeline, shown: unit } }) =>
    timeline === undefined ? [] : { label: variableName(key), timeline, shown: unit },
  );
  const onMap = drawn.flatMap(({ key, explained: { choice, shown: unit, threshold } }) => {
    const open = source.gridOf?.(key);
    const climatology = source.climatologies.get(key)?.table;
    return open === undefined ? [] : { key, open: () => open(view.as), choice, shown: unit, threshold, climatology };
  });
  const heading = headingOf(panels);
  const leftOut =
    drawn
      .map(({ explained: { results, choice } }) => results.windows && explainLeftOut(results.windows, choice))
      .find(Boolean) ?? '';
  return (
    <section class="charts" aria-label="Charts" ref={section}>
      <div class="summary">
        <div>
          <h2>{heading.place ?? <span class="data-name">{source.title}</span>}</h2>
          <p>
            {heading.place !== undefined && <span class="data-name">{source.title}</span>}
            {heading.parts.map((part) =>
              heading.place === undefined && part === heading.parts[0] ? part : ` · ${part}`,
            )}
          </p>
        </div>
        <ActionBar {...{ source, view, shown, theme }} />
      </div>
      {leftOut !== '' && (
        <p class="left-out">
          {leftOut}{' '}
          <button type="button" class="quiet" onClick={() => onChange({ partial: true })}>
            Show windows that are not complete
          </button>
        </p>
      )}
      {layout && <Legend marks={layers.flatMap(({ marks }) => marks)} width={layout.width} theme={theme} />}
      {list.map((each) => {
        const index = charts.indexOf(each as (typeof charts)[number]);
        const { explained, state, key, error } = each;
        const isOfSteps = shown.steps.get(key) === each;
        if (explained === undefined || layout === undefined) {
          return (
            <article class="card" key={isOfSteps ? `${key} steps` : key}>
              <h2>{variableName(key)}</h2>
              {error && !(isUnknown(source, key) && view.as === undefined) && <p class="words error">{error}</p>}
              {isUnknown(source, key) && (
                <Select
                  label="The file does not say what these values are. They are"
                  value={view.as ?? ''}
                  choices={[['', 'choose'], ...variables.map(({ slug }) => [slug, variableName(slug)] as const)]}
                  onChange={(as) => onChange({ as: as || undefined })}
                />
              )}
            </article>
          );
        }
        if (isOfSteps) {
          return (
            <Chart
              key={`${key} steps`}
              {...{ explained, layout, index, theme, day }}
              layers={layers[index]}
              onDay={setDay}
              notes={state.series?.steps?.notes ?? []}
            />
          );
        }
        return (
          <Chart
            key={key}
            {...{ explained, layout, index, theme, day }}
            layers={layers[index]}
            onDay={setDay}
            notes={[
              ...(state.series?.notes ?? []),
              ...(state.normalNote ? [state.normalNote] : []),
              ...(explained.samplingNote ? [explained.samplingNote] : []),
            ]}
          >
            {shown.windows !== 'daily' && (
              <HoldControl
                label={variableName(key)}
                rule={variableByName(key)?.window}
                hold={Object.hasOwn(view.holds, key) ? view.holds[key] : undefined}
                shown={explained.shown.days ?? explained.shown}
                first={explained.shown.days === undefined ? middleValue(explained.members) : 0}
                onChange={(hold) =>
                  onChange({
                    holds: withEntry(view.holds, key, hold),
                    thresholds: withEntry(view.thresholds, key, undefined),
                  })
                }
              />
            )}
            <ThresholdControl
              label={variableName(key)}
              members={explained.members}
              shown={explained.shown}
              threshold={explained.threshold}
              onChange={(threshold) => onChange({ thresholds: withEntry(view.thresholds, key, threshold) })}
            />
          </Chart>
        );
      })}
      {layout && shown.conditions.length > 0 && (
        <ConditionsCard
          {...{ layout, theme, day }}
          conditions={shown.conditions}
          shownOf={shown.shownOf}
          onDay={setDay}
          onRemove={(text) => onChange({ conditions: view.conditions.filter((each) => each !== text) })}
        />
      )}
      {shown.variables.length === 0 && <p class="words">Choose a variable to see its chart.</p>}
      {shown.variables.length > 0 && shown.list.length === 0 && <p class="words">Reading values…</p>}
      {onMap.length > 0 && width > 0 && (
        <MapSection
          {...{ core, theme }}
          variables={onMap}
          places={source.places}
          point={shown.point}
          width={width - 2 * cardPadding(width) - 2}
          onPoint={(point) => onChange({ point })}
        />
      )}
      {joined.length > 0 && <SeamReport joined={joined} />}
    </section>
  );
}

function isUnknown({ variables: listed }: OpenSource, key: string): boolean {
  return listed.find((variable) => variable.key === key)?.isKnown === false;
}

/** The place, and what else is said of all charts below it: the run, the model, the members. */
function headingOf(panels: readonly PanelData[]) {
  const parts = panels.length > 0 ? captionParts(panels).slice(0, -1) : [];
  const places = [...new Set(panels.map(({ texts }) => placeText(texts)))];
  const [place] = places.length === 1 ? places : [];
  const names = [nameOfPlace(panels[0]), place].filter((each) => each !== undefined);
  return {
    place: names.length > 0 ? names.join(', ') : undefined,
    parts: parts.filter((part) => part !== place),
  };
}

/** The name or id of a place, where its data have one. */
function nameOfPlace(panel: PanelData | undefined): string | undefined {
  const labels = panel?.texts.labels;
  const column =
    labels?.columns.find(({ name }) => /name$/i.test(name)) ?? (labels?.hasId ? labels.columns[0] : undefined);
  const label = labels && column && labelAt(labels, column, 0);
  return label === undefined || label === null || label === '' ? undefined : String(label);
}

/** A value in the middle of all, with few digits: what a reader may want to count days beyond. */
function middleValue({ values }: MemberLines): number {
  const all = Float64Array.from(values.flatMap((member) => Array.from(member).filter(Number.isFinite))).sort();
  return Number((all[all.length >> 1] ?? 0).toPrecision(2));
}

/** A record with an entry, or without it. */
function withEntry<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Record<string, Value> {
  const { [key]: _, ...others } = record;
  return value === undefined ? others : { ...others, [key]: value };
}

/** Texts of the legend are as large as the texts of the page, in pixels. */
const LEGEND_SIZE = 14;

/** The legend of all charts. */
function Legend(props: { readonly marks: readonly Mark[]; readonly width: number; readonly theme: 'light' | 'dark' }) {
  const { marks, width, theme } = props;
  const svg = useRef<SVGSVGElement>(null);
  const legend = createLegend(marks, width, LEGEND_SIZE);
  const markup = legend.draw(0, 0).join('');
  const content = useRef<MarkupNode | undefined>(undefined);
  useEffect(() => {
    if (svg.current === null) return;
    content.current ??= new MarkupNode(svg.current);
    content.current.show(markup);
  }, [markup]);
  return (
    <svg
      ref={svg}
      class={`legend ${themeClass(theme)}`}
      width={width}
      height={legend.height}
      viewBox={`0 0 ${width} ${legend.height}`}
      aria-hidden="true"
    />
  );
}

/** Pixels between the edge of a card and its chart, as the style sheet has them. */
function cardPadding(width: number): number {
  return width < 500 ? 8 : 16;
}

/** The width of an element in pixels; 0 before it is known. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([{ contentRect }]) => setWidth(Math.floor(contentRect.width)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
