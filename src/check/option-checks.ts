import { OptionError, unusable } from '../errors.js';
import { nearestName } from '../variable/nearest-name.js';

/*
 * Checks of arguments that are objects: which keys they have, and of which kind each value is. For public functions
 * that have no more exact checks of their own.
 */

const KINDS = /* @__PURE__ */ (() =>
  ({
    text: { is: (value: unknown) => typeof value === 'string' && value !== '', allowed: 'a text that is not empty' },
    'any text': { is: (value: unknown) => typeof value === 'string', allowed: 'a text' },
    number: { is: (value: unknown) => Number.isFinite(value), allowed: 'a finite number' },
    count: {
      is: (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1,
      allowed: 'a whole number from 1',
    },
    integer: { is: Number.isSafeInteger, allowed: 'a whole number' },
    flag: { is: (value: unknown) => typeof value === 'boolean', allowed: 'true or false' },
    function: { is: (value: unknown) => typeof value === 'function', allowed: 'a function' },
    object: { is: isObject, allowed: 'an object' },
    list: { is: Array.isArray, allowed: 'a list' },
    texts: {
      is: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== ''),
      allowed: 'a list of texts that are not empty',
    },
    map: { is: (value: unknown) => value instanceof Map, allowed: 'a Map' },
    doubles: { is: (value: unknown) => value instanceof Float64Array, allowed: 'a Float64Array' },
    singles: { is: (value: unknown) => value instanceof Float32Array, allowed: 'a Float32Array' },
    integers: { is: (value: unknown) => value instanceof Int32Array, allowed: 'an Int32Array' },
    iterable: { is: isIterable, allowed: 'a list, or another iterable' },
    bytes: { is: (value: unknown) => value instanceof Uint8Array, allowed: 'a Uint8Array' },
  }) as const)();

type Kind = keyof typeof KINDS;

/** The kind of each value of an object; it ends with `?` where the value may be undefined. */
type Shape = Readonly<Record<string, Kind | `${Kind}?`>>;

/** Throws OptionError unless a value is of a kind. */
export function assertKind(subject: string, value: unknown, kind: Kind | `${Kind}?`): void {
  if (value === undefined && kind.endsWith('?')) return;
  const { is, allowed } = KINDS[kind.replace('?', '') as Kind];
  if (!is(value)) throw unusable(subject, value, allowed);
}

/** Throws OptionError unless a value is an object with values of these kinds. Other keys are not checked. */
export function assertShape(subject: string, value: unknown, shape: Shape): void {
  if (!isObject(value)) throw unusable(subject, value, `an object with ${Object.keys(shape).join(', ')}`);
  for (const [key, kind] of Object.entries(shape)) {
    assertKind(`${subject}.${key}`, (value as Record<string, unknown>)[key], kind);
  }
}

/** Like `assertShape`, for each item of a list. */
export function assertShapes(subject: string, values: unknown, shape: Shape): void {
  assertKind(subject, values, 'list');
  for (const [index, value] of (values as unknown[]).entries()) assertShape(`${subject}[${index}]`, value, shape);
}

/** Whether this can be iterated over with `for await`. */
export function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}

/** Whether a value is an object with fields, of any class but some that are none of ours. */
function isObject(value: unknown): boolean {
  const isOther = Array.isArray(value) || ArrayBuffer.isView(value);
  return Object(value) === value && !isOther && !/ (Function|Date|Map|Promise)]$/.test({}.toString.call(value));
}

/*
 * Checks of options that several functions share.
 */

/** Throws OptionError where options are not an object, and for the first option that is not one of `keys`. */
export function assertKnownKeys(options: object, keys: readonly string[], subject = 'options'): void {
  if (!isPlainObject(options)) throw unusable(subject, options, `an object with ${keys.join(', ')}`);
  for (const key of Object.keys(options)) {
    if (keys.includes(key)) continue;
    const nearest = nearestName(key, keys);
    throw new OptionError({
      subject,
      problem: `unknown option${nearest ? `, the nearest is ${nearest}` : ''}`,
      received: key,
      allowed: keys.join(', '),
    });
  }
}

/** Throws OptionError unless `received` is an object with fields; `example` shows one. */
export function assertObject(subject: string, received: unknown, example: string): asserts received is object {
  if (isPlainObject(received)) return;
  throw unusable(subject, received, `an object, such as ${example}`);
}

/** Whether a value is an object with fields of its own kind: no list, array, promise, table or the like. */
export function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** Throws OptionError unless `received` is one of `allowed`; messages show `others`, too, which are no texts. */
export function assertOneOf(subject: string, received: string, allowed: readonly string[], others = ''): void {
  if (!allowed.includes(received)) {
    throw new OptionError({ subject, problem: 'unknown', received, allowed: allowed.join(', ') + others });
  }
}

/** Throws OptionError unless `received` is a number from 0 to 1. */
export function checkShare(subject: string, received: unknown): void {
  if (typeof received === 'number' && received >= 0 && received <= 1) return;
  throw unusable(subject, received, 'a number from 0 to 1');
}

/**
 * The numbers that stand for missing values, one or several; none by default. Throws OptionError for anything but
 * numbers.
 */
export function missingList(missing: unknown): readonly number[] {
  if (missing === undefined) return [];
  const list = Array.isArray(missing) ? missing : [missing];
  if (list.every((value) => typeof value === 'number' && !Number.isNaN(value))) return list;
  const [problem, allowed] = ['is neither a number nor a list of numbers', 'such as -9999, or [-9999, -99.9]'];
  throw new OptionError({ subject: 'missing', problem, received: missing, allowed });
}

/** Throws OptionError unless `received` is a boolean. */
export function trueOrFalse(subject: string, received: unknown): void {
  if (typeof received !== 'boolean') throw unusable(subject, received, 'true or false');
}

/*
 * A schema has the names of the options of a function, and for each a rule: it is the one list of them, for checks, for
 * the plans of batches and for the flags of the command.
 */

/**
 * A word or number of a fixed list, as an option takes it. Editors complete the list; a variable that holds one of them
 * is a `string` for the compiler, so any text is allowed here, and checked when the function is called.
 */
export type Choice<Value extends string | number> = Value | (Value extends string ? string & {} : number & {});

/** How one option is checked, and what it is where it is not given. */
type OptionRule<Value> = {
  /** The value where the option is not given. Default: undefined. */
  readonly default?: Value;
} & (
  | {
      /** Throws OptionError. What it returns becomes of the value, which is kept if it returns nothing. */
      readonly check: (value: Value) => unknown;
      /** The usual values, where there are others. */
      readonly choices?: readonly Value[];
    }
  | {
      /** `together`: what is allowed depends on other options, with which the function checks it. */
      readonly type: TypeOf<Value> | 'together';
      /** What messages say is allowed. */
      readonly allowed?: string;
    }
  | { readonly choices: readonly Value[] }
);

type TypeOf<Value> = [Value] extends [boolean]
  ? 'flag'
  : [Value] extends [number]
    ? 'share'
    : [Value] extends [string]
      ? 'text'
      : never;

/** A rule for each option of an interface. */
export type OptionSchema<Options> = {
  readonly [Name in keyof Options]-?: OptionRule<Exclude<Options[Name], undefined>>;
};

/** A rule of any schema, for those who only look at it. */
export interface AnyRule {
  readonly check?: unknown;
  readonly type?: string;
  readonly choices?: readonly string[];
}

type CheckedValue<Value, Rule> = Rule extends { check: (value: never) => infer Result }
  ? [undefined] extends [Result]
    ? Value
    : Result
  : Rule extends { choices: readonly (infer Word)[] }
    ? Word
    : Value;

type WithDefault<Schema> = {
  [Name in keyof Schema]: Schema[Name] extends { default: unknown } ? Name : never;
}[keyof Schema];

/** Options after their check; those that have no default may be undefined. */
export type Checked<Options, Schema> = {
  readonly [Name in keyof Options & WithDefault<Schema>]-?: CheckedValue<
    Exclude<Options[Name], undefined>,
    Schema[Name & keyof Schema]
  >;
} & {
  readonly [Name in Exclude<keyof Options, WithDefault<Schema>>]?: CheckedValue<
    Exclude<Options[Name], undefined>,
    Schema[Name & keyof Schema]
  >;
};

/** The names of the options of a schema, in order. */
export function namesOf<Schema extends object>(schema: Schema): (keyof Schema & string)[] {
  return Object.keys(schema) as (keyof Schema & string)[];
}

/** Checks options, and fills in defaults. Throws OptionError, also for options that the schema does not have. */
export function checkOptions<Options extends object, Schema extends OptionSchema<Options>>(
  options: Options,
  schema: Schema,
): Checked<Options, Schema> {
  assertKnownKeys(options, namesOf(schema));
  return checkValues(options, schema);
}

/** The same for the options of the schema among others. */
export function checkValues<Options extends object, Schema extends OptionSchema<Options>>(
  options: Options,
  schema: Schema,
): Checked<Options, Schema> {
  const checked: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(schema as Readonly<Record<string, OptionRule<unknown>>>)) {
    const given = (options as Record<string, unknown>)[name];
    const value = given === undefined ? rule.default : given;
    checked[name] = value === undefined ? undefined : checkValue(name, value, rule);
  }
  return checked as Checked<Options, Schema>;
}

function checkValue(name: string, value: unknown, rule: OptionRule<unknown>): unknown {
  if ('check' in rule) return rule.check(value) ?? value;
  if ('choices' in rule) assertOneOf(name, value as string, rule.choices as string[]);
  else TYPES[rule.type]?.(name, value, rule.allowed);
  return value;
}

type CheckOfType = (name: string, value: unknown, allowed?: string) => void;

const TYPES: Readonly<Record<string, CheckOfType | undefined>> = {
  flag: trueOrFalse,
  share: checkShare,
  text: (name, value, allowed = 'a text') => {
    if (typeof value !== 'string') throw unusable(name, value, allowed);
  },
};
