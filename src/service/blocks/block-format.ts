/*
 * The bytes of a block, the values of a variable at one place: docs/store-format.md specifies them,
 * assembly/encoder/block.ts encodes and assembly/store/block.ts decodes them.
 */

/** Members and days of a block. */
export interface BlockShape {
  readonly members: number;
  readonly days: number;
}

export const VERSION = 1;
/** The bytes that all blocks begin with. */
export const HEAD_BYTES = 8;

/** What `decodeBlock` of the kernels returns where a block cannot be decoded. */
export const Fault = { version: 1, shape: 2, invalid: 3, fields: 4 } as const;

/** The values that a block may have, and the members or days alone. */
export const MAX_VALUES = 4_194_304;
export const MAX_LENGTH = 65_535;
/** The exceptions that a block may have. */
export const MAX_EXCEPTIONS = 65_535;

/** Whether a block can have such members and days. */
export function isBlockShape({ members, days }: BlockShape): boolean {
  const isLength = (length: number) => Number.isInteger(length) && length >= 1 && length <= MAX_LENGTH;
  return isLength(members) && isLength(days) && members * days <= MAX_VALUES;
}
