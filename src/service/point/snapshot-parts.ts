import { type Point, pointOf } from '../../ensemble/nearest-place.js';
import type { Location } from '../../respond/answer-data.js';
import type { HorizonName } from '../../variable/availability.js';
import { ProblemError } from '../problem-error.js';
import type { Dataset } from '../source/dataset.js';
import type { ForecastRun, HistoryData, HorizonRun, Snapshot } from '../source/source.js';

/** The forecast of a snapshot. Throws ProblemError where there is none. */
export function requireForecast({ forecast }: Snapshot): ForecastRun {
  return forecast ?? unavailable('forecast-unavailable', 'There is no forecast now.');
}

/** One horizon by itself. Throws ProblemError where there is none. */
export function requireHorizon(data: Snapshot, horizon: HorizonName): HorizonRun {
  const run = requireForecast(data).horizons[horizon];
  return run ?? unavailable('forecast-unavailable', `There is no ${horizon} forecast now.`);
}

/** The history of a snapshot. Throws ProblemError where there is none. */
export function requireHistory({ history }: Snapshot): HistoryData {
  return history ?? unavailable('history-unavailable', 'There is no history now.');
}

function unavailable(code: string, detail: string): never {
  throw new ProblemError(503, code, detail);
}

/*
 * The revisions of the parts: texts that change with any data behind an answer; undefined where a snapshot does not
 * have the part, so that nothing can be answered.
 */

/** Of the blended timeline. */
export function timelineRevision(data: Snapshot): string | undefined {
  const { forecast } = data;
  return forecast && `${runRevision(forecast)}|${revisions(forecast.timeline, forecast.fineTimeline)}|${common(data)}`;
}

/** Of the blended timeline, and of the history, which the climatology that it is compared with is computed from. */
export function comparedRevision(data: Snapshot): string | undefined {
  const own = timelineRevision(data);
  return own && `${own}|${historyRevision(data)}`;
}

/** With the record of issued forecasts, besides what `own` is of. */
export function recordedRevision({ record }: Snapshot, own: string | undefined): string | undefined {
  return own && `${own}|${record?.revision ?? ''}`;
}

/** That of the timeline, `own`, and of all horizons by themselves. */
export function horizonsRevision({ forecast }: Snapshot, own: string | undefined): string | undefined {
  const runs = Object.values(forecast?.horizons ?? {});
  return own && [own, ...runs.map(({ data, fine }) => revisions(data, fine))].join('|');
}

/** Of one horizon, and of the history, which the climatology that it is compared with is computed from. */
export function horizonRevision(data: Snapshot, horizon: HorizonName): string | undefined {
  const { forecast, history } = data;
  const own = forecast?.horizons[horizon];
  if (forecast === undefined || own === undefined) return undefined;
  const compared = history ? revisions(history.data, history.fine) : '';
  return `${runRevision(forecast)}|${own.initTime}|${own.data.revision}|${compared}|${common(data)}`;
}

/** Of the history. */
export function historyRevision(data: Snapshot): string | undefined {
  const { history } = data;
  return history && `${revisions(history.data, history.fine)}|${common(data)}`;
}

function runRevision({ initTime, version, generation, shortfalls }: ForecastRun): string {
  return `${initTime}|${version}|${generation}${shortfalls ? JSON.stringify(shortfalls) : ''}`;
}

function revisions(coarse: Dataset, fine: Dataset | undefined): string {
  return `${coarse.revision}|${fine?.revision ?? ''}`;
}

/** Elevations change derived variables, climatologies change what is compared with them. */
function common({ attribution = '', revision = '' }: Snapshot): string {
  return `${revision}|${attribution}`;
}

/** A place of a dataset. */
export interface Place {
  readonly cell: number;
  readonly location: Location;
}

/** The place nearest to a point. Throws ProblemError where it lies farther away than a grid step. */
export function coveredPlace(dataset: Dataset, point: Point): Place {
  const place = placeAt(dataset, point);
  if (place !== undefined) return place;
  const detail = `The data have no place within a grid step of ${point.latitude}, ${point.longitude}.`;
  throw new ProblemError(404, 'location-not-covered', detail, { isOfPoint: true });
}

/** The place nearest to a point; undefined where it lies farther away than a grid step. */
export function placeAt({ places }: Dataset, point: Point): Place | undefined {
  const cell = places.covering(point);
  if (cell === undefined) return undefined;
  return { cell, location: pointOf(places, cell) };
}

/** The elevation of a place in metres, looked up on demand; NaN where unknown. */
export function elevationAt(data: Snapshot, dataset: Dataset, cell: number): () => number {
  const { latitude, longitude } = dataset.places;
  return () => data.elevation?.(latitude[cell], longitude[cell]) ?? Number.NaN;
}
