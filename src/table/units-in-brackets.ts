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
