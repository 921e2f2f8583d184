import { GRANULARITIES, type Granularity } from '../../period/period.js';
import type { LegacyClimatologyAnswer } from '../../respond/answer-data.js';
import { writeLegacyClimatology } from '../../respond/v1/legacy-json.js';
import type { Variable } from '../../variable/variable.js';
import { selectVariables } from '../point/available-variables.js';
import { eachAwaited, type Pause } from '../point/pause.js';
import { findSeriesSource } from '../point/series.js';
import { historyRevision, requireHistory } from '../point/snapshot-parts.js';
import { ProblemError } from '../problem-error.js';
import type { Snapshot } from '../source/source.js';
import type { Endpoint, Tools } from './endpoint.js';
import { type LegacyParameters, legacyEndpoints } from './legacy-endpoint.js';
import { variablesParameter } from './list-parameters.js';
import { granularityParameter } from './parameters.js';

export interface LegacyPeriodParameters extends LegacyParameters {
  readonly granularity: Granularity;
}

/** `/v1/climatology`: quantiles of the reference period; `extra` are variables besides the built-in ones. */
export function legacyClimatologyEndpoints(extra: readonly Variable[]): Endpoint[] {
  return legacyEndpoints({
    operationId: 'legacyClimatology',
    path: '/v1/climatology',
    family: 'climatology',
    summary: 'The climatology of 1993 to 2022',
    description: 'Fixed quantiles of the years 1993 to 2022 for each day, week or month of the year.',
    parameters: [variablesParameter(extra, 'history'), granularityParameter(GRANULARITIES)],
    query: (values, place): LegacyPeriodParameters => ({
      ...place,
      variables: values.var,
      granularity: values.granularity,
    }),
    answer: 'legacyClimatology',
    revision: () => historyRevision,
    schema: 'LegacyClimatologyAnswer',
    write: writeLegacyClimatology,
  });
}

/** Computes the quantiles of the observations at a point for each period of the year. */
export async function computeLegacyClimatology(
  { available, climatologies }: Tools,
  data: Snapshot,
  query: LegacyPeriodParameters,
  pause?: Pause,
): Promise<LegacyClimatologyAnswer> {
  const { data: history } = requireHistory(data);
  const { place, metres } = findSeriesSource(data, { coarse: history }, query);
  const { kept, dropped } = selectVariables(available, history, query.variables, metres);
  const { granularity, locationId } = query;
  const made = await eachAwaited(kept, pause, async (variable) => {
    const climatology = await climatologies.ofObservations(data, granularity, variable, place.location);
    return climatology?.quantileValues && { variable, climatology, quantiles: climatology.quantileValues };
  });
  const variables = made.flatMap((one) => one ?? []);
  const missing = kept.filter((variable) => !variables.some((one) => one.variable === variable));
  if (variables.length === 0) {
    const detail = 'The history is too short for a climatology of the reference period.';
    throw new ProblemError(503, 'climatology-unavailable', detail);
  }
  const [{ climatology }] = variables;
  return {
    ...{ granularity, location: place.location, locationId, attribution: data.attribution },
    dropped: [...dropped, ...missing.map(({ slug }) => slug)],
    referencePeriod: climatology.reference,
    keys: climatology.keys,
    variables,
  };
}
