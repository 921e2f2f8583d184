/** The size of texts in pixels. */
export const FONT = { small: 11, label: 12, title: 15 } as const;

/** The widths of characters in Helvetica, as thousandths of the font's size. */
const WIDTHS: Readonly<Record<string, number>> = /* @__PURE__ */ widthsByCharacter({
  222: "'ijl",
  278: ' !,./:;I[]ft|·',
  333: '()-`r{}"',
  400: '°*',
  500: 'cksvxyzJ',
  556: '0123456789abdeghnopquL_?#$–',
  584: '+<=>~−',
  611: 'FTZ',
  667: 'ABEKPSVXY&',
  722: 'CDHNRUw',
  778: 'GOQ',
  833: 'Mm',
  889: '%',
  944: 'W',
  1000: '→…—@',
});

/** The width of other characters. */
const OTHER = 600;

/** DejaVu Sans, the widest of the common sans-serif fonts, is about so many times as wide. */
const FONT_FACTOR = 1.12;

function widthsByCharacter(characters: Readonly<Record<number, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(characters).flatMap(([width, all]) => Array.from(all, (character) => [character, Number(width)])),
  );
}

/** About how wide a text is in pixels: there are no fonts to measure it by. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += WIDTHS[character] ?? OTHER;
  return (width * FONT_FACTOR * size) / 1000;
}

/** Bold letters of DejaVu Sans are about so many times as wide. */
const BOLD_FACTOR = 1.16;

/** The beginning of a text that fits into a width, with an ellipsis where it is cut; `isBold` for bold letters. */
export function fittedText(text: string, size: number, width: number, isBold = false): string {
  const available = isBold ? width / BOLD_FACTOR : width;
  const ellipsis = textWidth('…', size);
  let [used, end, fitting] = [0, 0, 0];
  for (const character of text) {
    used += textWidth(character, size);
    end += character.length;
    if (used + ellipsis <= available) fitting = end;
    if (used > available) return `${text.slice(0, fitting).trimEnd()}…`;
  }
  return text;
}

/** The words of a text in lines that fit into a width; `isBold` for bold letters. */
export function wrappedText(text: string, size: number, width: number, isBold = false): string[] {
  return wrappedLines(text.split(' '), ' ', size, isBold ? width / BOLD_FACTOR : width);
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
