/** A name and a value of a query string. */
export interface QueryPair {
  /** Decoded; as received where it is `broken`. */
  readonly name: string;
  readonly value: string;
  /** Whether the name or the value is not percent-encoded UTF-8. */
  readonly broken: boolean;
}

/**
 * The pairs of a query string, in order, as forms encode them: joined by `&`, a plus is a blank, a pair without `=` has
 * an empty value. Empty pairs are left out.
 */
export function parseQuery(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  const encoded = query.includes('%') || query.includes('+');
  for (let start = 0; start < query.length; ) {
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    if (end > start) pairs.push(pairOf(query.slice(start, end), encoded));
    start = end + 1;
  }
  return pairs;
}

function pairOf(text: string, encoded: boolean): QueryPair {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const value = equals < 0 ? '' : text.slice(equals + 1);
  if (!encoded) return { name, value, broken: false };
  const plainName = decoded(name);
  const plainValue = decoded(value);
  const broken = plainName === undefined || plainValue === undefined;
  return { name: plainName ?? name, value: plainValue ?? value, broken };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
