import { ComplexJob } from '../../../core/generated/grib-jobs.js';
import type { GribKernels } from '../../../core/grib-kernels.js';
import type { CoreMemory } from '../../../core/memory.js';
import { type ComplexGroups, MAX_DESCRIPTORS, readGroups } from './complex-groups.js';
import { type Fault, type FieldHead, fieldError, type Packing } from './packed-field.js';
import { type IndexedGroups, isAll, MAX_PLACES, type PackingIndex, type StoredRange } from './packing-index.js';
import { scratchFor, type WantedValues } from './read-points.js';
import { copyPacked, type SectionBytes } from './section-bytes.js';

/** What the kernel finds wrong, by the number that it returns. */
const PROBLEMS = [
  '',
  'has groups that have more or fewer values than there should be',
  'has a group with numbers of more than 32 bits',
  'has too few bytes for the numbers of its groups',
];
/** The numbers of a place between values. */
const PLACE_NUMBERS = 7;
/** The bytes between what is known of groups and their numbers that are read rather than read around. */
const MAX_GAP = 4096;
/** Values before a part are unpacked so many at a time. */
const SKIPPED = 65_536;

/** Packed numbers from a place on, in which groups are unpacked. */
interface GroupWindow {
  readonly bytes: Uint8Array;
  /** The numbers of groups end before this one of them. */
  readonly end: number;
  /** Where the parts of groups are in them. */
  readonly layout: ComplexGroups;
  /** How many bytes the numbers of groups are moved by. */
  readonly shift: number;
  /** The groups are there up to this one. */
  readonly groupEnd: number;
  /** The place, as in the section. */
  readonly place: BigInt64Array;
}

/** Values in scratch, and the places where they begin and end. */
interface UnpackedGroups {
  readonly values: number;
  readonly begin: BigInt64Array;
  readonly end: BigInt64Array;
}

/**
 * Unpacks groups of numbers (templates 5.2 and 5.3), NaN where a value is missing; returns the address of the values.
 * The first time that a part is wanted, all groups are checked. A part that begins where the one before began or
 * ended, or behind it, is continued from there, others from the first value on. Throws FormatError where groups do not
 * fit the bytes or the number of values.
 */
export async function unpackComplex(
  tools: GribKernels,
  field: FieldHead,
  packing: Packing,
  numbers: SectionBytes,
  index: PackingIndex,
  wanted: WantedValues,
): Promise<number> {
  const fault: Fault = (parts) => fieldError(field, 7, parts);
  if (isAll(wanted, packing.count)) {
    const bytes = await numbers.read(0, numbers.length);
    const layout = readGroups(field, packing, bytes, bytes.length);
    return unpackAllGroups(tools, packing, { layout, bytes, end: bytes.length }, fault, wanted.spare);
  }
  const known = (index.groups ??= await indexGroups(tools, field, packing, numbers, fault));
  const unpacked = unpackGroups(tools, packing, await readWindow(known, numbers, wanted), fault, wanted);
  known.begin = unpacked.begin;
  known.end = unpacked.end;
  return unpacked.values;
}

/** Unpacks all groups; returns the address of the values. Throws what `fault` makes. */
export function unpackAllGroups(
  tools: GribKernels,
  packing: Packing,
  all: Pick<GroupWindow, 'layout' | 'bytes' | 'end'>,
  fault: Fault,
  spare: number,
): number {
  const window = { ...all, shift: 0, groupEnd: all.layout.groups, place: startOf(all.layout) };
  return unpackGroups(tools, packing, window, fault, { from: 0, to: packing.count, spare }).values;
}

function unpackGroups(
  tools: GribKernels,
  { reference, binary, decimal }: Packing,
  window: GroupWindow,
  fault: Fault,
  { from, to, spare }: WantedValues,
): UnpackedGroups {
  const { memory, kernels } = tools;
  const { layout, shift, place: origin } = window;
  const { job, place } = complexJob(tools, { ...window, place: moved(origin, -shift) });
  let skipped = from - valuesBefore(origin);
  const values = scratchFor(memory, Math.max(Math.min(skipped, SKIPPED), to - from), spare);
  const unpack = (count: number) => {
    job.setWanted(count);
    assertGroups(layout, kernels.unpackComplex(job.address, reference, binary, decimal, values), fault);
    return moved(placeAt(memory, place), shift);
  };
  let begin = origin;
  for (; skipped > 0; skipped -= SKIPPED) begin = unpack(Math.min(skipped, SKIPPED));
  return { values, begin, end: unpack(to - from) };
}

/** Checks all groups, and finds where some of them are. */
async function indexGroups(
  tools: GribKernels,
  field: FieldHead,
  packing: Packing,
  numbers: SectionBytes,
  fault: Fault,
): Promise<IndexedGroups> {
  const { memory, kernels } = tools;
  const head = await numbers.read(0, Math.min(numbers.length, MAX_DESCRIPTORS));
  const layout = readGroups(field, packing, head, numbers.length);
  const mark = memory.mark();
  const start = startOf(layout);
  const bytes = await numbers.read(0, layout.numbers);
  const { job } = complexJob(tools, { bytes, end: numbers.length, layout, groupEnd: layout.groups, place: start });
  const step = Math.max(1, Math.ceil(layout.groups / MAX_PLACES));
  const length = 2 * Math.ceil(layout.groups / step);
  const out = memory.scratch(8 * length);
  assertGroups(layout, kernels.indexGroups(job.address, step, out), fault);
  const places = memory.float64(out, length).slice();
  memory.release(mark);
  return { layout, step, places, begin: start, end: start };
}

/** Reads what is stored of the groups from the nearest place that is known before a range, up to its end. */
async function readWindow(
  { layout, step, places, begin, end: last }: IndexedGroups,
  numbers: SectionBytes,
  { from, to }: StoredRange,
): Promise<GroupWindow> {
  const place = [last, begin].find((each) => valuesBefore(each) <= from) ?? startOf(layout);
  const { groups, references, referenceBits, widths, lengths, lengthBits } = layout;
  let behind = 0;
  while (behind < places.length && places[behind] < to) behind += 2;
  const isLast = behind >= places.length;
  const groupEnd = isLast ? groups : (behind / 2) * step;
  const headStart = references + Math.floor((Number(place[0]) * referenceBits) / 8);
  const headEnd = lengths + Math.ceil((groupEnd * lengthBits) / 8);
  const start = Math.floor(Number(place[3]) / 8);
  const end = isLast ? numbers.length : Math.ceil(places[behind + 1] / 8);
  const positions = { references: references - headStart, widths: widths - headStart, lengths: lengths - headStart };
  const window = { layout: { ...layout, ...positions }, groupEnd, place };
  if (start - headEnd <= MAX_GAP) {
    const bytes = await numbers.read(headStart, end);
    return { ...window, bytes, end: bytes.length, shift: headStart };
  }
  const bytes = new Uint8Array(headEnd - headStart + end - start);
  bytes.set(await numbers.read(headStart, headEnd));
  bytes.set(await numbers.read(start, end), headEnd - headStart);
  return { ...window, bytes, end: bytes.length, shift: start - (headEnd - headStart) };
}

/** A job of the kernels, groups from a place on up to `groupEnd`, and where the place lies in their memory. */
function complexJob(
  tools: GribKernels,
  { bytes, end, layout: { numbers, ...groups }, groupEnd, place: from }: Omit<GroupWindow, 'shift'>,
): { readonly job: ComplexJob; readonly place: number } {
  const { memory } = tools;
  const { stream } = copyPacked(tools, bytes);
  const place = memory.scratch(from.byteLength);
  placeAt(memory, place).set(from);
  return { job: new ComplexJob(memory, { stream, bytes: end, ...groups, groupEnd, place }), place };
}

/** The place before the first value. */
function startOf({ numbers, order }: ComplexGroups): BigInt64Array {
  return BigInt64Array.of(0n, 0n, 0n, BigInt(8 * numbers), BigInt(order), 0n, 0n);
}

/** A place in the memory of the kernels: `assembly/grib/complex.ts` says what its numbers are. */
function placeAt(memory: CoreMemory, address: number): BigInt64Array {
  const { buffer, byteOffset } = memory.bytes(address, 8 * PLACE_NUMBERS);
  return new BigInt64Array(buffer, byteOffset, PLACE_NUMBERS);
}

/** Throws what `fault` makes where a kernel finds something wrong. */
function assertGroups({ count }: ComplexGroups, problem: number, fault: Fault): void {
  if (problem !== 0) throw fault({ problem: PROBLEMS[problem], allowed: `groups of ${count} values` });
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
