import type { MembersAnswer } from '../../respond/answer-data.js';
import { MEMBERS } from '../../respond/v2/members-answer.js';
import type { Variable } from '../../variable/variable.js';
import { copyDays, readVariable } from '../point/series.js';
import { timelineRevision } from '../point/snapshot-parts.js';
import type { Snapshot } from '../source/source.js';
import {
  currentEndpoint,
  type ForecastQuery,
  findTimeline,
  forecastHead,
  forecastParameters,
  forecastQuery,
  requestedDays,
} from './current-endpoint.js';
import type { Endpoint, Tools } from './endpoint.js';

/** `/v2/forecast`: the members of the blended forecast; `extra` are variables besides the built-in ones. */
export function forecastEndpoint(extra: readonly Variable[]): Endpoint {
  return currentEndpoint({
    operationId: 'forecast',
    path: '/v2/forecast',
    family: 'forecast',
    summary: 'Members of the blended forecast',
    description:
      'The raw ensemble members, day by day, of the three horizons blended to one timeline of about 6 months.',
    parameters: forecastParameters(extra),
    query: forecastQuery,
    answer: 'members',
    revision: () => timelineRevision,
    schema: 'ForecastMembers',
    described: MEMBERS,
  });
}

/** Reads the members of the timeline at a point. */
export async function computeMembers(
  { available }: Tools,
  data: Snapshot,
  query: ForecastQuery,
): Promise<MembersAnswer> {
  const source = findTimeline(data, query);
  const chosen = available.chosen(source.coarse, query.variables, source.metres);
  const series = await Promise.all(chosen.map((variable) => readVariable(source, variable)));
  const spans = series.map((one) => requestedDays(query, one));
  const variables = series.map(({ variable, downscaled, location, field, horizons: known }, i) => {
    const { firstDay, lastDay } = spans[i];
    const horizons = query.horizons ? known : undefined;
    const members = field.members.map((member) => copyDays(field, member, spans[i]));
    return { variable, downscaled, location, horizons, firstDay, days: Math.max(0, lastDay - firstDay + 1), members };
  });
  return Object.assign(forecastHead(data, source, query, spans), { variables });
}
