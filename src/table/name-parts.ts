/** The longest of `known` that a name ends in behind an underscore; undefined where there is none. */
export function longestEnding(name: string, known: ReadonlySet<string>): string | undefined {
  for (let at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1)) {
    const ending = name.slice(at + 1);
    if (known.has(ending)) return ending;
  }
  return undefined;
}

/** The longest of `known` that a name begins with before an underscore; undefined where there is none. */
export function longestBeginning(name: string, known: ReadonlySet<string>): string | undefined {
  for (let at = name.lastIndexOf('_'); at >= 0; at = at === 0 ? -1 : name.lastIndexOf('_', at - 1)) {
    const beginning = name.slice(0, at);
    if (known.has(beginning)) return beginning;
  }
  return undefined;
}
