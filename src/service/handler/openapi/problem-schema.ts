import type { Schema } from '../parameters/parameter.js';

/** What is in a problem, by RFC 9457. */
export const PROBLEM_SCHEMA: Schema = {
  type: 'object',
  description: 'A problem, by RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'The kind of problem; nothing is behind it.' },
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
          received: { type: 'string', description: 'As it came, shortened; absent where the parameter is missing.' },
          allowed: { type: 'string', description: 'What would be accepted.' },
        },
      },
    },
  },
};
