/**
 * Whether two texts are spellings of one unit of daily values, so that no number changes between them.
 *
 * Products and quotients may be written in any usual way (`m s-1`, `m/s`, `m·s⁻¹`, `m s**-1`), degrees Celsius,
 * percent, days and metres by their names. Daily values of water and of radiation are totals over a day, so that `mm`,
 * `mm/day` and `kg m-2` (water of 1000 kg m-3) agree, and `MJ m-2` agrees with `MJ m-2 d-1`. Texts that are no product
 * of powers agree only where they are the same. Nothing is converted: `K` and `degC` do not agree.
 */
export function unitsAgree(a: string, b: string): boolean {
  return canonicalUnits(a) === canonicalUnits(b);
}

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

/** `text` as symbols with their exponents, in alphabetical order; the trimmed text itself where it is no such product. */
function canonicalUnits(text: string): string {
  const exponents = new Map<string, number>();
  const plain = plainText(text);
  if (plain === '') return plain;
  // A quotient's slash holds for the one factor after it, as in UDUNITS: J/m2 d is J m-2 d.
  const factor = /\s*(\/?)\s*([a-zA-Z%]+)([+-]?\d+)?/y;
  while (factor.lastIndex < plain.length) {
    const match = factor.exec(plain);
    if (match === null) return text.trim();
    const symbol = Object.hasOwn(SYMBOLS, match[2].toLowerCase()) ? SYMBOLS[match[2].toLowerCase()] : match[2];
    const exponent = Number(match[3] ?? 1) * (match[1] === '/' ? -1 : 1);
    exponents.set(symbol, (exponents.get(symbol) ?? 0) + exponent);
  }
  asDailyTotal(exponents);
  const factors = [...exponents].filter(([, exponent]) => exponent !== 0);
  if (factors.length === 0) return '1';
  return factors
    .map(([symbol, exponent]) => `${symbol}${exponent}`)
    .sort()
    .join(' ');
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
  );
}

function asDailyTotal(exponents: Map<string, number>): void {
  if (exponents.get('kg') === 1 && exponents.get('m') === -2) {
    exponents.delete('kg');
    exponents.delete('m');
    exponents.set('mm', (exponents.get('mm') ?? 0) + 1);
  }
  if (exponents.get('d') !== -1) return;
  const water = exponents.size === 2 && exponents.get('mm') === 1;
  const radiation = exponents.size === 3 && exponents.get('MJ') === 1 && exponents.get('m') === -2;
  if (water || radiation) exponents.delete('d');
}
