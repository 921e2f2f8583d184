import { nearestName } from '../../variable/nearest-name.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { Parameter, Reject } from '../endpoints/parameters.js';
import { type ParameterFault, ProblemError, shorten } from '../problem-error.js';

/** Returns why a parameter that the endpoint does not have is rejected; undefined where it is ignored. */
export type RejectUnknown = (
  name: string,
  known: readonly string[],
) => Pick<ParameterFault, 'detail' | 'allowed'> | undefined;

/** The values of some parameters, by name. */
type Values = Record<string, unknown>;

/** Longer queries are rejected, in characters. */
const MAX_QUERY_LENGTH = 16_384;

/**
 * The values of `parameters` in a query string, or their defaults. Throws ProblemError for a query that is too long
 * (414), and with all faults (400, `bad-parameters`): of each parameter, of unknown ones, and of values that contradict
 * each other.
 */
export function readParameters(parameters: readonly Parameter[], query: string, rejectUnknown: RejectUnknown): Values {
  if (query.length > MAX_QUERY_LENGTH) {
    throw new ProblemError(414, 'query-too-long', `The query has more than ${MAX_QUERY_LENGTH} characters.`);
  }
  const faults: ParameterFault[] = [];
  const { given, others } = groupPairs(parseQuery(query), parameters);
  const values: Values = {};
  const replaced = replacedParameters(parameters, given);
  for (const parameter of parameters) {
    const pairs = given.get(parameter.name);
    const instead = replaced?.get(parameter.name);
    if (instead === undefined) readOne(parameter, pairs, values, faults);
    else if (pairs !== undefined) faults.push(replacedFault(parameter.name, pairs, instead));
  }
  if (others.size > 0) noteUnknown(others, parameters, rejectUnknown, faults);
  for (const parameter of parameters) compare(parameter, given.get(parameter.name), values, faults);
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

/** How an endpoint of `/v2` treats parameters that it does not know: of several points it rejects the one point by name. */
export function rejectPlace({ ofOnePoint }: Endpoint): RejectUnknown {
  return (name, known) =>
    ofOnePoint?.parameters.some((parameter) => parameter.name === name)
      ? { detail: `is not for several points; ${ofOnePoint.path} takes it`, allowed: known.join(', ') }
      : suggestNearest(name, known);
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

/** The names of parameters that others replace, each with the one that does; undefined where none is replaced. */
function replacedParameters(
  parameters: readonly Parameter[],
  given: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, string> | undefined {
  const instead = parameters.filter(({ name, replaces }) => replaces !== undefined && given.has(name));
  if (instead.length === 0) return undefined;
  return new Map(instead.flatMap(({ name, replaces = [] }) => replaces.map((other) => [other, name] as const)));
}

function replacedFault(parameter: string, pairs: readonly QueryPair[], instead: string): ParameterFault {
  const detail = `is given together with ${instead}`;
  return { parameter, detail, received: shorten(joinValues(pairs)), allowed: `${parameter} or ${instead}` };
}

/** Compares a value with that of another parameter, where both could be read. */
function compare(
  parameter: Parameter,
  pairs: readonly QueryPair[] | undefined,
  values: Values,
  faults: ParameterFault[],
): void {
  const { name, against } = parameter;
  if (against === undefined || pairs === undefined || values[name] === undefined) return;
  if (faults.some((fault) => fault.parameter === against.parameter)) return;
  against.check(values[name], values[against.parameter], rejectWith(parameter, joinValues(pairs), faults));
}

function readOne(
  parameter: Parameter,
  pairs: readonly QueryPair[] | undefined,
  values: Values,
  faults: ParameterFault[],
): void {
  const { name, allowed, required } = parameter;
  if (pairs === undefined) {
    if (required) faults.push({ parameter: name, detail: 'is missing', allowed });
    else values[name] = parameter.default;
    return;
  }
  const text = joinValues(pairs);
  values[name] = checked(parameter, pairs, text, rejectWith(parameter, text, faults));
}

function joinValues(pairs: readonly QueryPair[]): string {
  return pairs.length === 1 ? pairs[0].value : pairs.map(({ value }) => value).join(',');
}

function rejectWith({ name, allowed }: Parameter, text: string, faults: ParameterFault[]): Reject {
  return (detail, more = {}) => {
    const received = shorten(more.received ?? text);
    faults.push({ parameter: name, detail, received, allowed: more.allowed ?? allowed });
    return undefined;
  };
}

function checked(parameter: Parameter, pairs: readonly QueryPair[], text: string, reject: Reject): unknown {
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

/**
 * How a legacy endpoint treats parameters that it does not know: it ignores them, as existing integrations may send
 * them, except those of the specification that only current endpoints take, which change what is requested. It rejects
 * these, and names the endpoints that take them: those of its own family where there are any.
 */
export function rejectCurrentOnly(legacy: Endpoint, endpoints: readonly Endpoint[]): RejectUnknown {
  const legacyNames = parametersOf('legacy', legacy.family);
  const currentOnly = parametersOf('current').filter((name) => !legacyNames.includes(name));
  const reasons = new Map(currentOnly.map((name) => [name, `is not for legacy endpoints; ${takers(name)} takes it`]));
  return (name, known) => {
    const detail = reasons.get(name);
    return detail === undefined ? undefined : { detail, allowed: known.join(', ') };
  };

  function parametersOf(generation: Endpoint['generation'], family?: Endpoint['family']): string[] {
    return endpoints
      .filter((one) => one.generation === generation && (family === undefined || one.family === family))
      .flatMap(({ parameters }) => parameters.filter(({ extension }) => !extension).map(({ name }) => name));
  }

  function takers(name: string): string {
    const all = endpoints.filter(
      ({ generation, ofOnePoint, parameters }) =>
        generation === 'current' && !ofOnePoint && parameters.some((parameter) => parameter.name === name),
    );
    const related = all.filter(({ family }) => family === legacy.family);
    return (related.length > 0 ? related : all).map(({ path }) => path).join(' or ');
  }
}

/** A name and a value of a query string. */
interface QueryPair {
  /** Decoded; as received where it is `broken`. */
  readonly name: string;
  readonly value: string;
  /** Whether the name or the value is not percent-encoded UTF-8. */
  readonly broken: boolean;
}

/**
 * The pairs of a query string, in order, as forms encode them: joined by `&`, a plus is a blank, a pair without `=` has
 * an empty value. Empty pairs are left out.
 */
function parseQuery(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  const encoded = query.includes('%') || query.includes('+');
  for (let start = 0; start < query.length; ) {
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    if (end > start) pairs.push(pairOf(query.slice(start, end), encoded));
    start = end + 1;
  }
  return pairs;
}

function pairOf(text: string, encoded: boolean): QueryPair {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? '' : text.slice(equals + 1);
  if (!encoded) return { name, value, broken: false };
  const plainName = decoded(name);
  const plainValue = decoded(value);
  const broken = plainName === undefined || plainValue === undefined;
  return { name: plainName ?? name, value: plainValue ?? value, broken };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
