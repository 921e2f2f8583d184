import { shorten } from '../../problem-error.js';

/** What a value may be: the part of JSON Schema that tools use. */
export interface ValueSchema {
  readonly type: 'number' | 'integer' | 'boolean' | 'string' | 'array';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: ValueSchema;
  readonly description?: string;
  readonly default?: string | number;
}

/** The arguments of a tool. */
export interface ArgumentsSchema {
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required: readonly string[];
}

/**
 * What is wrong with arguments, each on a line of its own; undefined where they fit. `patterns` says in words what a pattern
 * allows.
 */
export function argumentProblems(
  given: Readonly<Record<string, unknown>>,
  { properties, required }: ArgumentsSchema,
  patterns: Readonly<Record<string, string>>,
): string | undefined {
  const problems = required
    .filter((name) => given[name] === undefined)
    .map((name) => `${name} is missing; allowed: ${allowedValues(properties[name], patterns)}`);
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) {
      problems.push(`${shorten(name)} is not an argument; allowed: ${Object.keys(properties).join(', ')}`);
    } else if (value !== undefined && !fits(value, schema)) {
      const received = shorten(JSON.stringify(value));
      problems.push(`${name} cannot be used; received ${received}; allowed: ${allowedValues(schema, patterns)}`);
    }
  }
  return problems.length === 0 ? undefined : problems.join('\n');
}

function fits(value: unknown, schema: ValueSchema): boolean {
  if (schema.type === 'boolean') return typeof value === 'boolean';
  if (schema.type === 'array') {
    const { items } = schema;
    if (!Array.isArray(value) || !isWithin(value.length, schema.minItems, schema.maxItems)) return false;
    return items === undefined || value.every((item) => fits(item, items));
  }
  if (schema.type === 'string') {
    if (typeof value !== 'string' || !isWithin([...value].length, schema.minLength, schema.maxLength)) return false;
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) return false;
    return schema.enum === undefined || schema.enum.includes(value);
  }
  if (typeof value !== 'number' || !isWithin(value, schema.minimum, schema.maximum)) return false;
  return schema.type === 'number' || Number.isInteger(value);
}

function isWithin(value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): boolean {
  return value >= least && value <= most;
}

/** `a number from -90 to 90` */
function allowedValues(schema: ValueSchema, patterns: Readonly<Record<string, string>>): string {
  const { type, items } = schema;
  if (type === 'boolean') return 'true or false';
  if (type === 'number') return `a number from ${schema.minimum} to ${schema.maximum}`;
  if (type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (type === 'array') {
    const each = items === undefined ? '' : `, each of them ${allowedValues(items, patterns)}`;
    return `a list of ${schema.minItems} to ${schema.maxItems}${each}`;
  }
  if (schema.enum !== undefined) return schema.enum.join(', ');
  const words = schema.pattern === undefined ? undefined : patterns[schema.pattern];
  return words ?? `a text of ${schema.minLength} to ${schema.maxLength} characters`;
}
