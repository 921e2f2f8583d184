import type { Schema } from '../parameters/parameter.js';
import type { ServicePath } from '../router.js';
import { problemSchema } from './responses.js';

/** The paths about the service itself. */
export function servicePaths(): Readonly<Record<ServicePath, Schema>> {
  return {
    '/health': operation('health', 'Whether the service runs', status('ok')),
    '/ready': operation(
      'ready',
      'Whether the service has data to answer with and is not about to stop',
      status('ready'),
      problemSchema([503]),
    ),
    '/openapi.json': operation('openApiDocument', 'This document', { type: 'object' }),
  };
}

function operation(operationId: string, summary: string, schema: Schema, problems: Schema = {}): Schema {
  return {
    get: {
      operationId,
      tags: ['service'],
      summary,
      security: [],
      responses: { 200: { description: summary, content: { 'application/json': { schema } } }, ...problems },
    },
  };
}

function status(value: string): Schema {
  return { type: 'object', required: ['status'], properties: { status: { const: value } } };
}
