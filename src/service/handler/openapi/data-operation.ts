import { ARROW_TYPE, CSV_TYPE, JSON_TYPE, type MediaType } from '../answer-forms.js';
import type { Endpoint } from '../endpoints.js';
import type { Parameter, Schema } from '../parameters/parameter.js';
import { problemReferences } from './problem-responses.js';

/** The operation of an endpoint that answers with data. */
export function dataOperation(endpoint: Endpoint): Schema {
  const { operationId, generation, summary, description, parameters, form, path } = endpoint;
  const byLocation = path.endsWith('{id}');
  return {
    operationId,
    tags: [generation],
    summary,
    description,
    parameters: [...(byLocation ? [LOCATION_ID] : []), ...parameters.map(queryParameter)],
    responses: {
      200: {
        description: summary,
        headers: HEADERS,
        content: Object.fromEntries(form.mediaTypes.map((type) => [type, content(type, form.schema)])),
      },
      304: { description: 'The copy of the client, named by its If-None-Match, is still valid.', headers: HEADERS },
      ...problemReferences([400, 401, 404, 406, 414, 429, 500, 503]),
    },
  };
}

const LOCATION_ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of a stored location that is public or has the same owner as the key.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  example: 'demo-field',
};

const HEADERS = {
  ETag: { description: 'Changes when the answer does.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer is fresh: up to the next run.', schema: { type: 'string' } },
};

function queryParameter({ name, description, schema, example, required, repeatable }: Parameter): Schema {
  const list = repeatable ? { style: 'form', explode: false } : {};
  return { name, in: 'query', required, description, schema, example, ...list };
}

function content(mediaType: MediaType, schema: string): Schema {
  return CONTENTS[mediaType] ?? { schema: { $ref: `#/components/schemas/${schema}` } };
}

const CONTENTS: Readonly<Record<MediaType, Schema | undefined>> = {
  [JSON_TYPE]: undefined,
  [CSV_TYPE]: { schema: { type: 'string', description: 'A header line and a line for each row.' } },
  [ARROW_TYPE]: {
    schema: { type: 'string', format: 'binary', description: 'An Arrow IPC stream of the same columns.' },
  },
};
