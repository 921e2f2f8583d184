import { variables } from '../../variable/built-in.js';

/** Names that arrays of the built-in variables often have: slugs, short names, CF standard names. */
export function usualNames(): string[] {
  const names = variables.flatMap(({ slug, fileNames, standardName }) => [slug, ...fileNames, standardName ?? slug]);
  return [...new Set(names)];
}
