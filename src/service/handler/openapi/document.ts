import { version } from '../../../../package.json';
import { assertShape } from '../../../check/option-checks.js';
import { ARROW_TYPE, CSV_TYPE, JSON_TYPE, type MediaType } from '../../../respond/body.js';
import { responseSchemas } from '../../../respond/response-schemas.js';
import type { Schema } from '../../../respond/shared-fields.js';
import { assertVariables } from '../../../variable/find-variable.js';
import type { Variable } from '../../../variable/variable.js';
import { createEndpoints } from '../../endpoints/all-endpoints.js';
import type { Endpoint } from '../../endpoints/endpoint.js';
import { MAX_POINTS } from '../../endpoints/extension-parameters.js';
import type { Parameter } from '../../endpoints/parameters.js';
import { assertBasePath } from '../handler-options.js';
import { KEY_HEADER } from '../request-context.js';
import { COMMON_HEADERS, PROBLEM_SCHEMA, problemReferences, problemResponses } from './problem-responses.js';

/** A path that needs no key. */
export type ServicePath = '/health' | '/ready' | '/openapi.json';

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
  assertBasePath(basePath);
  assertVariables(variables);
  const endpoints = createEndpoints(variables);
  return {
    openapi: '3.1.0',
    info: {
      title: 'plumecast',
      version,
      summary: 'Probabilistic weather of a point: forecasts, history, climatology.',
      description:
        'Ensemble forecasts at three horizons, blended to one timeline of about 6 months, and the history. All days are UTC calendar days; ' +
        'the nearest point of the grid is used, and named in the response. Parameters and paths with `x-extension` go beyond the specification of the service: ' +
        'without them, responses are those of the specification. ' +
        'Extensions of all endpoints: long answers are compressed by Accept-Encoding; a request may have an X-Request-Id ' +
        'and a W3C trace context (traceparent, tracestate), which the logs of the service then have, too.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ key: [] }],
    tags: TAGS,
    paths: { ...dataPaths(endpoints), ...servicePaths() },
    components: {
      schemas: { ...responseSchemas, ...pointsSchemas(endpoints), Problem: PROBLEM_SCHEMA },
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

/** The operation of an endpoint that answers with data. */
function dataOperation(endpoint: Endpoint): Schema {
  const { operationId, generation, summary, description, parameters, mediaTypes, path } = endpoint;
  const byLocation = path.endsWith('{id}');
  // Of two ways to say where, one path can require only one: the other has a path of its own.
  const documented = parameters.filter(({ replaces }) => replaces === undefined);
  const more = documented.length === parameters.length ? '' : SEVERAL_POINTS.replaceAll('PATH', path);
  return {
    operationId,
    tags: [generation],
    summary,
    description: description + more,
    ...(endpoint.ofOnePoint && { 'x-extension': true }),
    parameters: [...(byLocation ? [LOCATION_ID] : []), ...documented.map(queryParameter)],
    responses: {
      200: {
        description: summary,
        headers: HEADERS,
        content: Object.fromEntries(mediaTypes.map((type) => [type, content(type, endpoint)])),
      },
      304: { description: 'The copy of the client, named by its If-None-Match, is still valid.', headers: HEADERS },
      ...problemReferences([400, 401, 404, 406, 414, 429, 500, 503]),
    },
  };
}

const SEVERAL_POINTS =
  ' Several points: `PATH/points`, or this path with `points=LAT,LON;LAT,LON` in place of `lat` and `lon`.';

const LOCATION_ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of a stored location that is public or has the same owner as the key.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  example: 'demo-field',
};

const HEADERS = {
  ...COMMON_HEADERS,
  ETag: { description: 'Changes when the answer does.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer is fresh: up to the next run.', schema: { type: 'string' } },
};

function queryParameter(parameter: Parameter): Schema {
  const { name, description, required, schema, example, repeatable, extension } = parameter;
  const list = repeatable ? { style: 'form', explode: false } : {};
  const mark = extension ? { 'x-extension': true } : {};
  return { name, in: 'query', required, description, schema, example, ...list, ...mark };
}

function content(mediaType: MediaType, endpoint: Endpoint): Schema {
  const name = endpoint.ofOnePoint === undefined ? endpoint.schema : pointsSchemaName(endpoint);
  return CONTENTS[mediaType] ?? { schema: reference(name) };
}

function reference(schema: string): Schema {
  return { $ref: `#/components/schemas/${schema}` };
}

function pointsSchemaName({ schema }: Endpoint): string {
  return `${schema}OfPoints`;
}

/** The bodies of requests for several points. */
function pointsSchemas(endpoints: readonly Endpoint[]): Schema {
  return Object.fromEntries(
    endpoints
      .filter(({ ofOnePoint }) => ofOnePoint !== undefined)
      .map((endpoint) => [
        pointsSchemaName(endpoint),
        {
          type: 'object',
          description: 'The answer about several points.',
          required: ['points'],
          properties: {
            points: {
              type: 'array',
              description: 'In the order of the request: the answer about each point, or its problem.',
              minItems: 1,
              maxItems: MAX_POINTS,
              items: { oneOf: [reference(endpoint.schema), reference('Problem')] },
            },
          },
        },
      ]),
  );
}

const CONTENTS: Readonly<Record<MediaType, Schema | undefined>> = {
  [JSON_TYPE]: undefined,
  [CSV_TYPE]: { schema: { type: 'string', description: 'A header line and a line for each row.' } },
  [ARROW_TYPE]: {
    schema: { type: 'string', format: 'binary', description: 'An Arrow IPC stream of the same columns.' },
  },
};

/** The paths about the service itself. */
function servicePaths(): Readonly<Record<ServicePath, Schema>> {
  return {
    '/health': operation('health', 'Whether the service runs', status('ok')),
    '/ready': operation(
      'ready',
      'Whether the service has data to answer with, which are not too old, and is not about to stop',
      status('ready', READY),
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

/** What `/ready` says of the forecast, where there is one. */
const READY: Schema = {
  generation: { type: 'string', description: 'The generation that is served.' },
  horizons: {
    type: 'object',
    description: 'The run of each horizon, and the seconds since it was issued.',
    additionalProperties: {
      type: 'object',
      required: ['init_time', 'age_seconds'],
      properties: { init_time: { type: 'string', format: 'date-time' }, age_seconds: { type: 'integer' } },
    },
  },
  incomplete: {
    type: 'array',
    description: 'What runs lack, compared with the last complete ones.',
    items: { type: 'object', required: ['horizon'], properties: { horizon: { type: 'string' } } },
  },
};

function status(value: string, more: Schema = {}): Schema {
  return { type: 'object', required: ['status'], properties: { status: { const: value }, ...more } };
}
