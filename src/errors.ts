/** What went wrong, as one word that code can branch on. */
export type ErrorTag = 'option' | 'data' | 'format' | 'file' | 'package' | 'core';

/** Of a list, messages show so many items. */
const MAX_ITEMS = 20;
/** Of a text, which may come from a file, so many characters. */
const MAX_TEXT = 60;

/** The parts of an error message: subject, problem, value received, what is allowed. */
export interface ErrorParts {
  /** What the error is about: an option, a column, a file. */
  subject: string;
  problem: string;
  /** The value received, where there is one. */
  received?: unknown;
  /** What would have been accepted, or the remedy. */
  allowed?: string;
  cause?: unknown;
}

/** Where in the data an error lies. Rows are counted from 1 and leave out a header line. */
export interface DataPlace {
  /** The file or source, as the caller named it. */
  source?: string;
  row?: number;
  column?: string;
}

/** The parent of every error that plumecast throws on purpose. */
export abstract class PlumecastError extends Error {
  abstract readonly tag: ErrorTag;
  readonly subject: string;
  readonly problem: string;
  /** The value received; of a long text, a list or another object a String object of what the message shows. */
  readonly received?: unknown;
  readonly allowed?: string;

  /** `hasReceived` says that undefined was received where that is the value. */
  constructor(parts: ErrorParts, hasReceived = parts.received !== undefined) {
    super(errorMessage(parts, hasReceived), parts.cause === undefined ? undefined : { cause: parts.cause });
    const received = parts.received instanceof String ? String(parts.received) : parts.received;
    this.subject = parts.subject;
    this.problem = parts.problem;
    // What was given may be a table: only short values are kept. A String object is shown without quotes.
    this.received =
      Object(received) === received || String(received).length > 200 ? Object(describe(received)) : received;
    this.allowed = parts.allowed;
  }
}

/** An option or argument that the caller gave is not usable. */
export class OptionError extends PlumecastError {
  override readonly name = 'OptionError';
  readonly tag = 'option';
}

/** The error for an argument of the wrong type or value. */
export function unusable(subject: string, received: unknown, allowed: string): OptionError {
  return new OptionError({ subject, problem: 'cannot be used', received, allowed }, true);
}

/** Throws OptionError unless a value is a number; NaN, which is missing, is one. */
export function assertNumber(subject: string, value: unknown): void {
  if (typeof value !== 'number') throw unusable(subject, value, 'a number; NaN is missing');
}

/**
 * What was received, in words of the library: messages show all of it, where texts of others, which may have any
 * length, are cut.
 */
export function inWords(text: string): unknown {
  return text.length > MAX_TEXT ? Object(text) : text;
}

/** What was received: of an object its keys, which say most about what it is. */
export function withKeys(received: unknown): unknown {
  if (Object.prototype.toString.call(received) !== '[object Object]') return received;
  return Object(`an object { ${shortened(Object.keys(received as object).join(', '), MAX_TEXT)} }`);
}

/** The subject of an error about an option, with the source that it is used for: `rain.csv, units`. */
export function subjectIn(source: string | undefined, subject: string): string {
  return describePlace({ source, subject });
}

/** The content of the input is wrong; `source`, `row` and `column` say where, as far as it is known. */
export class DataError extends PlumecastError {
  override readonly name = 'DataError';
  readonly tag = 'data';
  readonly source?: string;
  readonly row?: number;
  readonly column?: string;

  constructor(parts: Omit<ErrorParts, 'subject'> & { subject?: string } & DataPlace) {
    super({ ...parts, subject: describePlace(parts) });
    this.source = parts.source;
    this.row = parts.row;
    this.column = parts.column;
  }
}

/** No window of the data is complete, or as requested: for a part of a whole, no fault. */
export class NoWindowError extends DataError {}

/** The bytes are not a complete file of a supported format. */
export class FormatError extends PlumecastError {
  override readonly name = 'FormatError';
  readonly tag = 'format';
}

/** A file cannot be read or written: it does not exist, access is denied, or the disk is full. */
export class FileError extends PlumecastError {
  override readonly name = 'FileError';
  readonly tag = 'file';
}

/** A library that this file format or feature needs is not installed. */
export class PackageError extends PlumecastError {
  override readonly name = 'PackageError';
  readonly tag = 'package';
}

/** The WebAssembly core cannot be loaded, or its memory is exhausted. */
export class CoreError extends PlumecastError {
  override readonly name = 'CoreError';
  readonly tag = 'core';
}

/** The class of error of each tag. */
export interface ErrorByTag {
  option: OptionError;
  data: DataError;
  format: FormatError;
  file: FileError;
  package: PackageError;
  core: CoreError;
}

/** Whether `error` is one of plumecast's own, and of the given tag where one is given. */
export function isPlumecastError(error: unknown): error is PlumecastError;
export function isPlumecastError<T extends ErrorTag>(error: unknown, tag: T): error is ErrorByTag[T];
export function isPlumecastError(error: unknown, tag?: ErrorTag): boolean {
  return error instanceof PlumecastError && (tag === undefined || error.tag === tag);
}

/** The text of an error: `subject: problem; received value; allowed: allowed`. */
export function errorMessage(
  { subject, problem, received, allowed }: ErrorParts,
  hasReceived = received !== undefined,
): string {
  let text = `${subject}: ${problem}`;
  if (hasReceived) text += `; received ${describe(received)}`;
  if (allowed !== undefined) text += `; allowed: ${allowed}`;
  return text;
}

/**
 * How messages mention an option of the library: `the option units`, or with its possible values, `partial: true` or
 * `accumulation: 'per-step' | 'since-start'`. Errors, notes and warnings mention options only in this way, so that the
 * command can find these texts and replace them with its flags.
 */
export function mentionOption(name: string, ...values: unknown[]): string {
  return values.length === 0 ? `the option ${name}` : `${name}: ${values.map(literal).join(' | ')}`;
}

/** A value as it is written in code. */
function literal(value: unknown): string {
  if (typeof value === 'string') return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([key, field]) => `${key}: ${literal(field)}`);
  return `{ ${fields.join(', ')} }`;
}

function describePlace({ source, row, column, subject }: { subject?: string } & DataPlace): string {
  const where = [
    source === undefined || typeof source === 'string' ? source : describe(source),
    row !== undefined && `row ${row}`,
    column !== undefined && `column ${column}`,
    subject,
  ];
  return where.filter(Boolean).join(', ') || 'input';
}

/** A value as messages show it: objects by their kind and size alone, of lists the first items. */
function describe(value: unknown, isItem = false): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value, MAX_TEXT));
  try {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    if (Object(value) !== value || /^(Date|String)$/.test(kind)) return shortened(String(value), 1500);
    if (typeof value === 'function') return 'a function';
    const { numRows, length = numRows } = value as { length?: number; numRows?: number };
    const size =
      length === undefined
        ? ''
        : ` of ${`${length}`.replace(/\B(?=(\d{3})+$)/g, ',')} ${numRows === undefined ? 'values' : 'rows'}`;
    // A list within a list may be the list itself.
    if (Array.isArray(value) && !isItem) {
      const items = value.slice(0, MAX_ITEMS).map((item) => describe(item, true));
      return items.join(', ') + (value.length > MAX_ITEMS ? `, ...${size}` : '') || 'an empty list';
    }
    if (numRows !== undefined) return `a table${size}`;
    return kind === 'Object' ? 'an object' : `a${/^[AEIO]/.test(kind) ? 'n' : ''} ${kind}${size}`;
  } catch {
    // A property of a stranger may throw.
    return 'an object';
  }
}

/** A text, or its beginning where it is longer than `length`. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 3)}...` : text;
}
