/** The attributes of an element; those that are undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Writes an SVG element. `content` is markup: texts in it are escaped before. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  let text = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    text += ` ${key}="${typeof value === 'number' ? rounded(value) : escapeText(value)}"`;
  }
  const inner = content.join('');
  return inner === '' ? `${text}/>` : `${text}>${inner}</${name}>`;
}

/**
 * A coordinate with at most one decimal: a tenth of a pixel. Pictures have tens of thousands of them, and the digits of
 * whole numbers are found several times as fast as those of fractions.
 */
export function rounded(value: number): string {
  const tenths = Math.round(value * 10);
  const digit = Math.abs(tenths % 10);
  if (!(digit > 0)) return String(tenths / 10);
  return `${tenths < 0 ? '-' : ''}${(Math.abs(tenths) - digit) / 10}.${digit}`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Texts of these alone, as those of paths are, stay as they are. */
const PLAIN = /^[\w ,.:;+\-/()#%]*$/;

/** Marks that turn the direction of all text after them. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * Escapes a text for SVG, in attributes too. Characters that XML does not allow become U+FFFD, and marks that would turn
 * the text after them are left out.
 */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(TURNS, '')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]);
}
