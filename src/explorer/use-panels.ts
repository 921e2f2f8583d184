import { useMemo, useRef } from 'preact/hooks';
import type { Core } from '../core/load.js';
import type { Point } from '../ensemble/nearest-place.js';
import { GRANULARITIES } from '../period/period.js';
import { variableByName } from '../variable/find-variable.js';
import type { Explained } from './chart/explain.js';
import { shownPanel } from './chart/shown-panel.js';
import { stepsPanel } from './chart/steps-panel.js';
import type { OpenSource } from './data/open-source.js';
import { skillOfEach } from './data/window-skill.js';
import { errorText } from './error-text.js';
import { readConditions, type ShownCondition, useConditions } from './use-conditions.js';
import { type ReadState, useSeries, windowsOfView } from './use-series.js';
import { useSkill } from './use-skill.js';
import { shownDecimals, shownUnit, shownWindows, type Shown as UnitShown } from './view/units.js';
import { quantilesOf, SAMPLING_LEVEL, type View } from './view/view.js';
import { windowChoice } from './view/window-choice.js';

/** A variable of the view: what its chart shows, or why there is none. */
export interface ShownVariable {
  readonly key: string;
  readonly explained?: Explained;
  readonly error?: string;
  readonly state: ReadState;
}

/** What the page shows. */
export interface Shown {
  readonly variables: readonly string[];
  readonly list: readonly ShownVariable[];
  /** The time steps of variables, by their keys, where they are shown. */
  readonly steps: ReadonlyMap<string, ShownVariable>;
  /** The units of the data. */
  readonly units: readonly string[];
  readonly point: Point | undefined;
  /** The windows, as `windowsOf` reads them: the reader's, or the usual ones. */
  readonly windows: string;
  readonly conditions: readonly ShownCondition[];
  /** How windows of a variable are shown. */
  readonly shownOf: (variable: string) => UnitShown;
}

/** The variables that are shown first, where the data have them. */
const FIRST = ['temp_mean', 'precipitation'];

const NOT_IN_EARLIER = 'The earlier run does not have this variable.';

/** Reads and computes what the view shows of a source. */
export function useShownPanels(
  core: Core,
  { source, earlier }: { readonly source: OpenSource | undefined; readonly earlier: OpenSource | undefined },
  view: View,
  firstPoint: Point,
): Shown {
  const variables = useMemo(() => chosenVariables(source, view.variables), [source, view.variables]);
  const point = source && placeOf(source, view.point, firstPoint);
  const { method, partial, holds, steps } = view;
  const conditions = useMemo(() => readConditions(view.conditions), [view.conditions]);
  const named = conditions.variables.filter((key) => !variables.includes(key));
  const read = useSeries({
    ...{ core, source, point, method, steps },
    variables: [...variables, ...named],
    ...{ as: view.as, model: view.model },
    normal:
      view.normal || conditions.quantiles.length > 0
        ? { windows: view.windows, holds, quantiles: conditions.quantiles }
        : undefined,
  });
  const ofEarlier = earlier?.variables.map(({ key }) => key) ?? [];
  const readEarlier = useSeries({
    ...{
      core,
      source: earlier,
      point,
      method: 'field',
      steps: false,
      as: view.as,
      model: view.model,
      normal: undefined,
    },
    variables: variables.filter((key) => ofEarlier.includes(key)),
  });
  const windows = windowsOfView(view, read.values());
  const granularity = GRANULARITIES.find((name) => name === windows);
  const skill = useSkill(source, variables, granularity, point);
  const choiceOf = (key: string) => windowChoice(windows, partial, Object.hasOwn(holds, key) ? holds[key] : undefined);
  const shownOf = (key: string) => {
    const series = read.get(key)?.series;
    const own = series === undefined ? variableByName(key)?.units : series.table.schema.metadata.get('units');
    return shownWindows(shownUnit(own, view.units), choiceOf(key).window);
  };
  const shownConditions = useConditions(core, conditions, read, windows, view);
  const { outer, inner, thresholds, units, normal, sampling } = view;
  const computed = useRef(new Map<string, { readonly of: readonly unknown[]; readonly made: ShownVariable }>());
  const list = useMemo(
    () =>
      variables.flatMap((key): ShownVariable[] => {
        const state = read.get(key);
        if (state === undefined) return [];
        if (state.series === undefined) return [{ key, state, error: state.error }];
        const { series, climatology } = state;
        const choice = choiceOf(key);
        const shown = shownOf(key);
        const threshold = Object.hasOwn(thresholds, key) ? thresholds[key] : undefined;
        // A change of one threshold leaves the other variables as they are.
        const before = readEarlier.get(key);
        const of = [state, before, earlier, choice, outer, inner, threshold, units, normal, sampling, skill.get(key)];
        const known = computed.current.get(key);
        if (known?.of.every((value, i) => value === of[i])) return [known.made];
        try {
          const panel = shownPanel({
            ...{ core, series, choice, shown, threshold },
            quantiles: quantilesOf({ outer, inner }),
            climatology: normal ? climatology : undefined,
            sampling: sampling ? SAMPLING_LEVEL : undefined,
            earlier: before?.series?.table,
          });
          const explained: Explained = {
            earlierNote: before?.error ?? (earlier && !ofEarlier.includes(key) ? NOT_IN_EARLIER : undefined),
            ...{ ...panel, shown, threshold, choice, timeline: series.timeline },
            skill:
              choice.window === undefined
                ? skillOfEach(skill.get(key), panel.members, panel.panel.texts.calendar)
                : undefined,
            decimals: shownDecimals(key, shown),
          };
          const made = { key, state, explained };
          computed.current.set(key, { of, made });
          return [made];
        } catch (error) {
          return [{ key, state, error: errorText(error) }];
        }
      }),
    [
      core,
      read,
      readEarlier,
      skill,
      variables,
      windows,
      partial,
      holds,
      outer,
      inner,
      thresholds,
      units,
      normal,
      sampling,
    ],
  );
  const stepsOf = useMemo(
    () =>
      new Map(
        variables.flatMap((key) => {
          const state = read.get(key);
          const found = state && shownSteps(core, key, state, view);
          return found === undefined ? [] : [[key, found] as const];
        }),
      ),
    [core, read, variables, outer, inner, units],
  );
  const unitsOfData = [...read].flatMap(([key, { series }]) =>
    variables.includes(key) ? (series?.table.schema.metadata.get('units') ?? []) : [],
  );
  const shown = { variables, list, steps: stepsOf, point, windows, conditions: shownConditions, shownOf };
  return { ...shown, units: [...new Set(unitsOfData)] };
}

/** The chart of the time steps of a variable; undefined where they are not requested, or it has none. */
function shownSteps(core: Core, key: string, state: ReadState, view: View): ShownVariable | undefined {
  const { steps } = state.series ?? {};
  if (steps === undefined) return undefined;
  const shown = shownUnit(steps.table.schema.metadata.get('units'), view.units);
  try {
    const panel = stepsPanel(core, steps.table, { quantiles: quantilesOf(view), shown });
    const explained = { ...panel, shown, choice: windowChoice('daily', false), decimals: shownDecimals(key, shown) };
    return { key, state, explained };
  } catch (error) {
    return { key, state, error: errorText(error) };
  }
}

function chosenVariables(source: OpenSource | undefined, chosen: View['variables']): readonly string[] {
  const keys = source?.variables.map(({ key }) => key) ?? [];
  if (chosen !== undefined) {
    const known = chosen.filter((key) => keys.includes(key));
    if (known.length > 0 || chosen.length === 0) return known;
  }
  const usual = FIRST.filter((key) => keys.includes(key));
  return usual.length > 0 ? usual : keys.slice(0, 2);
}

function placeOf({ places, hasAnyPlace }: OpenSource, chosen: Point | undefined, first: Point): Point | undefined {
  if (hasAnyPlace) return chosen ?? first;
  if (places.latitude.length < 2) return undefined;
  return chosen ?? { latitude: places.latitude[0], longitude: places.longitude[0] };
}
