import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FormatError } from '../../../src/errors.js';
import { BlockMemory } from '../../../src/service/blocks/block-memory.js';
import { spreadCells } from '../../../src/service/store/block-sample.js';
import { FolderAccess } from '../../../src/service/store/folder-access.node.js';
import { BlockSeries } from '../../../src/service/store/read-blocks.js';
import { type Series, writeBlocks } from '../../../src/service/store/write-blocks.node.js';
import { normalStream } from '../../reference/autoregressive.js';
import { newFolder } from '../source/folder/stores.js';

let memory: BlockMemory;
beforeAll(async () => {
  memory = await BlockMemory.load();
});

const PLACES = 70;
const NAME = 'x.blocks';

/** Values of fields that have a reference each, and one quantum, as GRIB packs them. */
function ofFields(members: number, days: number): Float32Array {
  const normal = normalStream(1);
  const width = members * days;
  const references = Float32Array.from({ length: width }, () => 200 + normal());
  return Float32Array.from({ length: PLACES * width }, (_, i) => {
    const reference = references[i % width];
    return reference + Math.round((280 + 5 * normal() - reference) * 256) / 256 - 273.15;
  });
}

interface Written {
  readonly values: Float32Array;
  readonly members: number;
  readonly days: number;
  readonly isSampled?: boolean;
  readonly precision?: number;
}

async function write({ values, members, days, isSampled = true, precision }: Written) {
  const dir = newFolder();
  const access = new FolderAccess(dir);
  const width = members * days;
  const head = { slug: 'temp_mean', units: 'degC', axis: { firstDay: 20_514, days, members } };
  const places = { latitude: new Float64Array(PLACES), longitude: new Float64Array(PLACES) };
  const sample = (count: number) => {
    const cells = spreadCells(PLACES, count);
    const some = new Float32Array(cells.length * width);
    for (const [c, cell] of cells.entries()) some.set(values.subarray(cell * width, (cell + 1) * width), c * width);
    return { cells, values: some };
  };
  const series: Series = { ...head, places, blocks: [values], sample: isSampled ? sample : undefined, precision };
  await writeBlocks(access, NAME, series, memory);
  const path = join(dir, NAME);
  const bytes = readFileSync(path);
  const footer = bytes.subarray(bytes.length - 16 - bytes.readUInt32LE(bytes.length - 16), bytes.length - 16);
  const open = () => {
    const own = new FolderAccess(dir);
    own.admit(NAME);
    onTestFinished(() => own.close());
    return BlockSeries.open(own, { name: NAME, head, places: PLACES }, memory);
  };
  const read = async (reader: BlockSeries, place: number) => {
    const into = new Float32Array(width);
    await reader.read(place, into);
    return into;
  };
  return { path, bytes, open, read, footer: JSON.parse(footer.toString()), width };
}

/** Reads all places. */
async function readAll({ open, read }: Awaited<ReturnType<typeof write>>): Promise<Float32Array> {
  const reader = await open();
  const places: number[] = [];
  for (let place = 0; place < PLACES; place++) places.push(...(await read(reader, place)));
  return Float32Array.from(places);
}

describe('a file of blocks', () => {
  it('has the grid of its fields where a sample shows it, and is smaller then', async () => {
    const given = { values: ofFields(9, 20), members: 9, days: 20 };
    const without = await write({ ...given, isSampled: false });
    const written = await write(given);
    expect(written.footer).toMatchObject({ codec: 'packed', fields: true, places: PLACES, members: 9, days: 20 });
    expect(without.footer.fields).toBeUndefined();
    expect(written.bytes.length).toBeLessThan(0.8 * without.bytes.length);
    for (const file of [without, written]) expect(await readAll(file)).toEqual(given.values);
  });

  it('has float32 as they are where blocks are short, or packing saves nothing', async () => {
    const short = { values: ofFields(3, 5), members: 3, days: 5 };
    const normal = normalStream(2);
    const noise = { values: Float32Array.from({ length: PLACES * 60 }, () => normal()), members: 6, days: 10 };
    for (const given of [short, noise]) {
      const file = await write(given);
      expect(file.footer.codec).toBe('raw');
      expect(await readAll(file)).toEqual(given.values);
    }
  });

  it('of a precision has values that are at most half of it from what they were', async () => {
    const given = { values: ofFields(9, 20), members: 9, days: 20 };
    const file = await write({ ...given, precision: 0.1 });
    expect(file.footer).toMatchObject({ codec: 'packed', precision: 0.1 });
    const read = await readAll(file);
    expect(read.findIndex((value, i) => Math.abs(value - given.values[i]) > 0.05 + 1e-5)).toBe(-1);
    expect(read.findIndex((value) => Math.abs(10 * value - Math.round(10 * value)) > 1e-4)).toBe(-1);
  });

  it('with any flipped bit is an error of the file, or of its place alone', async () => {
    const { path, bytes, open, read, width } = await write({ values: ofFields(4, 8), members: 4, days: 8 });
    const values = ofFields(4, 8);
    let ofPlaces = 0;
    for (let at = 0; at < bytes.length; at += 61) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] ^= 1 << (at % 8);
      writeFileSync(path, damaged);
      const reader = await open().catch((error) => error);
      if (reader instanceof FormatError) continue;
      const faulty: number[] = [];
      for (let place = 0; place < PLACES; place++) {
        const found = await read(reader, place).catch((error) => error);
        if (found instanceof FormatError) faulty.push(place);
        else expect(found).toEqual(values.subarray(place * width, (place + 1) * width));
      }
      expect(faulty).toHaveLength(1);
      ofPlaces++;
    }
    expect(ofPlaces).toBeGreaterThan(20);
  });

  it('of an unknown codec is one of a newer release', async () => {
    const { path, bytes, open } = await write({ values: ofFields(9, 20), members: 9, days: 20 });
    const at = bytes.lastIndexOf('"packed"');
    bytes.write('"squash"', at);
    const length = bytes.readUInt32LE(bytes.length - 16);
    const footer = bytes.subarray(bytes.length - 16 - length, bytes.length - 16);
    memory.buffer(length).set(footer);
    bytes.writeUInt32LE(memory.digest(length, -1), bytes.length - 12);
    writeFileSync(path, bytes);
    await expect(open()).rejects.toThrow(
      'has blocks of an unknown codec; received "squash"; allowed: raw, packed, or a newer release of plumecast',
    );
  });
});
