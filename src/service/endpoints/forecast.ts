import type { MembersAnswer } from '../../respond/answer-data.js';
import { MEMBERS } from '../../respond/v2/members-answer.js';
import type { Variable } from '../../variable/variable.js';
import { horizonDays, readHorizonMembers } from '../point/horizon-members.js';
import { copyDays, readVariable, useAll } from '../point/series.js';
import type { Snapshot } from '../source/source.js';
import {
  currentEndpoint,
  type ForecastQuery,
  findTimeline,
  forecastHead,
  forecastParameters,
  forecastQuery,
  forecastRevision,
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
    revision: (query) => forecastRevision(query),
    schema: 'ForecastMembersAnswer',
    described: MEMBERS,
  });
}

/** Reads the members of the timeline at a point. */
export async function computeMembers(
  { available, buffers }: Tools,
  data: Snapshot,
  query: ForecastQuery,
): Promise<MembersAnswer> {
  const source = findTimeline(data, query);
  const chosen = available.chosen(source.coarse, query.variables, source.metres);
  const series = await Promise.all(chosen.map((variable) => readVariable(source, variable)));
  const spans = series.map((one) => requestedDays(query, one));
  const reading = query.members && series.map((one, i) => readHorizonMembers(data, source, one, spans[i], buffers));
  const all = reading && (await useAll(reading, (each) => each.map((one, i) => horizonDays(one, spans[i]))));
  const variables = series.map(({ variable, downscaled, location, field, horizons: known }, i) => {
    const { firstDay, lastDay } = spans[i];
    const horizons = query.horizons ? known : undefined;
    const { members, ensembles } = all?.[i] ?? {
      members: field.members.map((member) => copyDays(field, member, spans[i])),
    };
    const days = Math.max(0, lastDay - firstDay + 1);
    return { variable, downscaled, location, horizons, ensembles, firstDay, days, members };
  });
  return Object.assign(forecastHead(data, source, query, series, spans), { variables });
}
