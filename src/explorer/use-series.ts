import type { Table } from 'apache-arrow';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Core } from '../core/load.js';
import type { Point } from '../ensemble/nearest-place.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { normalOf } from './data/normal-values.js';
import type { OpenSource, Series } from './data/open-source.js';
import { errorText } from './error-text.js';
import type { SeriesMethod, View } from './view/view.js';
import { usualWindows, windowChoice } from './view/window-choice.js';

/** A variable as far as it was read. */
export interface ReadState {
  readonly series?: Series;
  /** The table of normal values in the requested windows, where they are requested. */
  readonly climatology?: Table;
  readonly error?: string;
  /** Why there are no normal values, or what they lack. */
  readonly normalNote?: string;
}

/** What is read. */
export interface SeriesSelection {
  readonly core: Core;
  readonly source: OpenSource | undefined;
  readonly variables: readonly string[];
  readonly point: Point | undefined;
  readonly method: SeriesMethod;
  readonly steps: boolean;
  /** What values are that the data do not name. */
  readonly as: string | undefined;
  readonly model: string | undefined;
  /** Of normal values; undefined where none are requested. */
  readonly normal: NormalSelection | undefined;
}

/** The normal values that are compared with. */
interface NormalSelection extends Pick<View, 'windows' | 'holds'> {
  /** Quantiles that conditions need, besides the usual ones. */
  readonly quantiles: readonly number[];
}

/** The windows that a view shows: the reader's, or the usual ones of the days that were read. */
export function windowsOfView({ windows }: Pick<View, 'windows'>, read: Iterable<ReadState>): string {
  if (windows !== undefined) return windows;
  const tables = [...read].flatMap(({ series }) => series?.table ?? []);
  const hasWeeks = tables.every(({ schema }) => statedCalendar(schema.metadata) === undefined);
  return usualWindows(Math.max(0, ...tables.map(({ numRows }) => numRows)), hasWeeks);
}

/** Reads the series of variables, each once while its source, place and method stay. */
export function useSeries(selection: SeriesSelection): ReadonlyMap<string, ReadState> {
  const { source, variables, point, method, steps, normal, as, model } = selection;
  const [states, setStates] = useState<{ readonly of: OpenSource; readonly read: ReadonlyMap<string, ReadState> }>();
  const sources = useRef(new WeakMap<OpenSource, number>());
  const cache = useRef(new Map<string, Promise<ReadState>>());
  const id = source === undefined ? 0 : numberOf(sources.current, source);
  const base = JSON.stringify([id, point?.latitude, point?.longitude, method, steps, as, model]);
  const wanted = JSON.stringify([base, variables, normal]);
  useEffect(() => {
    if (source === undefined) return;
    let isCurrent = true;
    for (const key of cache.current.keys()) if (!key.startsWith(base)) cache.current.delete(key);
    const once = (key: string, read: () => Promise<ReadState>) => {
      const own = cache.current.get(key) ?? read();
      cache.current.set(key, own);
      return own;
    };
    const readAll = async () => {
      const read = await Promise.all(
        variables.map((variable) => once(`${base} ${variable}`, () => readOne(selection, source, variable))),
      );
      if (normal === undefined) return read;
      const windows = windowsOfView(normal, read);
      return Promise.all(
        read.map((state, v) => {
          if (state.series === undefined) return state;
          const choice = windowChoice(windows, false, normal.holds[variables[v]]);
          const key = JSON.stringify([windows, normal.holds[variables[v]], normal.quantiles]);
          return once(`${base} ${variables[v]} ${key}`, async () => ({
            ...state,
            ...(await normalOf(source, {
              ...{ core: selection.core, variable: variables[v], point, series: state.series as Series, choice },
              quantiles: normal.quantiles,
            })),
          }));
        }),
      );
    };
    void readAll().then(
      (states) =>
        isCurrent && setStates({ of: source, read: new Map(states.map((state, v) => [variables[v], state])) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  // What another source has is not shown under the name of this one.
  return states !== undefined && states.of === source ? states.read : NOTHING;
}

const NOTHING: ReadonlyMap<string, ReadState> = new Map();

let count = 0;

function numberOf(known: WeakMap<OpenSource, number>, source: OpenSource): number {
  const number = known.get(source) ?? ++count;
  known.set(source, number);
  return number;
}

async function readOne(selection: SeriesSelection, source: OpenSource, variable: string): Promise<ReadState> {
  const { core, point, method, steps, as, model } = selection;
  try {
    return { series: await source.read({ core, variable, as, model, point, method, steps }) };
  } catch (error) {
    return { error: errorText(error) };
  }
}
