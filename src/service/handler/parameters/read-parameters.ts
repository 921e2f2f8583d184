import { formatDate } from '../../../period/day.js';
import { DEFAULT_QUANTILES } from '../../../statistics/quantile-options.js';
import { nearestName } from '../../../variable/nearest-name.js';
import type { Endpoint } from '../endpoints.js';
import { type ParameterFault, ProblemError } from '../problem-error.js';
import { parseQuery, type QueryPair } from '../query-string.js';
import { shorten } from '../shorten.js';
import type { Parameter, ParameterName, ParameterValues, Reject } from './parameter.js';

/** Returns why a parameter that the endpoint does not have is rejected; undefined where it is ignored. */
export type RejectUnknown = (
  name: string,
  known: readonly string[],
) => Pick<ParameterFault, 'detail' | 'allowed'> | undefined;

/**
 * The values of `parameters` in a query string. Throws ProblemError (400, `bad-parameters`) with all faults: of each
 * parameter, of unknown ones, and a start after the end.
 */
export function readParameters(
  parameters: readonly Parameter[],
  query: string,
  rejectUnknown: RejectUnknown,
): ParameterValues {
  const faults: ParameterFault[] = [];
  const { given, others } = groupPairs(parseQuery(query), parameters);
  const values = defaultValues();
  for (const parameter of parameters) readOne(parameter, given.get(parameter.name), values, faults);
  if (others.size > 0) noteUnknown(others, parameters, rejectUnknown, faults);
  noteReversed(values, faults);
  if (faults.length > 0) {
    const detail =
      faults.length === 1 ? 'One parameter cannot be used.' : `There are ${faults.length} faults in the parameters.`;
    throw new ProblemError(400, 'bad-parameters', detail, { faults });
  }
  return values;
}

/** Rejects every unknown parameter, with the nearest name. */
export function suggestNearest(name: string, known: readonly string[]): Pick<ParameterFault, 'detail' | 'allowed'> {
  const nearest = nearestName(name, known);
  const detail = nearest === undefined ? 'is not known' : `is not known, the nearest is ${nearest}`;
  return { detail, allowed: known.join(', ') };
}

function defaultValues(): ParameterValues {
  return {
    lat: Number.NaN,
    lon: Number.NaN,
    var: undefined,
    start_date: undefined,
    end_date: undefined,
    use_downscaling: true,
    statistics: DEFAULT_QUANTILES,
    granularity: 'daily',
  };
}

function groupPairs(pairs: readonly QueryPair[], parameters: readonly Parameter[]) {
  const given = new Map<string, QueryPair[]>();
  const others = new Map<string, QueryPair>();
  for (const pair of pairs) {
    const { name } = pair;
    if (!parameters.some((parameter) => parameter.name === name)) {
      if (!others.has(name)) others.set(name, pair);
      continue;
    }
    const before = given.get(name);
    if (before === undefined) given.set(name, [pair]);
    else before.push(pair);
  }
  return { given, others };
}

function readOne<Name extends ParameterName>(
  parameter: Parameter<Name>,
  pairs: readonly QueryPair[] | undefined,
  values: ParameterValues,
  faults: ParameterFault[],
): void {
  const { name, allowed, required } = parameter;
  if (pairs === undefined) {
    if (required) faults.push({ parameter: name, detail: 'is missing', allowed });
    return;
  }
  const text = pairs.length === 1 ? pairs[0].value : pairs.map(({ value }) => value).join(',');
  const value = checked(parameter, pairs, text, (detail, more = {}) => {
    const received = shorten(more.received ?? text);
    faults.push({ parameter: name, detail, received, allowed: more.allowed ?? allowed });
  });
  if (value !== undefined) values[name] = value;
}

function checked<Name extends ParameterName>(
  parameter: Parameter<Name>,
  pairs: readonly QueryPair[],
  text: string,
  reject: Reject,
): ParameterValues[Name] | undefined {
  if (pairs.some(({ broken }) => broken)) return reject('is not percent-encoded UTF-8');
  if (pairs.length > 1 && !parameter.repeatable) return reject(`is given ${pairs.length} times`);
  if (text === '') return reject('is empty');
  if (text.length > parameter.maxLength) return reject(`is longer than ${parameter.maxLength} characters`);
  return parameter.read(text, reject);
}

function noteUnknown(
  others: ReadonlyMap<string, QueryPair>,
  parameters: readonly Parameter[],
  rejectUnknown: RejectUnknown,
  faults: ParameterFault[],
): void {
  const known = parameters.map(({ name }) => name);
  for (const { name } of others.values()) {
    const fault = rejectUnknown(name, known);
    // Only the name is repeated: the value may be a secret in the wrong place.
    if (fault !== undefined) faults.push({ parameter: shorten(name), received: shorten(name), ...fault });
  }
}

function noteReversed({ start_date: start, end_date: end }: ParameterValues, faults: ParameterFault[]): void {
  if (start === undefined || end === undefined || start <= end) return;
  const received = formatDate(start);
  const allowed = `a date not after end_date, which is ${formatDate(end)}`;
  faults.push({ parameter: 'start_date', detail: 'is after end_date', received, allowed });
}

/** Parameters that a legacy endpoint must not ignore, as they change what is requested. */
const CURRENT_ONLY = ['start_date', 'end_date', 'statistics', 'use_downscaling'];

/**
 * How a legacy endpoint treats parameters that it does not know: it ignores them, as existing integrations may send
 * them, except those of the current endpoints. It rejects these, and names the endpoints that take them: those of its
 * own family where there are any.
 */
export function rejectCurrentOnly(legacy: Endpoint, endpoints: readonly Endpoint[]): RejectUnknown {
  const reasons = new Map(CURRENT_ONLY.map((name) => [name, `is not for legacy endpoints; ${takers(name)} takes it`]));
  return (name, known) => {
    const detail = reasons.get(name);
    return detail === undefined ? undefined : { detail, allowed: known.join(', ') };
  };

  function takers(name: string): string {
    const all = endpoints.filter(
      ({ generation, parameters }) =>
        generation === 'current' && parameters.some((parameter) => parameter.name === name),
    );
    const related = all.filter(({ family }) => family === legacy.family);
    return (related.length > 0 ? related : all).map(({ path }) => path).join(' or ');
  }
}
