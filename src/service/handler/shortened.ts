const LONGEST = 100;

/** `text`, or its beginning and three dots where it is longer than 100 characters. */
export function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  // Half of a surrogate pair at the cut would be no character.
  return `${text.slice(0, LONGEST - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}
