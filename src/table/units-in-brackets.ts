/** A name in two: what stands before the units in brackets at its end, and these. */
export interface NameWithUnits {
  readonly plain: string;
  /** With the brackets, and what space stands before them. */
  readonly suffix: string;
  readonly units: string;
}

/**
 * Parts `precipitation (mm)` into its name and its units; undefined where a name ends in no brackets, or has several lines. It takes a
 * time that grows with the length of the name: a regular expression's would with its square, where a name is thousands of spaces.
 */
export function splitUnits(name: string): NameWithUnits | undefined {
  const open = name.lastIndexOf('(');
  if (open < 0 || name.indexOf(')', open) !== name.length - 1) return undefined;
  const plain = name.slice(0, open).trimEnd();
  if (/[\n\r\u2028\u2029]/.test(plain)) return undefined;
  return { plain, suffix: name.slice(plain.length), units: name.slice(open + 1, -1) };
}
