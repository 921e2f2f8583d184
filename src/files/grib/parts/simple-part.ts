import type { GribKernels } from '../../../core/grib-kernels.js';
import type { ErrorParts, FormatError } from '../../../errors.js';
import { floatBytes } from '../packing/floats.js';
import { copyPacked } from '../packing/packed-bytes.js';
import type { FieldHead, Packing } from '../packing/packed-field.js';
import { simpleBytes } from '../packing/simple.js';
import type { StoredRange } from './field-index.js';
import type { SectionBytes } from './section-bytes.js';
import { MARGIN } from './unpack-part.js';

/** As `unpackSimple`, some of the numbers; returns their address. */
export async function unpackSimplePart(
  tools: GribKernels,
  numbers: SectionBytes,
  packing: Packing,
  fault: (parts: Omit<ErrorParts, 'subject'>) => FormatError,
  { from, to }: StoredRange,
): Promise<number> {
  const { bits, reference, binary, decimal } = packing;
  simpleBytes(packing, numbers.length, fault);
  // Every eighth number begins a byte.
  const first = Math.floor(from / 8) * 8;
  const { stream } = copyPacked(tools, await numbers.read((first * bits) / 8, Math.ceil((to * bits) / 8)));
  const out = tools.memory.scratch(8 * (to - first) + MARGIN);
  tools.kernels.unpackSimple(stream, to - first, bits, reference, binary, decimal, out);
  return out + 8 * (from - first);
}

/** As `unpackFloats`, some of the `count` numbers; returns their address. */
export async function unpackFloatsPart(
  tools: GribKernels,
  field: FieldHead,
  numbers: SectionBytes,
  count: number,
  { from, to }: StoredRange,
): Promise<number> {
  const bytes = floatBytes(field, count, numbers.length);
  const { stream } = copyPacked(tools, await numbers.read(from * bytes, to * bytes));
  const out = tools.memory.scratch(8 * (to - from) + MARGIN);
  tools.kernels.unpackFloats(stream, to - from, bytes, out);
  return out;
}
