/** Bytes that a loop copies faster than a call does. */
const SHORT = 64;

/** Copies bytes that stand in a block as they are. */
export function copyLiteral(source: Uint8Array, from: number, target: Uint8Array, to: number, length: number): void {
  if (length > SHORT) target.set(source.subarray(from, from + length), to);
  else for (let i = 0; i < length; i++) target[to + i] = source[from + i];
}

/**
 * Repeats the `length` bytes that begin `offset` before `to`; where they reach beyond it, those that have just been
 * written.
 */
export function copyMatch(bytes: Uint8Array, to: number, offset: number, length: number): void {
  const from = to - offset;
  if (length <= SHORT) {
    for (let i = 0; i < length; i++) bytes[to + i] = bytes[from + i];
    return;
  }
  for (let copied = 0; copied < length; ) {
    const count = Math.min(offset + copied, length - copied);
    bytes.copyWithin(to + copied, from, from + count);
    copied += count;
  }
}
