type Schema = Readonly<Record<string, unknown>>;

/** Keywords that only describe, and `type`, which is looked at first. */
const SILENT = ['type', 'description', 'examples', 'format'];

/**
 * Where a value breaks a JSON Schema: a small validator of the keywords that the response schemas use; any other
 * throws. Stricter than the standard in one way: an object has no fields but those that its schema speaks of.
 */
export function schemaFaults(value: unknown, schema: Schema, path = '$'): string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${path}: ${fault}`);
  };
  const rules: Record<string, (rule: never) => void> = {
    type: (rule: string | string[]) => check([rule].flat().includes(typeOf(value)), `${typeOf(value)}, not ${rule}`),
    enum: (rule: unknown[]) => check(rule.includes(value), `${value} is none of ${rule}`),
    minimum: (rule: number) => check(value === null || (value as number) >= rule, `${value} < ${rule}`),
    maximum: (rule: number) => check(value === null || (value as number) <= rule, `${value} > ${rule}`),
    exclusiveMinimum: (rule: number) => check((value as number) > rule, `${value} is not above ${rule}`),
    pattern: (rule: string) => check(new RegExp(rule, 'u').test(value as string), `${value} does not match ${rule}`),
    items: (rule: Schema) => {
      (value as unknown[]).forEach((item, i) => {
        faults.push(...schemaFaults(item, rule, `${path}[${i}]`));
      });
    },
    required: (rule: string[]) => {
      if (value !== null) for (const name of rule) check(Object.hasOwn(value as object, name), `lacks ${name}`);
    },
    propertyNames: (rule: Schema) => {
      for (const name of Object.keys(value as object)) faults.push(...schemaFaults(name, rule, `${path} name`));
    },
    properties: () => faults.push(...fieldFaults(value, schema, path)),
    patternProperties: () => {},
    additionalProperties: () => {
      if (schema.properties === undefined) faults.push(...fieldFaults(value, schema, path));
    },
  };
  rules.type(schema.type as never);
  if (faults.length > 0) return faults;
  for (const [keyword, rule] of Object.entries(schema)) {
    if (SILENT.includes(keyword)) continue;
    if (!Object.hasOwn(rules, keyword)) throw new Error(`${path}: the keyword ${keyword} is not checked`);
    rules[keyword](rule as never);
  }
  return faults;
}

function fieldFaults(value: unknown, schema: Schema, path: string): string[] {
  const {
    properties = {},
    patternProperties = {},
    additionalProperties,
  } = schema as Record<string, Schema | undefined>;
  return Object.entries(value ?? {}).flatMap(([name, field]) => {
    const pattern = Object.keys(patternProperties).find((text) => new RegExp(text, 'u').test(name));
    const rule = properties[name] ?? (pattern === undefined ? additionalProperties : patternProperties[pattern]);
    return rule === undefined
      ? [`${path}: unknown field ${name}`]
      : schemaFaults(field, rule as Schema, `${path}.${name}`);
  });
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
