import type { ProblemError } from './problem-error.js';
import { problemTitle, problemType } from './problem-types.js';
import { jsonReply, type ResponseParts } from './response-parts.js';

export const PROBLEM_TYPE = 'application/problem+json';

/** No longer path is repeated in a problem. */
const MAX_INSTANCE_LENGTH = 256;

/** Seconds after which a request that got a 503 may be tried again. */
const RETRY_AFTER = '30';

/** The reply of RFC 9457 that tells of a problem at a path; `id` where it is one that the operator can look up. */
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
