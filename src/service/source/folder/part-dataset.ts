import type { PlaceIndex } from '../../../ensemble/place-index.js';
import type { SeriesReader } from '../../store/read-blocks.js';
import type { Tracing } from '../../tracing.js';
import type { Axis, Dataset } from '../dataset.js';

/** One part of a store: a reader for each variable, all with the same places. */
export class PartDataset implements Dataset {
  readonly #readers: ReadonlyMap<string, SeriesReader>;
  readonly #tracing: Tracing | undefined;

  constructor(
    readonly revision: string,
    readonly places: PlaceIndex,
    readonly variables: ReadonlyMap<string, Axis>,
    readers: ReadonlyMap<string, SeriesReader>,
    tracing?: Tracing,
  ) {
    this.#readers = readers;
    this.#tracing = tracing;
  }

  read(slug: string, cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    const reader = this.#readers.get(slug) as SeriesReader;
    if (this.#tracing === undefined) return reader.read(cell, into);
    return this.#tracing.part('read', () => reader.read(cell, into));
  }

  readNow(slug: string, cell: number, into: Float32Array<ArrayBuffer>): boolean {
    const reader = this.#readers.get(slug) as SeriesReader;
    if (this.#tracing === undefined) return reader.readNow(cell, into);
    return this.#tracing.part('read', () => reader.readNow(cell, into));
  }
}

/** Consecutive days of a history, and what reads them. */
export interface ReadSegment {
  readonly reader: SeriesReader;
  /** The index of its first day among the days of the history. */
  readonly at: number;
  readonly days: number;
}

/** A segment, and whether an earlier one has some of its days. */
interface LaidSegment extends ReadSegment {
  readonly isOver: boolean;
}

/** A history of several segments: the values of a later one replace earlier ones, where it has values. */
export class SegmentedSeries implements SeriesReader {
  readonly #segments: readonly LaidSegment[];

  constructor(segments: readonly ReadSegment[]) {
    this.#segments = segments.map((segment, s) => {
      const { at, days } = segment;
      const isOver = segments.slice(0, s).some((before) => before.at < at + days && at < before.at + before.days);
      return { ...segment, isOver };
    });
  }

  readNow(cell: number, into: Float32Array<ArrayBuffer>): boolean {
    into.fill(Number.NaN);
    for (const { reader, at, days, isOver } of this.#segments) {
      const own = into.subarray(at, at + days);
      const values = isOver ? new Float32Array(days) : own;
      if (!reader.readNow(cell, values)) return false;
      if (isOver) replaceBy(values, own);
    }
    return true;
  }

  read(cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    if (!this.readNow(cell, into)) return this.#readLater(cell, into);
  }

  async #readLater(cell: number, into: Float32Array<ArrayBuffer>): Promise<void> {
    // Each may be a request: none waits for another.
    const read = await Promise.all(
      this.#segments.map(async ({ reader, days }) => {
        const values = new Float32Array(days);
        await reader.read(cell, values);
        return values;
      }),
    );
    into.fill(Number.NaN);
    for (const [s, { at, days, isOver }] of this.#segments.entries()) {
      if (isOver) replaceBy(read[s], into.subarray(at, at + days));
      else into.set(read[s], at);
    }
  }
}

/** Replaces values by those that are not missing. */
function replaceBy(values: Float32Array, own: Float32Array): void {
  for (let day = 0; day < own.length; day++) if (!Number.isNaN(values[day])) own[day] = values[day];
}
