import type { BlockShape } from '../blocks/block-format.js';
import type { FieldGrid } from '../blocks/field-grid.js';

/**
 * How the values of a variable at one place become the bytes of its block: `raw` has them as they are, float32, the least
 * significant byte first; `packed` is what docs/store-format.md specifies.
 */
export type CodecName = 'raw' | 'packed';

/** All codecs. */
export const CODEC_NAMES: readonly CodecName[] = /* @__PURE__ */ Object.freeze(['raw', 'packed'] as const);

/** How the blocks of a file are encoded. */
export interface FileCodec {
  readonly name: CodecName;
  /** The quantum that values were rounded to, in their units; undefined where every bit was kept. */
  readonly precision?: number;
  /** The grid of fields that blocks were encoded with. */
  readonly fields?: FieldGrid;
}

/** The length of every block of a file; undefined where blocks differ in length. */
export function blockBytes(codec: CodecName, { members, days }: BlockShape): number | undefined {
  return codec === 'raw' ? members * days * Float32Array.BYTES_PER_ELEMENT : undefined;
}
