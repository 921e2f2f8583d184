import { expect, it } from 'vitest';
import type { RandomAccess } from '../../../src/files/array/random-access.js';
import type { GribFiles } from '../../../src/files/grib/cube/grib-files.js';
import { openGribFiles } from '../../../src/files/grib/open-grib.js';
import { joined, uint } from '../../reference/grib-message.js';
import { gribFile, T2M } from './write-grib.js';

const [MEMBERS, STEPS] = [31, 64];
const [ROWS, COLUMNS] = [40, 350];
/** Values of 32 bits. */
const DATA_BYTES = 4 * ROWS * COLUMNS;
/** Values of rows are read from the byte at which an eighth value begins: row 30 begins with the fourth. */
const ALIGNED = 4 * 4;
/** What is read of a message at once for its headers. */
const HEADER_BYTES = 4096;

/** A file of a message whose packed values are zeros, with the bytes counted that are read of it. */
function countedFile(file: number, counts: number[]): RandomAccess {
  const member = 1 + Math.floor(file / STEPS);
  const bytes = gribFile([{ ...T2M, member, step: 3 * (file % STEPS), rows: ROWS, columns: COLUMNS, value: 280 }]);
  const head = bytes.slice(0, -9);
  const section5 = head.length - 6 - 21;
  head[section5 + 19] = 32;
  const length = head.length + 5 + DATA_BYTES + 4;
  head.set(uint(length, 8), 8);
  const start = joined(head, uint(DATA_BYTES + 5, 4), [7]);
  return {
    source: `gep${member}.f${3 * (file % STEPS)}`,
    size: length,
    async read(at, into) {
      counts[file] += into.length;
      into.fill(0);
      for (let i = 0; i < into.length; i++) {
        if (at + i < start.length) into[i] = start[at + i];
        else if (at + i >= length - 4) into[i] = 0x37;
      }
    },
    async checkUnchanged() {},
    async close() {},
  };
}

it('a point of a member of 31 x 64 files reads their headers, and its row of the values of that member alone', async () => {
  const counts: number[] = new Array(MEMBERS * STEPS).fill(0);
  const files: GribFiles = {
    source: 'run',
    count: counts.length,
    use: (file, work) => work(countedFile(file, counts)),
    async close() {},
  };
  const { arrays } = await openGribFiles(files);
  const array = arrays.get('2t');
  expect(array?.shape).toEqual([MEMBERS, STEPS, ROWS, COLUMNS]);
  expect(Math.max(...counts)).toBeLessThanOrEqual(2 * HEADER_BYTES);
  const headers = counts.slice();

  const member = 6;
  const values = new Float64Array(STEPS);
  await array?.read({ start: [member, 0, 30, 70], count: [1, STEPS, 1, 1] }, values);
  expect([...values]).toEqual(new Array(STEPS).fill(280));
  const read = counts.map((count, file) => count - headers[file]);
  const expected = counts.map((_, file) => (Math.floor(file / STEPS) === member ? 4 * COLUMNS + ALIGNED : 0));
  expect(read).toEqual(expected);
});
