import type { RandomAccess } from '../array/random-access.js';

/** Longer blocks are damaged. */
export const MAX_BLOCK_BYTES = 16_777_216;
export const UNDEFINED_ADDRESS = 2n ** 64n - 1n;

/** Reads `length` bytes; undefined if the file does not have them. */
export async function readBytes(access: RandomAccess, at: number, length: number): Promise<Uint8Array | undefined> {
  const isThere =
    Number.isSafeInteger(at) && at >= 0 && length > 0 && length <= MAX_BLOCK_BYTES && at + length <= access.size;
  if (!isThere) return undefined;
  const bytes = new Uint8Array(length);
  await access.read(at, bytes);
  return bytes;
}

export function isText(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => bytes[i] === character.charCodeAt(0));
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** An unsigned number of `width` bytes, at most 8. */
export function numberAt(view: DataView, at: number, width: number): number {
  let number = 0;
  for (let i = width - 1; i >= 0; i--) number = number * 256 + view.getUint8(at + i);
  return number;
}

/** An address; undefined where it says that nothing is stored. */
export function addressAt(view: DataView, at: number): number | undefined {
  const address = view.getBigUint64(at, true);
  return address === UNDEFINED_ADDRESS ? undefined : Number(address);
}
