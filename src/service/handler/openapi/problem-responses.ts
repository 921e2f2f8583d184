import type { Schema } from '../../../respond/shared-fields.js';
import { PROBLEM_TYPE } from '../response-parts.js';

type ProblemStatus = 400 | 401 | 404 | 406 | 414 | 429 | 500 | 503;

const NAMES: Readonly<Record<ProblemStatus, string>> = {
  400: 'BadParameters',
  401: 'KeyMissingOrUnknown',
  404: 'NotFound',
  406: 'NotAcceptable',
  414: 'QueryTooLong',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

/** The headers of all answers and problems: extensions of the specification. */
export const COMMON_HEADERS = {
  'X-Request-Id': {
    description: 'Names the request in the logs of the service: that of the request, or a new one.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Where keys are limited: the requests that the key has left (r), and the seconds until it has all (t), by draft-ietf-httpapi-ratelimit-headers; "day" is its quota of the day, in costs.',
    schema: { type: 'string' },
    example: '"key";r=599;t=1',
  },
  'RateLimit-Policy': {
    description: 'Where keys are limited: the requests (q) in a window of seconds (w).',
    schema: { type: 'string' },
    example: '"key";q=600;w=60',
  },
  'Keys-Age': {
    description:
      'Where the service cannot reach what keeps its keys: the seconds since it could; it uses those that it knows.',
    schema: { type: 'integer' },
    example: 30,
  },
  'Source-Age': {
    description:
      'Where the service cannot reach what has its data: the seconds since it could; it goes on with what it has.',
    schema: { type: 'integer' },
    example: 30,
  },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
};

const CHALLENGE = {
  'WWW-Authenticate': { description: 'Names the header for the key.', schema: { type: 'string' } },
};

/** The responses with a problem, by name. */
export function problemResponses(): Schema {
  return {
    [NAMES[400]]: problem('Parameters cannot be used: all their faults at once.'),
    [NAMES[401]]: problem(
      'The key is missing, not known, or not valid now: expired, revoked, or not valid yet.',
      CHALLENGE,
    ),
    [NAMES[404]]: problem('There is no such path, stored location, or point with data.'),
    [NAMES[406]]: problem('The answer is not available in an acceptable media type.'),
    [NAMES[414]]: problem('The query is longer than any that can be used.'),
    [NAMES[429]]: problem('The key has made too many requests, or used its quota of the day.', RETRY_AFTER),
    [NAMES[500]]: problem('The service has failed; its operator can look up the id.'),
    [NAMES[503]]: problem('The data are not available now, or too much is requested at once.', RETRY_AFTER),
  };
}

/** References to the responses with these statuses. */
export function problemReferences(statuses: readonly ProblemStatus[]): Schema {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${NAMES[status]}` }]));
}

function problem(description: string, headers?: Schema): Schema {
  return {
    description,
    headers: { ...headers, ...COMMON_HEADERS },
    content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** The schema of a problem, by RFC 9457. */
export const PROBLEM_SCHEMA: Schema = {
  type: 'object',
  description: 'A problem, by RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'The kind of problem; an identifier only.' },
    title: { type: 'string', description: 'The kind of problem in words.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What is wrong with this request.' },
    instance: { type: 'string', description: 'The path of the request; absent where it is very long.' },
    code: { type: 'string', description: 'The kind of problem as a stable name, such as `location-not-covered`.' },
    id: { type: 'string', format: 'uuid', description: 'Of an error that the operator of the service can look up.' },
    errors: {
      type: 'array',
      description: 'All faults of the parameters.',
      items: {
        type: 'object',
        required: ['parameter', 'detail', 'allowed'],
        properties: {
          parameter: { type: 'string' },
          detail: { type: 'string', description: 'What is wrong with it.' },
          received: { type: 'string', description: 'As received, shortened; absent where the parameter is missing.' },
          allowed: { type: 'string', description: 'What would be accepted.' },
        },
      },
    },
  },
};
