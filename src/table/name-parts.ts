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
