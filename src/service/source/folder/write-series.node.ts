import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unwritable } from '../../../disk/file-fault.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import { DataError, unusable } from '../../../errors.js';
import { ArrowEncoder } from '../../../files/arrow/arrow-write.js';
import { createSeriesBatch, createSeriesSchema, type SeriesHead, seriesWidth } from './series-schema.js';

/** One variable of a part, with its values. */
export interface Series extends SeriesHead {
  /** The places of the cells. */
  readonly places: Places;
  /**
   * Each has the values of some consecutive cells, in order: the days of member 0, then of member 1, ...; NaN where
   * missing.
   */
  readonly blocks: Iterable<Float32Array> | AsyncIterable<Float32Array>;
}

/** A record batch has at most so many values. */
const MAX_BATCH_VALUES = 2_097_152;

/**
 * Writes the file of a variable as its blocks come, one batch in memory at a time, and flushes it to the disk. Rejects
 * with FileError, with DataError where the blocks do not fit the places, and with whatever the blocks' iterator throws;
 * then the file is removed.
 */
export async function writeSeries(path: string, series: Series): Promise<void> {
  await newFile(path, async (file) => {
    const schema = createSeriesSchema(series);
    const encoder = new ArrowEncoder(schema);
    const width = seriesWidth(series.axis);
    let cell = 0;
    for await (const values of batches(series)) {
      const end = cell + values.length / width;
      const places = {
        latitude: series.places.latitude.subarray(cell, end),
        longitude: series.places.longitude.subarray(cell, end),
      };
      await append(file, encoder.encode(createSeriesBatch(schema, series.axis, places, values)));
      cell = end;
    }
    await append(file, encoder.end());
  });
}

/** Writes a small file at once, and flushes it to the disk. Rejects with FileError. */
export async function writeSmallFile(path: string, bytes: Uint8Array): Promise<void> {
  await newFile(path, (file) => file.writeFile(bytes));
}

async function newFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, 'w');
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    // The next update removes what cannot be removed now.
    await rm(path, { force: true }).catch(() => undefined);
    throw unwritable(path, cause);
  }
}

async function append(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await file.appendFile(piece);
}

/** Joins the blocks to batches of one size, the last one smaller; each is valid until the next one is requested. */
async function* batches({ slug, axis, places, blocks }: Series): AsyncGenerator<Float32Array> {
  const width = seriesWidth(axis);
  const cells = places.latitude.length;
  const batch = new Float32Array(width * Math.min(cells, Math.max(1, Math.floor(MAX_BATCH_VALUES / width))));
  let held = 0;
  let taken = 0;
  for await (const block of blocks) {
    if (!(block instanceof Float32Array)) throw unusable(`block of ${slug}`, block, 'a Float32Array');
    taken += block.length;
    if (block.length % width !== 0 || taken > cells * width) throw otherPlaces(slug, cells, width, taken);
    for (let at = 0; at < block.length; ) {
      const part = block.subarray(at, at + batch.length - held);
      batch.set(part, held);
      at += part.length;
      held += part.length;
      if (held < batch.length) continue;
      yield batch;
      held = 0;
    }
  }
  if (taken !== cells * width) throw otherPlaces(slug, cells, width, taken);
  if (held > 0) yield batch.subarray(0, held);
}

function otherPlaces(slug: string, cells: number, width: number, taken: number): DataError {
  return new DataError({
    subject: slug,
    problem: 'blocks do not hold the values of all places, each complete and once',
    received: `${taken} values${taken > cells * width ? ' or more' : ''}`,
    allowed: `${cells * width}: ${width} values of each of ${cells} places`,
  });
}
