import type { HorizonName } from '../../variable/availability.js';
import { ProblemError } from '../handler/problem-error.js';
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

/** The problem of a climatology that is not available. */
export function noClimatology(detail: string): ProblemError {
  return new ProblemError(503, 'climatology-unavailable', detail);
}

/** The elevation of a place in metres, looked up on demand; NaN where unknown. */
export function elevationAt(data: Snapshot, dataset: Dataset, cell: number): () => number {
  const { latitude, longitude } = dataset.places;
  return () => data.elevation?.(latitude[cell], longitude[cell]) ?? Number.NaN;
}

function unavailable(code: string, detail: string): never {
  throw new ProblemError(503, code, detail);
}
