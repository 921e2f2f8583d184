import { type ArrayLayout, type Extent, layoutBox, stridesIn } from './array-layout.js';
import { readNumbers } from './array-reader.js';
import { decodeRow } from './decode-row.js';
import { chunkLengths } from './read-plan.js';
import type { ValueCoding } from './value-coding.js';

/** An array of no more values is read as a whole. */
const SMALL = 2 ** 17;
/** Stored values that a sample decodes: this share of all, within bounds. */
const SHARE = 1 / 64;
const MIN_VALUES = 2 ** 20;
const MAX_VALUES = 2 ** 25;
/** Values that are read at a time, where stored pieces are not larger. */
const PIECE = 2 ** 18;
/** What a sample is made of, where it does not cost too much. */
const WANTED = { members: 4, spots: 6, steps: 400 };
const LEAST_STEPS = 40;
/** Cells along each side of a spot, and members of one stored piece. */
const SIDE = 5;
const MEMBERS_OF_PIECE = 8;
/** Where samples lie along the time axis, one after the other. */
const PLACES_IN_TIME = [0.5, 0.15, 0.85, 0];
/** Fractions that are spread evenly, however many there are. */
const GOLDEN = 0.6180339887498949;

/** Series of some members and cells, each of the same consecutive steps. */
export interface SampledSeries {
  readonly firstStep: number;
  /** NaN where missing. */
  readonly series: readonly Float64Array[];
  /** Whether they are all values of the array. */
  readonly isAll: boolean;
}

/**
 * Samples of the series of an array, spread over members, field and time, that each decode a small share of it: the caller stops
 * when it knows enough. Of a small array a single one, which is all of it.
 */
export async function* sampleSeries(layout: ArrayLayout, coding: ValueCoding): AsyncGenerator<SampledSeries> {
  const { member, time, y, x } = layout.length;
  if (member * time * y * x <= SMALL) {
    const all = { member: from(0, member), time: from(0, time), y: from(0, y), x: from(0, x) };
    yield { firstStep: 0, isAll: true, series: await readSeries(layout, coding, all, { y, x }) };
    return;
  }
  for (const [round, place] of PLACES_IN_TIME.entries()) {
    const { members, spots, steps } = sampleSize(layout);
    const chunk = chunkLengths(layout).time;
    const firstStep = Math.floor((place * (time - steps)) / chunk) * chunk;
    const series: Float64Array[] = [];
    for (let m = 0; m < members; m++) {
      for (let s = 0; s < spots; s++) {
        const extent = spotOf(layout, (m + 0.5) / members, round * spots + s);
        const sample = { ...extent, time: from(firstStep, steps) };
        series.push(
          ...(await readSeries(layout, coding, sample, { y: SIDE, x: extent.y.count === 1 ? SIDE ** 2 : SIDE })),
        );
      }
    }
    yield { firstStep, series, isAll: false };
  }
}

function from(start: number, count: number): { start: number; count: number } {
  return { start, count };
}

/** The cells and members that are read together: those of a stored piece, else some in a row. */
function unitOf(layout: ArrayLayout) {
  const chunk = chunkLengths(layout);
  const isInPieces = layout.array.chunk !== undefined;
  return { ...chunk, x: isInPieces ? chunk.x : Math.min(layout.length.x, SIDE ** 2) };
}

/** The numbers of members, spots and steps that do not cost more than a sample may. */
function sampleSize(layout: ArrayLayout): { members: number; spots: number; steps: number } {
  const { length } = layout;
  const unit = unitOf(layout);
  const budget = Math.min(MAX_VALUES, Math.max(MIN_VALUES, SHARE * length.member * length.time * length.y * length.x));
  let steps = Math.min(length.time, WANTED.steps);
  let members = Math.min(Math.ceil(length.member / unit.member), WANTED.members);
  let spots = Math.min(Math.ceil(length.y / unit.y) * Math.ceil(length.x / unit.x), WANTED.spots);
  const cost = () => members * spots * unit.member * unit.y * unit.x * Math.ceil(steps / unit.time) * unit.time;
  while (cost() > budget) {
    if (spots > 2) spots--;
    else if (members > 2) members--;
    else if (steps > 2 * LEAST_STEPS) steps = Math.ceil(steps / 2);
    else if (spots > 1) spots--;
    else if (members > 1) members--;
    else if (steps > LEAST_STEPS) steps = Math.max(LEAST_STEPS, Math.ceil(steps / 2));
    else break;
  }
  return { members, spots, steps };
}

/** The stored piece, or the run of cells, at a fraction of the members and the `index`-th place of those spread over the field. */
function spotOf(layout: ArrayLayout, member: number, index: number): Omit<Extent, 'time'> {
  const { length } = layout;
  const unit = unitOf(layout);
  const piece = (role: 'member' | 'y' | 'x', fraction: number, most = length[role]) => {
    const which = Math.floor(fraction * Math.ceil(length[role] / unit[role]));
    const start = which * unit[role];
    return from(start, Math.min(unit[role], most, length[role] - start));
  };
  return {
    member: piece('member', member, MEMBERS_OF_PIECE),
    y: piece('y', ((index + 0.5) * GOLDEN) % 1),
    x: piece('x', ((index + 0.5) * GOLDEN * GOLDEN + 0.25) % 1),
  };
}

/** The series of some cells, spread over an extent, of all its members. */
async function readSeries(
  layout: ArrayLayout,
  coding: ValueCoding,
  extent: Extent,
  cells: { readonly y: number; readonly x: number },
): Promise<Float64Array[]> {
  const { member, time, y, x } = extent;
  const places = (count: number, wanted: number) => {
    const of = Math.min(count, wanted);
    return Array.from({ length: of }, (_, i) => Math.floor(((i + 0.5) * count) / of));
  };
  const [rows, columns] = [places(y.count, cells.y), places(x.count, cells.x)];
  const series = Array.from(
    { length: member.count * rows.length * columns.length },
    () => new Float64Array(time.count),
  );
  const chunk = chunkLengths(layout).time;
  const atOnce = Math.max(chunk, Math.floor(PIECE / (member.count * y.count * x.count)));
  for (let step = time.start; step < time.start + time.count; ) {
    const end = Math.min(time.start + time.count, Math.floor((step + atOnce) / chunk) * chunk);
    const box = layoutBox(layout, { ...extent, time: from(step, end - step) });
    const values = await readNumbers(layout.array, box, coding);
    const strides = stridesIn(layout, box);
    let next = 0;
    for (let m = 0; m < member.count; m++) {
      for (const row of rows) {
        for (const column of columns) {
          const at = m * strides.member + row * strides.y + column * strides.x;
          const part = series[next++].subarray(step - time.start, end - time.start);
          decodeRow(values, at, strides.time, part, coding);
        }
      }
    }
    step = end;
  }
  return series;
}
