import { problemDocument } from '../problem-document.js';
import type { ProblemError } from '../problem-error.js';
import { jsonReply, type ResponseParts } from './response-parts.js';

export const PROBLEM_TYPE = 'application/problem+json';

/** Longer paths are not repeated in a problem. */
const MAX_INSTANCE_LENGTH = 256;

/** Seconds after which a request that got a 503 may be tried again. */
const RETRY_AFTER = '30';

/** The reply of RFC 9457 for a problem at a path; `id` is for problems that the operator can look up. */
export function problemReply(problem: ProblemError, path: string, id?: string): ResponseParts {
  const { status } = problem;
  const headers: Record<string, string> = {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
    ...problem.headers,
  };
  if (status === 503) headers['retry-after'] ??= RETRY_AFTER;
  const instance = path !== '' && path.length <= MAX_INSTANCE_LENGTH ? path : undefined;
  return jsonReply(status, headers, problemDocument(problem, { instance, id }));
}
