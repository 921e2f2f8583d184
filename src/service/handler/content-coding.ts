import type { ContentCoding } from './compression.js';

/** An item of the header, and its weight of at most three decimals; 1 by default. */
const ITEM = /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

/** A coding that a client accepts. */
export interface AcceptedCoding {
  readonly name: ContentCoding;
  /** Whether it does not accept the answer as it is, by `identity;q=0` or `*;q=0`. */
  readonly isRequired: boolean;
}

/**
 * The coding of an answer by the `Accept-Encoding` header of RFC 9110: the one of `offered` with the highest weight,
 * the first of several; undefined where none is acceptable, where the answer itself is preferred to all, and without
 * a header. Malformed items are ignored.
 */
export function negotiateCoding(header: string | null, offered: readonly ContentCoding[]): AcceptedCoding | undefined {
  if (header === null || header === '') return undefined;
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [, name, weight = '1'] = ITEM.exec(item) ?? [];
    if (name !== undefined) weights.set(nameOf(name.toLowerCase()), Number(weight));
  }
  const others = weights.get('*');
  let best: ContentCoding | undefined;
  let highest = 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight <= highest) continue;
    best = coding;
    highest = weight;
  }
  if (best === undefined || highest < (weights.get('identity') ?? 0)) return undefined;
  return { name: best, isRequired: (weights.get('identity') ?? others) === 0 };
}

/** RFC 9110 has another name for one coding. */
function nameOf(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name;
}
