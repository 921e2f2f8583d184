import type { ProblemError } from '../problem-error.js';
import { jsonReply, type ResponseParts } from './response-parts.js';

export const PROBLEM_TYPE = 'application/problem+json';

/** Longer paths are not repeated in a problem. */
const MAX_INSTANCE_LENGTH = 256;

/** Seconds after which a request that got a 503 may be tried again. */
const RETRY_AFTER = '30';

/** The reply of RFC 9457 for a problem at a path; `id` is for problems that the operator can look up. */
export function problemReply(problem: ProblemError, path: string, id?: string): ResponseParts {
  const { status, code, message, faults } = problem;
  const headers: Record<string, string> = {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
    ...problem.headers,
  };
  if (status === 503) headers['retry-after'] ??= RETRY_AFTER;
  return jsonReply(status, headers, {
    type: problemType(code),
    title: problemTitle(code, status),
    status,
    detail: message,
    instance: path.length <= MAX_INSTANCE_LENGTH ? path : undefined,
    code,
    id,
    errors: faults.length > 0 ? faults : undefined,
  });
}

/** The titles of the service's own kinds of problem, by code. */
const TITLES: Readonly<Record<string, string>> = {
  'bad-parameters': 'The parameters cannot be used',
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
