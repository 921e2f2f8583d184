const MAX_LENGTH = 100;

/** Returns `text`, or its beginning and three dots where it is longer than 100 characters. */
export function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  // Half of a surrogate pair at the cut would not be a character.
  return `${text.slice(0, MAX_LENGTH - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}
