/** Bytes, in units that are copied at once. */
export type Units = Uint8Array | Uint16Array | Uint32Array;

/** A call for each of many short runs would take longer than their copies. */
const SHORT_RUN = 32;

/** Bytes in units of 1, 2 or 4, to a multiple of which they begin. */
export function inUnits({ buffer, byteOffset, length }: Uint8Array, unit: number): Units {
  if (unit === 4) return new Uint32Array(buffer, byteOffset, length >> 2);
  if (unit === 2) return new Uint16Array(buffer, byteOffset, length >> 1);
  return new Uint8Array(buffer, byteOffset, length);
}

/** Copies `length` units that begin at `at` of `from` to those from `to` of `target`. */
export function copyRun(from: Units, at: number, target: Units, to: number, length: number): void {
  if (length > SHORT_RUN) target.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) target[to + i] = from[at + i];
}
