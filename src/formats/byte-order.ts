/** Turns round the bytes of each element of `bytes`, in place. They begin at a multiple of `width`, which is 1, 2, 4 or 8. */
export function swapBytes(bytes: Uint8Array, width: number): void {
  if (width === 2) swapHalves(bytes);
  if (width === 4) swapWords(words(bytes));
  if (width === 8) swapPairs(words(bytes));
}

function words({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length >> 2);
}

function turned(word: number): number {
  return (word << 24) | ((word << 8) & 0xff0000) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

function swapWords(values: Int32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = turned(values[i]);
}

function swapPairs(values: Int32Array): void {
  for (let i = 0; i < values.length; i += 2) {
    const high = values[i];
    values[i] = turned(values[i + 1]);
    values[i + 1] = turned(high);
  }
}

function swapHalves(bytes: Uint8Array): void {
  const { buffer, byteOffset, length } = bytes;
  // Two elements at a time between the first and the last multiple of four bytes.
  const start = byteOffset % 4 === 0 ? 0 : 2;
  const pairs = words(bytes.subarray(start));
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i];
    pairs[i] = ((pair & 0xff00ff) << 8) | ((pair >>> 8) & 0xff00ff);
  }
  const halves = new Uint16Array(buffer, byteOffset, length >> 1);
  const swapHalf = (at: number) => {
    halves[at] = (halves[at] << 8) | (halves[at] >> 8);
  };
  if (start === 2 && halves.length > 0) swapHalf(0);
  if ((length - start) % 4 === 2) swapHalf(halves.length - 1);
}
