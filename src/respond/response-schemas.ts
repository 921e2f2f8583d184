import type { Schema } from './shared-fields.js';
import { LEGACY_CLIMATOLOGY, LEGACY_FORECAST, LEGACY_HISTORY } from './v1/schemas.js';
import type { AnswerDescription, DescribedAnswer } from './v2/answer-description.js';
import { HISTORY } from './v2/history-answer.js';
import { MEMBERS } from './v2/members-answer.js';
import { STATISTICS } from './v2/statistics-answer.js';

/**
 * The JSON Schemas (draft 2020-12) of all bodies, each with an example: components of an OpenAPI 3.1 document.
 * Generators join names of operations and parameters, and of schemas and fields: none of both may be the same.
 */
export const responseSchemas: Record<
  | 'ForecastMembersAnswer'
  | 'ForecastStatisticsAnswer'
  | 'HistoryAnswer'
  | 'LegacyForecastAnswer'
  | 'LegacyHistoryAnswer'
  | 'LegacyClimatologyAnswer',
  object
> = {
  ForecastMembersAnswer: /* @__PURE__ */ answerSchema(MEMBERS),
  ForecastStatisticsAnswer: /* @__PURE__ */ answerSchema(STATISTICS),
  HistoryAnswer: /* @__PURE__ */ answerSchema(HISTORY),
  LegacyForecastAnswer: LEGACY_FORECAST,
  LegacyHistoryAnswer: LEGACY_HISTORY,
  LegacyClimatologyAnswer: LEGACY_CLIMATOLOGY,
};

interface NamedSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly isOptional?: boolean;
  readonly within?: string;
}

/** The JSON Schema of the body of an answer, with an example. */
function answerSchema<Answer extends DescribedAnswer>(described: AnswerDescription<Answer>): Schema {
  const { description, example, headName, variablesName, rowsName, rowsSchema, values, rowSchema } = described;
  const row = Object.values(values).reduce((all, { schema }) => mergeSchemas(all, schema ?? {}), rowSchema);
  const variable = objectOf([
    ...namedFields(described.variable),
    { name: rowsName, schema: { ...rowsSchema, additionalProperties: row } },
  ]);
  const variables = { name: variablesName, schema: { type: 'object', additionalProperties: variable } };
  const head = namedFields(described.head);
  const body = headName === undefined ? [...head, variables] : [{ name: headName, schema: objectOf(head) }, variables];
  return { ...objectOf(body, description), examples: [example] };
}

/** The fields of a description, in order; fields of one object as this object. */
function namedFields(described: Readonly<Record<string, unknown>>): NamedSchema[] {
  const fields = Object.values(described).flatMap((field) => (field === 'in values' ? [] : field)) as NamedSchema[];
  return fields.flatMap((field, i) => {
    const { within } = field;
    if (within === undefined) return field;
    if (fields.findIndex((other) => other.within === within) < i) return [];
    const inside = fields.filter((other) => other.within === within).map((other) => ({ ...other, within: undefined }));
    return { name: within, schema: objectOf(inside) };
  });
}

function objectOf(fields: readonly NamedSchema[], description?: string): Schema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    required: fields.flatMap(({ name, isOptional }) => (isOptional ? [] : name)),
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  };
}

/** Two parts of a schema; properties of both. */
function mergeSchemas(first: Schema, second: Schema): Schema {
  const merged: Record<string, unknown> = { ...first, ...second };
  for (const name of ['properties', 'patternProperties']) {
    if (first[name] !== undefined && second[name] !== undefined) {
      merged[name] = { ...(first[name] as Schema), ...(second[name] as Schema) };
    }
  }
  return merged;
}
