import type { Series } from '../../store/write-blocks.node.js';
import type { Axis, Dataset } from '../dataset.js';
import type { PartEntry, SegmentEntry } from './manifest.js';

type Days = Pick<Axis, 'firstDay' | 'days'>;

/** A file of several merged segments has at most so many days: years are not written again. */
const MAX_MERGED_DAYS = 400;

/** A history has at most so many segments; then all become one. */
const MAX_SEGMENTS = 40;

/** What becomes of the segments of a history when days are added. */
interface MergedSegments {
  /** Those that stay as they are, before the new one. */
  readonly segments: readonly SegmentEntry[];
  /** Those that become part of the new one. */
  readonly merged: readonly SegmentEntry[];
  /** The days of the new one. */
  readonly written: Days;
}

/**
 * Decides which of the last segments are written again with new days: those that lie within these, and short ones, so that
 * a history which grows day by day has a few segments of each length, and no day is written more than some times.
 */
export function mergeSegments(segments: readonly SegmentEntry[], added: Days): MergedSegments {
  let written: Days = { firstDay: added.firstDay, days: added.days };
  let from = segments.length;
  for (; from > 0; from--) {
    const last = segments[from - 1];
    const both = unite(written, last);
    const isWithin = both.days === written.days;
    const isShort = both.days <= MAX_MERGED_DAYS && last.days < 2 * written.days;
    if (!isWithin && !isShort && segments.length < MAX_SEGMENTS) break;
    written = both;
  }
  return { segments: segments.slice(0, from), merged: segments.slice(from), written };
}

/** The days of all segments, of one member. */
export function axisOfSegments(segments: readonly Days[]): Axis {
  const { firstDay, days } = segments.reduce(unite);
  return { firstDay, days, members: 1 };
}

function unite(a: Days, b: Days): Days {
  const firstDay = Math.min(a.firstDay, b.firstDay);
  return { firstDay, days: Math.max(a.firstDay + a.days, b.firstDay + b.days) - firstDay };
}

/** A part with some segments of one variable alone. */
export function onlySegments(
  part: PartEntry,
  { slug, units }: Pick<Series, 'slug' | 'units'>,
  segments: readonly SegmentEntry[],
): PartEntry {
  return { ...part, variables: new Map([[slug, { units, axis: axisOfSegments(segments), segments }]]) };
}

/** New values of a history; where they are missing, the values of `held`, which has the same places. */
export function mergedSeries(series: Series, { firstDay, days }: Days, held: Dataset): Series {
  const { slug, axis } = series;
  const before = held.variables.get(slug) as Axis;
  const beforeAt = before.firstDay - firstDay;
  const at = axis.firstDay - firstDay;
  const merge = async (block: Float32Array, cellOf: (place: number) => number) => {
    const merged = new Float32Array((block.length / axis.days) * days).fill(Number.NaN);
    for (let from = 0, place = 0; from < block.length; from += axis.days, place++) {
      const own = merged.subarray(place * days, (place + 1) * days);
      await held.read(slug, cellOf(place), own.subarray(beforeAt, beforeAt + before.days));
      for (let d = 0; d < axis.days; d++) if (!Number.isNaN(block[from + d])) own[at + d] = block[from + d];
    }
    return merged;
  };
  async function* blocks() {
    let cell = 0;
    for await (const block of series.blocks) {
      const first = cell;
      yield await merge(block, (place) => first + place);
      cell += block.length / axis.days;
    }
  }
  const sample = async (count: number) => {
    const { cells, values } = await (series.sample as NonNullable<Series['sample']>)(count);
    return { cells, values: await merge(values, (place) => cells[place]) };
  };
  return {
    ...series,
    axis: { firstDay, days, members: 1 },
    blocks: blocks(),
    sample: series.sample && sample,
  };
}
