/** The size of texts in pixels. */
export const FONT = { small: 11, label: 12, title: 15 } as const;

/** The mean width of a character of common sans-serif fonts as a part of the font's size; digits are of this width. */
const CHARACTER = 0.56;

/** About how wide a text is in pixels: there are no fonts to measure it by. */
export function textWidth(text: string, size: number): number {
  return [...text].length * size * CHARACTER;
}

/** The beginning of a text that fits into a width, with an ellipsis where it is cut. */
export function fittedText(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  const characters = Math.max(0, Math.floor(width / (size * CHARACTER)) - 1);
  return `${[...text].slice(0, characters).join('').trimEnd()}…`;
}

/** Joins parts to lines that fit into a width; a part that is wider has a line of its own, and is cut. */
export function wrappedLines(parts: readonly string[], separator: string, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines[lines.length - 1];
    const longer = last === undefined ? part : `${last}${separator}${part}`;
    if (last !== undefined && textWidth(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(fittedText(part, size, width));
  }
  return lines;
}
