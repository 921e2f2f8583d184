import type { Table } from 'apache-arrow';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Core } from '../../core/load.js';
import { findNearest, type Places, type Point } from '../../ensemble/nearest-place.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import type { WindowTable } from '../../period/period.js';
import { weatherMap } from '../../plot/map/map.js';
import { periodWords } from '../../plot/period-words.js';
import type { Threshold } from '../../statistics/options.js';
import { Select, Slider } from '../controls/fields.js';
import { variableName } from '../controls/variable-name.js';
import { errorText } from '../error-text.js';
import type { Shown } from '../view/units.js';
import type { WindowChoice } from '../view/window-choice.js';
import { fieldOfWindow, type MapStatistic, windowsOfGrid } from './grid-window.js';
import { KeptFields } from './kept-fields.js';
import { type MapFrame, mapFrame } from './place-on-map.js';

/** A variable that can be on the map. */
export interface MapVariable {
  readonly key: string;
  readonly open: () => Promise<GridEnsemble>;
  readonly choice: WindowChoice;
  readonly shown: Shown;
  readonly threshold: Threshold | undefined;
  /** The table of a climatology that was opened with it. */
  readonly climatology: Table | undefined;
}

/** A map that is drawn. */
interface Drawn {
  readonly url: string;
  readonly description: string;
  readonly frame: MapFrame | undefined;
}

/** A map and its controls fit on most screens, in pixels. */
const MAX_HEIGHT = 620;

const STATISTICS: readonly (readonly [string, string])[] = [
  ['mean', 'mean'],
  ['0.1', '10 % quantile'],
  ['0.5', 'median'],
  ['0.9', '90 % quantile'],
];

/** A map of one window of an open grid, on which the reader picks a place. */
export function MapCard(props: {
  readonly core: Core;
  readonly variables: readonly MapVariable[];
  readonly places: Places;
  readonly point: Point | undefined;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly onPoint: (point: Point) => void;
}) {
  const { core, variables, places, point, theme, width, onPoint } = props;
  const [chosen, choose] = useState('');
  const [window, setWindow] = useState(0);
  const [kind, setKind] = useState('mean');
  const [state, setState] = useState<{
    readonly windows?: WindowTable;
    readonly drawn?: Drawn;
    readonly error?: string;
  }>({});
  const [progress, setProgress] = useState<number>();
  const [kept] = useState(() => new KeptFields());
  const variable = variables.find(({ key }) => key === chosen) ?? variables[0];
  const { choice, shown, key } = variable;
  const kinds = kindsOf(variable);
  const chosenKind = kinds.some(([each]) => each === kind) ? kind : 'mean';
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const draw = async () => {
      const grid = await variable.open();
      const windows = windowsOfGrid(grid, choice);
      if (windows.count === 0) return setState({ windows, error: 'No window is complete: choose shorter windows.' });
      const at = Math.min(window, windows.count - 1);
      const field = await fieldOfWindow(core, grid, {
        ...{ choice, window: at, statistic: statisticOf(chosenKind, variable), shown, kept, signal },
        onProgress: (share) => !signal.aborted && setProgress(share < 1 ? share : undefined),
      });
      const svg = weatherMap(field, {
        width: Math.max(240, width),
        theme,
        height: MAX_HEIGHT,
        projection: 'equirectangular',
      });
      if (signal.aborted) return;
      const description = /<desc[^>]*>([^<]*)</.exec(svg)?.[1] ?? '';
      const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
      setState({ windows, drawn: { url, description, frame: mapFrame(svg, field.grid) } });
    };
    draw()
      .catch(
        (error) => !signal.aborted && setState((before) => ({ ...before, drawn: undefined, error: errorText(error) })),
      )
      .finally(() => !signal.aborted && setProgress(undefined));
    return () => stop.abort();
  }, [key, choice, window, chosenKind, chosenKind === 'share' && thresholdKey(variable), shown.units, theme, width]);
  const { windows, drawn, error } = state;
  useEffect(() => () => drawn && URL.revokeObjectURL(drawn.url), [drawn]);
  const period = windows && windows.count > 0 ? periodText(windows, Math.min(window, windows.count - 1)) : '';
  const toPlace = (at: Point) => {
    const nearest = findNearest(places, at)?.place;
    if (nearest !== undefined) onPoint({ latitude: places.latitude[nearest], longitude: places.longitude[nearest] });
  };
  return (
    <>
      <div class="map-controls">
        {variables.length > 1 && (
          <Select
            label="Variable"
            value={key}
            choices={variables.map((each) => [each.key, variableName(each.key)] as const)}
            onChange={choose}
          />
        )}
        <Select label="Statistic" value={chosenKind} choices={kinds} onChange={setKind} />
        {windows !== undefined && windows.count > 1 && (
          <Slider
            label="Window"
            text={period}
            {...{ min: 0, max: windows.count - 1, step: 1, value: Math.min(window, windows.count - 1) }}
            onInput={setWindow}
          />
        )}
      </div>
      {error !== undefined && <p class="words error">{error}</p>}
      {drawn === undefined && error === undefined && <p class="words">Reading the grid…</p>}
      {drawn !== undefined && <MapPicture {...{ drawn, point, places }} onPoint={toPlace} />}
      <p class="hint" aria-live="off">
        {progress === undefined
          ? 'Press on the map, or use the arrow keys on it, to choose a place.'
          : `Reading the grid: ${Math.round(100 * progress)} %`}
      </p>
    </>
  );
}

function MapPicture(props: {
  readonly drawn: Drawn;
  readonly point: Point | undefined;
  readonly places: Places;
  readonly onPoint: (point: Point) => void;
}) {
  const { drawn, point, places, onPoint } = props;
  const image = useRef<HTMLImageElement>(null);
  const at = point && drawn.frame?.find(point);
  const press = (event: MouseEvent) => {
    if (image.current === null || event.detail === 0) return;
    const { left, top, width, height } = image.current.getBoundingClientRect();
    const place = drawn.frame?.placeAt((event.clientX - left) / width, (event.clientY - top) / height);
    if (place !== undefined) onPoint(place);
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step === undefined || point === undefined) return;
    event.preventDefault();
    const next = nextPlace(places, point, step);
    if (next !== undefined) onPoint(next);
  };
  return (
    <button
      type="button"
      class="map-picture"
      onClick={press}
      onKeyDown={move}
      aria-label="Map: choose a place by the arrow keys"
    >
      <img ref={image} src={drawn.url} alt={drawn.description} />
      {at && <span class="map-place" style={{ left: `${100 * at[0]}%`, top: `${100 * at[1]}%` }} />}
    </button>
  );
}

/** The nearest place in a direction: the one at the least distance of those that lie within 45 degrees of it. */
function nextPlace({ latitude, longitude }: Places, from: Point, [north, east]: readonly number[]): Point | undefined {
  let best = Number.POSITIVE_INFINITY;
  let found: Point | undefined;
  for (let i = 0; i < latitude.length; i++) {
    const up = latitude[i] - from.latitude;
    const right = ((longitude[i] - from.longitude + 540) % 360) - 180;
    const along = up * north + right * east;
    const beside = Math.abs(up * east) + Math.abs(right * north);
    if (!(along > 1e-6) || beside > along) continue;
    const distance = along + 2 * beside;
    if (distance < best) {
      best = distance;
      found = { latitude: latitude[i], longitude: longitude[i] };
    }
  }
  return found;
}

/** What a map of a variable may show. */
function kindsOf({ threshold, climatology }: MapVariable): readonly (readonly [string, string])[] {
  return [
    ...STATISTICS,
    ...(threshold === undefined ? [] : [['share', 'share beyond the threshold'] as const]),
    ...(climatology === undefined ? [] : [['tercile', 'most likely tercile'] as const]),
  ];
}

function statisticOf(kind: string, { threshold, climatology }: MapVariable): MapStatistic {
  if (kind === 'share' && threshold !== undefined) return { kind: 'exceedance', threshold };
  if (kind === 'tercile' && climatology !== undefined) return { kind, climatology };
  return kind === 'mean' ? { kind } : { kind: 'quantile', probability: Number(kind) };
}

function thresholdKey({ threshold }: MapVariable): string {
  return `${threshold?.operator} ${threshold?.limit}`;
}

function periodText({ granularity, start, end, keys, calendar }: WindowTable, i: number): string {
  return periodWords({ granularity, start: start[i], end: end[i], calendar, key: keys?.[i] });
}
