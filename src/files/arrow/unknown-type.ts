import { FormatError } from '../../errors.js';
import { columnWithType } from './flatbuffer-vectors.js';

/** Types that some versions of apache-arrow have no names for, by their numbers in Arrow's Schema.fbs. */
const NEWER_TYPES: Readonly<Record<number, string>> = {
  21: 'LargeList',
  22: 'RunEndEncoded',
  23: 'BinaryView',
  24: 'Utf8View',
  25: 'ListView',
  26: 'LargeListView',
};

/**
 * The error for a type of column that apache-arrow does not know, if that is what it threw; otherwise undefined. It
 * names the column, which `schema` has.
 */
export function unknownType(
  cause: unknown,
  source: string,
  schema?: { readonly metadata: Uint8Array; readonly form: 'message' | 'footer' },
): FormatError | undefined {
  const [, text, number] =
    /^Unrecognized (?:type: )?(.+?)(?: \((\d+)\))?$/.exec((cause as Error | null)?.message ?? '') ?? [];
  if (text === undefined) return undefined;
  const type = number === undefined ? text : (NEWER_TYPES[Number(number)] ?? `number ${number}`);
  const column = schema && number && columnWithType(schema.metadata, Number(number), schema.form);
  return new FormatError({
    subject: column ? `${source}, column ${column}` : source,
    problem: 'has a type of column that the installed apache-arrow does not read',
    received: type,
    allowed: 'numbers of up to 64 bits, dates, timestamps, texts and lists; apache-arrow 21.2 or later knows the most',
    cause,
  });
}
