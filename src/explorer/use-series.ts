import type { Table } from 'apache-arrow';
import { useEffect, useRef, useState } from 'preact/hooks';
import { climatologyTable } from '../climate/climatology-table.js';
import { climatology } from '../climate/compute-climatology.js';
import type { Core } from '../core/load.js';
import type { Point } from '../ensemble/nearest-place.js';
import type { Granularity } from '../period/period.js';
import type { OpenSource, Series } from './data/open-source.js';
import { errorText } from './error-text.js';
import type { SeriesMethod } from './view/view.js';

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
  /** What values are that the data do not name. */
  readonly as: string | undefined;
  /** Of normal values; undefined where none are requested. */
  readonly normal: Granularity | undefined;
}

/** Reads the series of variables, each once while its source, place and method stay. */
export function useSeries(selection: SeriesSelection): ReadonlyMap<string, ReadState> {
  const { source, variables, point, method, normal, as } = selection;
  const [states, setStates] = useState<{ readonly of: OpenSource; readonly read: ReadonlyMap<string, ReadState> }>();
  const sources = useRef(new WeakMap<OpenSource, number>());
  const cache = useRef(new Map<string, Promise<ReadState>>());
  const id = source === undefined ? 0 : numberOf(sources.current, source);
  const base = JSON.stringify([id, point?.latitude, point?.longitude, method, as]);
  const wanted = JSON.stringify([base, variables, normal]);
  useEffect(() => {
    if (source === undefined) return;
    let isCurrent = true;
    for (const key of cache.current.keys()) if (!key.startsWith(base)) cache.current.delete(key);
    const read = variables.map(async (variable) => {
      const key = `${base} ${variable}`;
      const own = cache.current.get(key) ?? readOne(selection, source, variable);
      cache.current.set(key, own);
      const state = await own;
      if (normal === undefined || state.series === undefined) return [variable, state] as const;
      const normalKey = `${key} ${normal}`;
      const compared = cache.current.get(normalKey) ?? readNormal(selection, source, variable, state, normal);
      cache.current.set(normalKey, compared);
      return [variable, await compared] as const;
    });
    void Promise.all(read).then((entries) => isCurrent && setStates({ of: source, read: new Map(entries) }));
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
  const { core, point, method, as } = selection;
  try {
    return { series: await source.read({ core, variable, as, point, method }) };
  } catch (error) {
    return { error: errorText(error) };
  }
}

async function readNormal(
  { core, point }: SeriesSelection,
  source: OpenSource,
  variable: string,
  state: ReadState,
  granularity: Granularity,
): Promise<ReadState> {
  try {
    const given = source.climatologies.get(variable);
    if (given !== undefined) {
      const own = given.table.schema.metadata.get('granularity');
      return own === undefined || own === granularity
        ? { ...state, ...compared(given.table) }
        : { ...state, normalNote: `The climatology ${given.path} is ${own}: choose ${own} windows.` };
    }
    if (source.history === undefined) return { ...state, normalNote: 'There are no normal values of it.' };
    const history = await source.history(variable, point);
    const table = climatologyTable(climatology(core, history, { granularity, fewerYears: true }));
    return { ...state, ...compared(table) };
  } catch (error) {
    return { ...state, normalNote: errorText(error) };
  }
}

/** A climatology, and the years that it does not have. */
function compared(table: Table): Pick<ReadState, 'climatology' | 'normalNote'> {
  const years = table.schema.metadata.get('lacking_years');
  const normalNote = years && `Normal values are without the years ${years}, which the history does not have.`;
  return { climatology: table, ...(normalNote && { normalNote }) };
}
