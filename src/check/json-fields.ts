import { FormatError } from '../errors.js';

/**
 * The fields of a JSON object, each checked as it is read. A wrong field is a FormatError that names the file and the
 * field.
 */
export class JsonFields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #file: string;
  readonly #name: string;

  /** Reads a JSON text, which must be an object. */
  static parse(text: string, file: string, allowed: string): JsonFields {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      // The message quotes the text, which may contain control characters.
      const fault = (cause as Error).message.replaceAll(/\p{Cc}/gu, '\uFFFD');
      throw new FormatError({ subject: file, problem: `is not valid JSON: ${fault}`, allowed, cause });
    }
    return new JsonFields(value, file);
  }

  constructor(value: unknown, file: string, name = '') {
    this.#file = file;
    this.#name = name;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.fault('', value, 'an object');
    this.#fields = value as Record<string, unknown>;
  }

  get names(): string[] {
    return Object.keys(this.#fields);
  }

  has(field: string): boolean {
    return this.#fields[field] !== undefined;
  }

  /** A value of any kind, as it is. */
  value(field: string): unknown {
    return this.#fields[field];
  }

  text(field: string): string {
    const value = this.#fields[field];
    if (typeof value !== 'string') throw this.fault(field, value, 'a text');
    return value;
  }

  optionalText(field: string): string | undefined {
    return this.has(field) ? this.text(field) : undefined;
  }

  /** One of a list of words. */
  word<T extends string>(field: string, words: readonly T[]): T {
    const value = this.text(field) as T;
    if (!words.includes(value)) throw this.fault(field, value, words.join(', '));
    return value;
  }

  optionalPositive(field: string): number | undefined {
    const value = this.value(field);
    if (value === undefined || (typeof value === 'number' && value > 0)) return value;
    throw this.fault(field, value, 'a positive number');
  }

  /** A whole number of at least `least`. */
  count(field: string, least = 1): number {
    const value = this.#fields[field];
    if (!Number.isSafeInteger(value) || (value as number) < least)
      throw this.fault(field, value, `a whole number from ${least} on`);
    return value as number;
  }

  /** The path of a file below a folder, with slashes. */
  path(field: string): string {
    const value = this.text(field);
    if (!isPathBelow(value)) throw this.fault(field, value, 'a path below the folder of this file');
    return value;
  }

  paths(field: string): string[] {
    const values = this.texts(field);
    for (const value of values) {
      if (!isPathBelow(value)) throw this.fault(field, value, 'paths below the folder of this file');
    }
    return values;
  }

  object(field: string): JsonFields {
    return new JsonFields(this.#fields[field], this.#file, this.#path(field));
  }

  texts(field: string): string[] {
    const value = this.#fields[field];
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) {
      throw this.fault(field, value, 'a list of texts');
    }
    return value;
  }

  objects(field: string): JsonFields[] {
    const value = this.#fields[field];
    if (!Array.isArray(value)) throw this.fault(field, value, 'a list of objects');
    return value.map((item, index) => new JsonFields(item, this.#file, `${this.#path(field)}[${index}]`));
  }

  /** The error for a field; '' means the object itself. */
  fault(field: string, received: unknown, allowed: string, cause?: unknown): FormatError {
    const path = this.#path(field);
    const shown = received instanceof Object ? jsonText(received) : received;
    const problem = path === '' ? 'is wrong' : `field ${path} is wrong`;
    return new FormatError({ subject: this.#file, problem, received: shown, allowed, cause });
  }

  #path(field: string): string {
    return [this.#name, field].filter((name) => name !== '').join('.');
  }
}

/** The value as JSON; a placeholder where it is nested too deeply for that. */
function jsonText(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? '[...]' : '{...}';
  }
}

function isPathBelow(path: string): boolean {
  return path.split(/[\\/]/).every((step) => step !== '' && step !== '..') && !path.includes('\0');
}
