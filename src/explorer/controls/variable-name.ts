/** A name as people write it: `temp mean`. */
export function variableName(key: string): string {
  return key.replaceAll('_', ' ');
}
