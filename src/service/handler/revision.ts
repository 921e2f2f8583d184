import type { Dataset } from '../source/dataset.js';
import type { ForecastRun, HistoryData, Snapshot } from '../source/source.js';
import type { Endpoint } from './endpoints.js';

/**
 * What the answers of an endpoint are made of, as a text that changes when any of it does; undefined where a snapshot has none of it,
 * so that nothing can be answered.
 */
export function revisionOf({ family, generation, horizon }: Endpoint, data: Snapshot): string | undefined {
  const { forecast, history, attribution = '', revision = '' } = data;
  // Elevations are part of derived variables, climatologies of what is compared with them.
  const common = `${revision}|${attribution}`;
  if (family !== 'forecast') return history && `${historyRevision(history)}|${common}`;
  if (forecast === undefined) return undefined;
  const run = `${forecast.initTime}|${forecast.version}|${forecast.generation}`;
  if (generation === 'current') return `${run}|${timelineRevision(forecast)}|${common}`;
  const own = horizon && forecast.horizons[horizon];
  // Terciles are those of a climatology, which is made of the history.
  return own && `${run}|${own.initTime}|${own.data.revision}|${history ? historyRevision(history) : ''}|${common}`;
}

function timelineRevision({ timeline, fineTimeline }: ForecastRun): string {
  return revisions(timeline, fineTimeline);
}

function historyRevision({ data, fine }: HistoryData): string {
  return revisions(data, fine);
}

function revisions(coarse: Dataset, fine: Dataset | undefined): string {
  return `${coarse.revision}|${fine?.revision ?? ''}`;
}
