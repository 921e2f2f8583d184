import type { GribKernels } from '../../../core/grib-kernels.js';
import {
  assertGroups,
  type ComplexGroups,
  complexJob,
  MAX_DESCRIPTORS,
  placeAt,
  readGroups,
  startOf,
} from '../packing/complex.js';
import { copyPacked } from '../packing/packed-bytes.js';
import type { FieldHead, Packing } from '../packing/packed-field.js';
import { type FieldIndex, type IndexedGroups, MAX_PLACES, type StoredRange } from './field-index.js';
import type { SectionBytes } from './section-bytes.js';
import { MARGIN } from './unpack-part.js';

/** The bytes between what is known of groups and their numbers that are read rather than read around. */
const MAX_GAP = 4096;
/** Values before a part are unpacked so many at a time. */
const SKIPPED = 65_536;

/**
 * As `unpackComplex`, some of the values; returns their address. The first time, all groups are checked. A part that
 * begins where the one before began or ended, or behind it, is continued from there, others from the first value on.
 */
export async function unpackComplexPart(
  tools: GribKernels,
  field: FieldHead,
  packing: Packing,
  numbers: SectionBytes,
  index: FieldIndex,
  { from, to }: StoredRange,
): Promise<number> {
  const { memory, kernels } = tools;
  const { reference, binary, decimal } = packing;
  const known = (index.groups ??= await indexGroups(tools, field, packing, numbers));
  const origin = [known.end, known.begin].find((place) => valuesBefore(place) <= from) ?? startOf(known.layout);
  const { bytes, layout, shift, groupEnd } = await readWindow(known, numbers, origin, to);
  const { stream, length } = copyPacked(tools, bytes);
  const { job, place } = complexJob(tools, { stream, bytes: length }, layout, moved(origin, -shift), groupEnd);
  let skipped = from - valuesBefore(origin);
  const out = memory.scratch(8 * Math.max(Math.min(skipped, SKIPPED), to - from) + MARGIN);
  const unpack = (wanted: number) => {
    job.setWanted(wanted);
    assertGroups(field, layout, kernels.unpackComplex(job.address, reference, binary, decimal, out));
    return moved(placeAt(memory, place), shift);
  };
  let begin = origin;
  for (; skipped > 0; skipped -= SKIPPED) begin = unpack(Math.min(skipped, SKIPPED));
  known.end = unpack(to - from);
  known.begin = begin;
  return out;
}

/** Checks all groups, and finds where some of them are. */
async function indexGroups(
  tools: GribKernels,
  field: FieldHead,
  packing: Packing,
  numbers: SectionBytes,
): Promise<IndexedGroups> {
  const { memory, kernels } = tools;
  const head = await numbers.read(0, Math.min(numbers.length, MAX_DESCRIPTORS));
  const layout = readGroups(field, packing, head, numbers.length);
  const mark = memory.mark();
  const { stream } = copyPacked(tools, await numbers.read(0, layout.numbers));
  const start = startOf(layout);
  const { job } = complexJob(tools, { stream, bytes: numbers.length }, layout, start, layout.groups);
  const step = Math.max(1, Math.ceil(layout.groups / MAX_PLACES));
  const length = 2 * Math.ceil(layout.groups / step);
  const out = memory.scratch(8 * length);
  assertGroups(field, layout, kernels.indexGroups(job.address, step, out));
  const places = memory.float64(out, length).slice();
  memory.release(mark);
  return { layout, step, places, begin: start, end: start };
}

/** Some of the packed numbers. */
interface Window {
  readonly bytes: Uint8Array;
  /** Where the parts of groups are in them. */
  readonly layout: ComplexGroups;
  /** How many bytes the numbers of groups are moved by. */
  readonly shift: number;
  /** The groups are there up to this one. */
  readonly groupEnd: number;
}

/** Reads what is stored of the groups from a place up to value `to`. */
async function readWindow(
  { layout, step, places }: IndexedGroups,
  numbers: SectionBytes,
  from: BigInt64Array,
  to: number,
): Promise<Window> {
  const { groups, references, referenceBits, widths, lengths, lengthBits } = layout;
  let behind = 0;
  while (behind < places.length && places[behind] < to) behind += 2;
  const isLast = behind >= places.length;
  const groupEnd = isLast ? groups : (behind / 2) * step;
  const headStart = references + Math.floor((Number(from[0]) * referenceBits) / 8);
  const headEnd = lengths + Math.ceil((groupEnd * lengthBits) / 8);
  const start = Math.floor(Number(from[3]) / 8);
  const end = isLast ? numbers.length : Math.ceil(places[behind + 1] / 8);
  const positions = { references: references - headStart, widths: widths - headStart, lengths: lengths - headStart };
  const moved = { layout: { ...layout, ...positions }, groupEnd };
  if (start - headEnd <= MAX_GAP) return { ...moved, bytes: await numbers.read(headStart, end), shift: headStart };
  const bytes = new Uint8Array(headEnd - headStart + end - start);
  bytes.set(await numbers.read(headStart, headEnd));
  bytes.set(await numbers.read(start, end), headEnd - headStart);
  return { ...moved, bytes, shift: start - (headEnd - headStart) };
}

/** The number of values before a place. */
function valuesBefore(place: BigInt64Array): number {
  return Number(place[2]);
}

/** A place whose numbers lie so many bytes later. */
function moved(place: BigInt64Array, bytes: number): BigInt64Array {
  const copy = place.slice();
  copy[3] += BigInt(8 * bytes);
  return copy;
}
