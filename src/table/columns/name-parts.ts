/** The longest text in `known` that ends a name, after an underscore; undefined if there is none. */
export function longestEnding(name: string, known: ReadonlySet<string>): string | undefined {
  for (let at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1)) {
    const ending = name.slice(at + 1);
    if (known.has(ending)) return ending;
  }
  return undefined;
}

/** The longest text in `known` that begins a name, before an underscore; undefined if there is none. */
export function longestBeginning(name: string, known: ReadonlySet<string>): string | undefined {
  for (let at = name.lastIndexOf('_'); at >= 0; at = at === 0 ? -1 : name.lastIndexOf('_', at - 1)) {
    const beginning = name.slice(0, at);
    if (known.has(beginning)) return beginning;
  }
  return undefined;
}

/** A name, split before the units in brackets at its end. */
export interface NameWithUnits {
  readonly plain: string;
  /** The brackets with the units, and the blanks before them. */
  readonly suffix: string;
  readonly units: string;
}

/**
 * Splits `precipitation (mm)` into name and units; undefined if a name does not end with brackets, or has several
 * lines. Not by a regular expression, whose time grows with the square of the length if a name is thousands of blanks.
 */
export function splitUnits(name: string): NameWithUnits | undefined {
  const open = name.lastIndexOf('(');
  if (open < 0 || name.indexOf(')', open) !== name.length - 1) return undefined;
  const plain = name.slice(0, open).trimEnd();
  if (/[\n\r\u2028\u2029]/.test(plain)) return undefined;
  return { plain, suffix: name.slice(plain.length), units: name.slice(open + 1, -1) };
}
