import { version } from '../../../../package.json';
import { assertShape } from '../../../check/assert-shape.js';
import { responseSchemas } from '../../../respond/response-schemas.js';
import { assertVariables } from '../../../variable/assert-variable.js';
import type { Variable } from '../../../variable/variable.js';
import { KEY_HEADER } from '../authenticate.js';
import { createEndpoints, type Endpoint } from '../endpoints.js';
import type { Schema } from '../parameters/parameter.js';
import type { ServicePath } from '../router.js';
import { dataOperation } from './data-operation.js';
import { PROBLEM_SCHEMA, problemReferences, problemResponses } from './problem-responses.js';

/** Options of `openApiDocument`. */
export interface OpenApiOptions {
  /** The path that the service is mounted at. Default: the root. */
  basePath?: string;
  /** Variables besides the built-in ones. */
  variables?: readonly Variable[];
}

/** The OpenAPI 3.1 document of the service, made from the definitions that route and validate requests. */
export function openApiDocument(options: OpenApiOptions = {}): Schema {
  assertShape('options', options, { basePath: 'any text?' });
  const { basePath = '', variables } = options;
  assertVariables(variables);
  return {
    openapi: '3.1.0',
    info: {
      title: 'plumecast',
      version,
      summary: 'Probabilistic weather of a point: forecasts, history, climatology.',
      description:
        'Ensemble forecasts at three horizons, blended to one timeline of about 6 months, and the history. All days are UTC calendar days; ' +
        'the nearest point of the grid is used, and named in the response.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ key: [] }],
    tags: TAGS,
    paths: { ...dataPaths(createEndpoints(variables)), ...servicePaths() },
    components: {
      schemas: { ...responseSchemas, Problem: PROBLEM_SCHEMA },
      responses: problemResponses(),
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: KEY_HEADER, description: 'From the operator of the service.' },
      },
    },
  };
}

const TAGS = [
  { name: 'current', description: 'Current endpoints: maps of date keys, any range of dates, quantiles as requested.' },
  {
    name: 'legacy',
    description: 'Legacy endpoints: lists of dates, fixed quantiles, each horizon by itself. Still supported.',
  },
  { name: 'service', description: 'About the service itself. No key is needed.' },
];

function dataPaths(all: readonly Endpoint[]): Schema {
  return Object.fromEntries(all.map((endpoint) => [endpoint.path, { get: dataOperation(endpoint) }]));
}

/** The paths about the service itself. */
function servicePaths(): Readonly<Record<ServicePath, Schema>> {
  return {
    '/health': operation('health', 'Whether the service runs', status('ok')),
    '/ready': operation(
      'ready',
      'Whether the service has data to answer with and is not about to stop',
      status('ready'),
      problemReferences([503]),
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
