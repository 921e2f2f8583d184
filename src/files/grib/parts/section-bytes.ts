import type { RandomAccess } from '../../array/random-access.js';
import type { ByteRange } from '../messages.js';
import { readRange } from '../unpack-field.js';

/** Bytes of a section that are read where they are needed. */
export interface SectionBytes {
  readonly length: number;
  /** Those from `from` up to, not including, `to`. Throws as `RandomAccess.read` does. */
  readonly read: (from: number, to: number) => Promise<Uint8Array>;
}

/** The bytes of a section behind its first ones, which are `head`. */
export function sectionBytes(access: RandomAccess, { offset, length }: ByteRange, head: number): SectionBytes {
  return {
    length: Math.max(0, length - head),
    read: (from, to) => readRange(access, { offset: offset + head + from, length: to - from }),
  };
}
