import type { ProblemError } from './problem-error.js';

/** The fields of a problem by RFC 9457, in their order; undefined ones are left out when they are written. */
export function problemDocument(
  { status, code, message, faults }: ProblemError,
  { instance, id }: { readonly instance?: string; readonly id?: string } = {},
): Readonly<Record<string, unknown>> {
  return {
    type: problemType(code),
    title: problemTitle(code, status),
    status,
    detail: message,
    instance,
    code,
    id,
    errors: faults.length > 0 ? faults : undefined,
  };
}

/** The titles of the service's own kinds of problem, by code. */
const TITLES: Readonly<Record<string, string>> = {
  'bad-parameters': 'The parameters cannot be used',
  'request-unreadable': 'The request cannot be read',
  'query-too-long': 'The query is too long',
  'key-missing': 'A key is needed',
  'key-unknown': 'The key is not known',
  'path-not-found': 'There is no such path',
  'location-not-found': 'There is no such location',
  'method-not-allowed': 'The method is not allowed',
  'not-acceptable': 'No acceptable media type',
  'rate-limited': 'Too many requests',
  'not-ready': 'There are no data yet',
  draining: 'The service is about to stop',
  overloaded: 'Too much is requested at once',
  'client-gone': 'The client has gone',
  'client-slow': 'The client reads too slowly',
  'source-unavailable': 'The data are not available now',
  'internal-error': 'An error of the service',
};

/** The titles of other problems, by status. */
const STATUS_TITLES: Readonly<Record<number, string>> = {
  400: 'The request cannot be used',
  404: 'There is no such resource',
  503: 'There are no such data now',
};

/** The title of a kind of problem: the same for all problems with a code. */
function problemTitle(code: string, status: number): string {
  return (Object.hasOwn(TITLES, code) ? TITLES[code] : STATUS_TITLES[status]) ?? `Status ${status}`;
}

/** The URI of a kind of problem: an identifier only, there is no page behind it. */
function problemType(code: string): string {
  return `urn:plumecast:problem:${code}`;
}
