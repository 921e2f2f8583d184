/**
 * Reverses the bytes of each element of `bytes`, in place. They begin at a multiple of `width`, which is 1, 2, 4 or 8.
 */
export type SwapBytes = (bytes: Uint8Array, width: number) => void;

/** Reverses the bytes of elements, in any JavaScript runtime. */
export function swapBytes(bytes: Uint8Array, width: number): void {
  if (width === 2) swapHalves(bytes);
  if (width === 4) swapWords(words(bytes));
  if (width === 8) swapPairs(words(bytes));
}

function words({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  return new Int32Array(buffer, byteOffset, length >> 2);
}

/** A word with the bytes of each half reversed. */
function halvesTurned(word: number): number {
  return ((word & 0xff00ff) << 8) | ((word >>> 8) & 0xff00ff);
}

function turned(word: number): number {
  const halves = halvesTurned(word);
  return (halves << 16) | (halves >>> 16);
}

function swapWords(values: Int32Array): void {
  // Four at a time take half as long as one at a time.
  const fours = values.length & ~3;
  for (let i = 0; i < fours; i += 4) {
    const first = values[i];
    const second = values[i + 1];
    const third = values[i + 2];
    const fourth = values[i + 3];
    values[i] = turned(first);
    values[i + 1] = turned(second);
    values[i + 2] = turned(third);
    values[i + 3] = turned(fourth);
  }
  for (let i = fours; i < values.length; i++) values[i] = turned(values[i]);
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
  if (length === 0) return;
  const halves = new Uint16Array(buffer, byteOffset, length >> 1);
  const swapHalf = (at: number) => {
    halves[at] = (halves[at] << 8) | (halves[at] >> 8);
  };
  // Two at a time from the first multiple of four bytes on.
  const before = byteOffset % 4 === 0 ? 0 : 1;
  const pairs = words(bytes.subarray(2 * before));
  for (let i = 0; i < pairs.length; i++) pairs[i] = halvesTurned(pairs[i]);
  if (before === 1) swapHalf(0);
  const last = before + 2 * pairs.length;
  if (last < halves.length) swapHalf(last);
}
