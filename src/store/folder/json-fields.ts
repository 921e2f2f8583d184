import { FormatError } from '../../errors.js';

/** The fields of a JSON object, each checked as it is read. What is wrong is a FormatError that names the file and the field. */
export class JsonFields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #file: string;
  readonly #name: string;

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

  text(field: string): string {
    const value = this.#fields[field];
    if (typeof value !== 'string') throw this.fault(field, value, 'a text');
    return value;
  }

  optionalText(field: string): string | undefined {
    return this.has(field) ? this.text(field) : undefined;
  }

  /** One of some words. */
  word<T extends string>(field: string, words: readonly T[]): T {
    const value = this.text(field) as T;
    if (!words.includes(value)) throw this.fault(field, value, words.join(', '));
    return value;
  }

  /** A whole number from 1 on. */
  count(field: string): number {
    const value = this.#fields[field];
    if (!Number.isSafeInteger(value) || (value as number) < 1)
      throw this.fault(field, value, 'a whole number from 1 on');
    return value as number;
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

  /** The error for a field, '' for the object itself. */
  fault(field: string, received: unknown, allowed: string, cause?: unknown): FormatError {
    const path = this.#path(field);
    const shown = typeof received === 'object' && received !== null ? JSON.stringify(received) : received;
    const problem = path === '' ? 'is wrong' : `field ${path} is wrong`;
    return new FormatError({ subject: this.#file, problem, received: shown, allowed, cause });
  }

  #path(field: string): string {
    return [this.#name, field].filter((name) => name !== '').join('.');
  }
}
