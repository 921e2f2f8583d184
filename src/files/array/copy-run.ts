/** Bytes in the units in which they are copied. */
export type Units = Uint8Array | Uint16Array | Uint32Array;

/** For shorter runs, a call takes longer than a loop. */
const SHORT_RUN = 32;

/** A view of bytes in units of 1, 2 or 4; they begin at a multiple of `unit`. */
export function inUnits({ buffer, byteOffset, length }: Uint8Array, unit: number): Units {
  if (unit === 4) return new Uint32Array(buffer, byteOffset, length >> 2);
  if (unit === 2) return new Uint16Array(buffer, byteOffset, length >> 1);
  return new Uint8Array(buffer, byteOffset, length);
}

/** Copies `length` units from `from`, beginning at `at`, to `target`, beginning at `to`. */
export function copyRun(from: Units, at: number, target: Units, to: number, length: number): void {
  if (length > SHORT_RUN) target.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) target[to + i] = from[at + i];
}
