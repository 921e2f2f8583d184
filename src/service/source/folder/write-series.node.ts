import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unwritable } from '../../../disk/file-fault.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import { DataError, unusable } from '../../../errors.js';
import { ArrowEncoder } from '../../../files/arrow/arrow-write.js';
import { type SeriesHead, seriesBatch, seriesSchema, seriesWidth } from './series-schema.js';

/** One variable of a part, with its values. */
export interface Series extends SeriesHead {
  /** Where the cells are. */
  readonly places: Places;
  /** The values of some consecutive whole cells each, in order: the days of member 0, then of member 1, ...; NaN where missing. */
  readonly blocks: Iterable<Float32Array> | AsyncIterable<Float32Array>;
}

/** Values of one record batch, at most. */
const BATCH_VALUES = 2_097_152;

/**
 * Writes the file of a variable as its blocks come, one batch in memory at a time, and sees to it that it is on the disk. Rejects with
 * FileError, with DataError where the blocks are not those of the places, and with whatever the blocks' maker throws; nothing is
 * left of the file then.
 */
export async function writeSeries(path: string, series: Series): Promise<void> {
  await newFile(path, async (file) => {
    const schema = seriesSchema(series);
    const encoder = new ArrowEncoder(schema);
    const width = seriesWidth(series.axis);
    let cell = 0;
    for await (const values of batches(series)) {
      const end = cell + values.length / width;
      const places = {
        latitude: series.places.latitude.subarray(cell, end),
        longitude: series.places.longitude.subarray(cell, end),
      };
      await append(file, encoder.encode(seriesBatch(schema, series.axis, places, values)));
      cell = end;
    }
    await append(file, encoder.end());
  });
}

/** Writes a small file as a whole, and sees to it that it is on the disk. Rejects with FileError. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
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
    // What cannot be removed now is with the leftovers that the next update removes.
    await rm(path, { force: true }).catch(() => undefined);
    throw unwritable(path, cause);
  }
}

async function append(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await file.appendFile(piece);
}

/** The blocks, put together to batches of one size, the last one smaller; each is good until the next one is asked for. */
async function* batches({ slug, axis, places, blocks }: Series): AsyncGenerator<Float32Array> {
  const width = seriesWidth(axis);
  const cells = places.latitude.length;
  const batch = new Float32Array(width * Math.min(cells, Math.max(1, Math.floor(BATCH_VALUES / width))));
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
    problem: 'blocks are not the values of whole places, all of them once',
    received: `${taken} values${taken > cells * width ? ' or more' : ''}`,
    allowed: `${cells * width}: ${width} values of each of ${cells} places`,
  });
}
