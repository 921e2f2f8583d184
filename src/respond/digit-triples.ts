const ZEROS = 0x303030;

/**
 * The three digits of each number below 1,000, in ASCII: the first in the lowest byte, so that a little-endian store writes them in
 * order. Above them lie, for whole numbers, the bits to shift them by so that no zero comes first (0, 8 or 16, from bit 24 on), and,
 * for thousandths, the bytes that they take with a point before them and no zero at their end (0, 2, 3 or 4, from bit 29 on).
 */
export const DIGIT_TRIPLES: Uint32Array = /* @__PURE__ */ digitTriples();

function digitTriples(): Uint32Array {
  const triples = new Uint32Array(1000);
  for (let n = 0; n < 1000; n++) {
    const hundreds = (n / 100) | 0;
    const tens = ((n / 10) | 0) % 10;
    const ones = n % 10;
    const shift = n < 10 ? 16 : n < 100 ? 8 : 0;
    const bytes = ones > 0 ? 4 : tens > 0 ? 3 : hundreds > 0 ? 2 : 0;
    triples[n] = (ZEROS + (hundreds | (tens << 8) | (ones << 16))) | (shift << 24) | (bytes << 29);
  }
  return triples;
}
