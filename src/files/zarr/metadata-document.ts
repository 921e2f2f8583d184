import { FormatError, unusable } from '../../errors.js';
import { elements } from '../array/copy-box.js';

/** A JSON object of metadata. */
export type MetadataDocument = Readonly<Record<string, unknown>>;

/**
 * Numbers that Python writes although JSON does not have them; texts are matched first, so that their content stays.
 */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/** Marks a text that was such a number: texts of JSON never contain this character unescaped. */
const MARK = '\u0001';

/** Reads a document. Throws FormatError, which names its key, if the bytes are not a JSON object. */
export function parseDocument(bytes: Uint8Array, subject: string): MetadataDocument {
  if (!(bytes instanceof Uint8Array)) throw unusable('store', bytes, 'an object whose `get` gives Uint8Arrays');
  const document = parseJson(new TextDecoder().decode(bytes));
  return asDocument(document, subject);
}

/** Throws FormatError if `value` is not a JSON object. */
export function asDocument(value: unknown, subject: string): MetadataDocument {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as MetadataDocument;
  throw new FormatError({ subject, problem: 'is not Zarr metadata', allowed: 'a JSON object' });
}

/** Reads a field that is a list of integers. Throws FormatError if it is not. */
export function readIntegers(
  document: MetadataDocument,
  field: string,
  min: number,
  subject: string,
): readonly number[] {
  const value = document[field];
  if (Array.isArray(value) && value.every((each) => Number.isSafeInteger(each) && each >= min)) return value;
  throw wrongField(subject, field, value, `integers of ${min} or more`);
}

/** Reads the shape of an array. Throws FormatError if it is invalid, or has too many elements to count. */
export function readShape(document: MetadataDocument, subject: string): readonly number[] {
  const shape = readIntegers(document, 'shape', 0, subject);
  if (elements(shape.filter((length) => length > 0)) <= Number.MAX_SAFE_INTEGER / 8) return shape;
  throw wrongField(subject, 'shape', shape, 'fewer elements than 2^50');
}

/** The error for a field with an invalid value. */
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

/** Undefined if it is still not JSON. */
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
