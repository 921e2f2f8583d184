import { describe, expect, it } from 'vitest';
import { openArrays } from '../../../src/files/open-arrays.js';
import { type Netcdf3Content, writeNetcdf3 } from './write-netcdf3.js';

const numbers = (length: number) => Array.from({ length }, (_, i) => i);
const content: Netcdf3Content = {
  ...{ version: 1, records: 3 },
  dimensions: [
    { name: 'time', length: 0 },
    { name: 'x', length: 4 },
  ],
  variables: [
    { name: 'x', type: 'float32', dimensions: [1], values: numbers(4) },
    { name: 'y', type: 'float32', dimensions: [1], values: numbers(4) },
    { name: 'time', type: 'float64', dimensions: [0], values: numbers(3) },
    { name: 'tp', type: 'int16', dimensions: [0, 1], values: numbers(12) },
  ],
};
const RECORDS_AT = 4;

/** The whole file with the four bytes at `at` changed. */
function changed(at: number, value: number): Uint8Array {
  const bytes = writeNetcdf3(content);
  new DataView(bytes.buffer).setInt32(at, value);
  return bytes;
}

/** Where the offset of a variable's values stands: the last bytes of its entry in the header. */
function beginAt(value: number): number {
  const bytes = writeNetcdf3(content);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + 4 <= bytes.length; at += 4) if (view.getInt32(at) === value) return at;
  throw new Error(`no ${value} in the header`);
}

const HEADER_END = Math.min(...begins());

function begins(): number[] {
  const bytes = writeNetcdf3(content);
  const view = new DataView(bytes.buffer);
  const data = 16 + 16 + 3 * 8 + 3 * 8;
  const first = bytes.length - data;
  const found = [first, first + 16, first + 32, first + 40];
  for (const begin of found) expect(beginAt(begin)).toBeLessThan(first);
  expect(view.getInt32(RECORDS_AT)).toBe(3);
  return found;
}

const opening = (bytes: Uint8Array) => openArrays(bytes, { source: 'test.nc' });
const damaged = (problem: string) => ({ tag: 'format', message: expect.stringContaining(problem) });

describe('a NetCDF3 header that contradicts the file', () => {
  it('is rejected where it has more records than there are bytes', async () => {
    await expect(opening(changed(RECORDS_AT, 1_000_000_000))).rejects.toMatchObject(damaged('test.nc: is truncated'));
    await expect(opening(changed(RECORDS_AT, 4))).rejects.toMatchObject(damaged('test.nc: is truncated'));
    await expect(opening(changed(RECORDS_AT, -2))).rejects.toMatchObject(damaged('is negative'));
  });

  it('is read where it has fewer records, none, or leaves their number open', async () => {
    const shape = async (bytes: Uint8Array) => (await opening(bytes)).arrays.get('tp')?.shape;
    expect(await shape(changed(RECORDS_AT, 2))).toEqual([2, 4]);
    expect(await shape(changed(RECORDS_AT, 0))).toEqual([0, 4]);
    expect(await shape(changed(RECORDS_AT, -1))).toEqual([3, 4]);
  });

  it('is rejected where values begin within it, behind the file, or where those of others are', async () => {
    const [x, y, time, tp] = begins();
    await expect(opening(changed(beginAt(y), 8))).rejects.toMatchObject(damaged('y begins within it'));
    await expect(opening(changed(beginAt(tp), 1_000_000))).rejects.toMatchObject(damaged('is truncated'));
    await expect(opening(changed(beginAt(y), x + 4))).rejects.toMatchObject(
      damaged(`y begins at byte ${x + 4}, before x ends at ${y}`),
    );
    await expect(opening(changed(beginAt(tp), time))).rejects.toMatchObject(damaged('before'));
    await expect(opening(changed(beginAt(y), time + 16))).rejects.toMatchObject(damaged('before the records ends'));
  });

  it('is rejected where lengths are greater than the file, whatever their product is', async () => {
    const mark = 12_345;
    const dimensions = [{ name: 'one', length: 1 }, ...numbers(30).map((d) => ({ name: `d${d}`, length: mark }))];
    const variable = { name: 'v', type: 'float64' as const, dimensions: numbers(31), values: [] };
    const bytes = writeNetcdf3({ version: 5, records: 0, dimensions, variables: [variable] });
    const view = new DataView(bytes.buffer);
    for (let at = 4; at + 8 <= bytes.length; at += 4) {
      if (view.getBigInt64(at) === BigInt(mark)) view.setBigInt64(at, BigInt(Number.MAX_SAFE_INTEGER));
    }
    await expect(opening(bytes)).rejects.toMatchObject(damaged('is truncated'));
  });

  it('is rejected where two variables have one name', async () => {
    const twice = { ...content, variables: [content.variables[0], content.variables[0]] };
    await expect(opening(writeNetcdf3(twice))).rejects.toMatchObject(
      damaged('two dimensions or variables are named x'),
    );
  });

  it('is rejected where a list is longer than what there is', async () => {
    const lengths = [12, HEADER_END].filter((at) => at < HEADER_END);
    for (const at of lengths) {
      await expect(opening(changed(at, 0x7fff_ffff))).rejects.toMatchObject({ tag: 'format' });
    }
  });
});
