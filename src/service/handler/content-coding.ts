import type { ContentCoding } from './compression.js';

/** An item of the header, and its weight of at most three decimals; 1 by default. */
const ITEM = /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

/**
 * The coding of an answer by the `Accept-Encoding` header of RFC 9110: the one of `offered` with the highest weight,
 * the first of several; undefined where none is acceptable, where the answer itself is preferred to all, and without
 * a header. Malformed items are ignored.
 */
export function negotiateCoding(header: string | null, offered: readonly ContentCoding[]): ContentCoding | undefined {
  if (header === null || header === '') return undefined;
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [, name, weight = '1'] = ITEM.exec(item) ?? [];
    if (name !== undefined) weights.set(nameOf(name.toLowerCase()), Number(weight));
  }
  const others = weights.get('*') ?? 0;
  let best: ContentCoding | undefined;
  let highest = 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? others;
    if (weight <= highest) continue;
    best = coding;
    highest = weight;
  }
  return highest < (weights.get('identity') ?? 0) ? undefined : best;
}

/** RFC 9110 has another name for one coding. */
function nameOf(name: string): string {
  return name === 'x-gzip' ? 'gzip' : name;
}
