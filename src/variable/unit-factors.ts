/** Names and symbols, in lower case, of units that are spelled in more than one way. */
const SYMBOLS: Readonly<Record<string, string>> = {
  c: 'degC',
  celsius: 'degC',
  kelvin: 'K',
  percent: '%',
  pct: '%',
  sec: 's',
  second: 's',
  seconds: 's',
  hr: 'h',
  hour: 'h',
  hours: 'h',
  day: 'd',
  days: 'd',
  meter: 'm',
  meters: 'm',
  metre: 'm',
  metres: 'm',
  millimeter: 'mm',
  millimeters: 'mm',
  millimetre: 'mm',
  millimetres: 'mm',
  kpa: 'kPa',
  kilopascal: 'kPa',
  kilopascals: 'kPa',
};

/**
 * Reads a unit that is written as a product of powers: its symbols, each in one spelling, with their exponents.
 * Undefined if the text is not such a product; an empty text has no factors.
 */
export function unitFactors(text: string): Map<string, number> | undefined {
  const exponents = new Map<string, number>();
  const plain = plainText(text);
  // A slash divides by the one factor after it, as in UDUNITS: J/m2 d is J m-2 d.
  const factor = /\s*(\/?)\s*([a-zA-Z%]+)([+-]?\d+)?/y;
  while (factor.lastIndex < plain.length) {
    const match = factor.exec(plain);
    if (match === null) return undefined;
    const symbol = Object.hasOwn(SYMBOLS, match[2].toLowerCase()) ? SYMBOLS[match[2].toLowerCase()] : match[2];
    const exponent = Number(match[3] ?? 1) * (match[1] === '/' ? -1 : 1);
    exponents.set(symbol, (exponents.get(symbol) ?? 0) + exponent);
  }
  return exponents;
}

function plainText(text: string): string {
  return (
    text
      .replace(/º/g, '°')
      // Superscripts become digits, one-character °C two characters.
      .normalize('NFKC')
      .replace(/−/g, '-')
      .replace(/(°|\bdeg(rees?)?)[\s_]*c(elsius)?\b/gi, 'degC')
      .replace(/\bper\b/gi, '/')
      .replace(/\*\*|\^/g, '')
      .replace(/[·⋅*.]/g, ' ')
      .trim()
      .replace(/^(mps|ms-1)$/, 'm s-1')
      .replace(/^mp\/h$/i, 'mph')
  );
}
