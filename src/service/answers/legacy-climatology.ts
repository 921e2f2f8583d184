import type { LegacyClimatologyAnswer } from '../../respond/answer-data.js';
import type { LegacyPeriodQuery } from '../handler/queries.js';
import type { Snapshot } from '../source/source.js';
import { type AvailableVariables, selectVariables } from './available-variables.js';
import { coveredPlace } from './covered-place.js';
import { eachAwaited, type Pause } from './pause.js';
import type { PointClimatologies } from './point-climatology.js';
import { elevationAt, noClimatology, requireHistory } from './snapshot-parts.js';

/** What computes answers about the climatology. */
export interface ClimatologyTools {
  readonly available: AvailableVariables;
  readonly climatologies: PointClimatologies;
}

/** Computes the quantiles of the observations at a point for each period of the year. */
export async function legacyClimatologyAnswer(
  { available, climatologies }: ClimatologyTools,
  data: Snapshot,
  query: LegacyPeriodQuery,
  pause?: Pause,
): Promise<LegacyClimatologyAnswer> {
  const { data: history } = requireHistory(data);
  const { cell, location } = coveredPlace(history, query.point);
  const metres = elevationAt(data, history, cell);
  const { kept, dropped } = selectVariables(available, history, query.variables, metres);
  const { granularity, locationId } = query;
  const made = await eachAwaited(kept, pause, async (variable) => {
    const climatology = await climatologies.ofObservations(data, granularity, variable, location);
    return climatology?.quantileValues && { variable, climatology, quantiles: climatology.quantileValues };
  });
  const variables = made.flatMap((one) => one ?? []);
  const missing = kept.filter((variable) => !variables.some((one) => one.variable === variable));
  if (variables.length === 0) {
    throw noClimatology('The history is too short for a climatology of the reference period.');
  }
  const [{ climatology }] = variables;
  return {
    ...{ granularity, location, locationId, attribution: data.attribution },
    dropped: [...dropped, ...missing.map(({ slug }) => slug)],
    referencePeriod: climatology.reference,
    keys: climatology.keys,
    variables,
  };
}
