/** A loop copies up to this many bytes faster than a call. */
const SHORT = 64;

/** Copies the literal bytes of a block. */
export function copyLiteral(source: Uint8Array, from: number, target: Uint8Array, to: number, length: number): void {
  if (length > SHORT) target.set(source.subarray(from, from + length), to);
  else for (let i = 0; i < length; i++) target[to + i] = source[from + i];
}

/**
 * Repeats the `length` bytes that begin `offset` before `to`; if they reach beyond `to`, the bytes just written are
 * repeated too.
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
