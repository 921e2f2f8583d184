import { type Box, elementBytes } from '../../array/array-file.js';
import { type Extent, layoutBox } from '../array-layout.js';
import { readNumbers } from '../array-reader.js';
import type { NumberValues } from '../number-values.js';
import type { ReadPlan } from './read-plan.js';
import { type Slice, sliceBytes, slices } from './slices.js';

/** What is read while the values before it are in use takes at most so many bytes. */
const MAX_AHEAD_BYTES = 8 << 20;

/** A slice of an array, and its stored numbers, which are good until the next one is requested. */
interface ReadSlice {
  readonly slice: Slice;
  readonly box: Box;
  readonly values: NumberValues;
}

/** How many reads of so many bytes run at once: other threads decode one while the values of another are used. */
export function readsAtOnce({ layout: { array } }: ReadPlan, bytes: number): number {
  return bytes <= MAX_AHEAD_BYTES && array.readsInTurn !== true ? 2 : 1;
}

/** Bytes of the slices of an extent that are in memory at once. */
export function heldBytes(plan: ReadPlan, extent: Extent): number {
  const bytes = sliceBytes(plan, extent);
  const { member, time, y, x } = extent;
  const all = member.count * time.count * y.count * x.count * elementBytes(plan.layout.array.type);
  return bytes < all ? bytes * readsAtOnce(plan, bytes) : bytes;
}

/** Reads the slices of an extent one after the other, and short ones while the one before is in use. */
export async function* readSlices(plan: ReadPlan, extent: Extent, day: number, end: number): AsyncGenerator<ReadSlice> {
  const rest = slices(plan, extent, day, end);
  const bytes = sliceBytes(plan, extent);
  const buffers = Array.from({ length: heldBytes(plan, extent) > bytes ? 2 : 1 }, () => new ArrayBuffer(bytes));
  let turn = 0;
  const readNext = () => {
    const next = rest.next();
    if (next.done === true) return undefined;
    const reading = readSlice(plan, next.value, buffers[turn++ % buffers.length]);
    // It may fail before it is awaited; this keeps the runtime from reporting an unhandled rejection.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = readNext();
  try {
    while (reading !== undefined) {
      const read: ReadSlice = await reading;
      reading = buffers.length > 1 ? readNext() : undefined;
      yield read;
      reading ??= readNext();
    }
  } finally {
    // Nothing runs afterwards.
    await reading?.catch(() => undefined);
  }
}

async function readSlice({ layout, coding }: ReadPlan, slice: Slice, buffer: ArrayBuffer): Promise<ReadSlice> {
  const box = layoutBox(layout, slice.extent);
  const isEmpty = slice.extent.time.count === 0;
  return { slice, box, values: isEmpty ? NOTHING : await readNumbers(layout.array, box, coding, buffer) };
}

const NOTHING = /* @__PURE__ */ new Float64Array(0);
