import { FormatError } from '../../errors.js';
import { elements } from '../array/box.js';

/** A JSON object of metadata. */
export type MetadataDocument = Readonly<Record<string, unknown>>;

/**
 * Numbers that JSON has not, which Python writes all the same; texts are matched first, so that those within them stay.
 */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/** Marks a text that was such a number: no text of JSON holds the character unescaped. */
const MARK = '\u0001';

/** Reads a document. Throws FormatError, which names its key, where the bytes are no JSON object. */
export function parseDocument(bytes: Uint8Array, subject: string): MetadataDocument {
  const document = parseJson(new TextDecoder().decode(bytes));
  return asDocument(document, subject);
}

/** Throws FormatError where `value` is no JSON object. */
export function asDocument(value: unknown, subject: string): MetadataDocument {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as MetadataDocument;
  throw new FormatError({ subject, problem: 'is not Zarr metadata', allowed: 'a JSON object' });
}

/** The lengths, steps or numbers that a field lists. Throws FormatError where it does not. */
export function integers(document: MetadataDocument, field: string, least: number, subject: string): readonly number[] {
  const value = document[field];
  if (Array.isArray(value) && value.every((each) => Number.isSafeInteger(each) && each >= least)) return value;
  throw wrongField(subject, field, value, `integers of ${least} or more`);
}

/** The shape of an array. Throws FormatError where it is none, or where its elements cannot be counted. */
export function shapeOf(document: MetadataDocument, subject: string): readonly number[] {
  const shape = integers(document, 'shape', 0, subject);
  if (elements(shape.filter((length) => length > 0)) <= Number.MAX_SAFE_INTEGER / 8) return shape;
  throw wrongField(subject, 'shape', shape, 'fewer elements than 2^50');
}

/** The error for a field that is not what it has to be. */
export function wrongField(subject: string, field: string, received: unknown, allowed: string): FormatError {
  return new FormatError({ subject, problem: `wrong ${field}`, received: JSON.stringify(received), allowed });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseWithNumbers(text);
  }
}

/** Undefined where it is no JSON even so. */
function parseWithNumbers(text: string): unknown {
  const marked = text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"\\u0001${token}"`));
  try {
    return JSON.parse(marked, (_, value) =>
      typeof value === 'string' && value.startsWith(MARK) ? Number(value.slice(1)) : value,
    );
  } catch {
    return undefined;
  }
}
