import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { casesOf } from '../../full-check.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { valuesOf } from '../stored-values.js';

const TIME = { timeout: 120_000 };

describe.runIf(hasPython('h5py', 'numpy'))('filters of the chunks of HDF5', TIME, () => {
  let folder: string;
  let expected: Record<string, Record<string, readonly number[]>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumecast-filters-'));
    pythonFile(join(import.meta.dirname, 'filter-orders.py'), [folder]);
    expected = JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8'));
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true }));

  const good = ['earliest', 'v108', 'latest'].flatMap((version) => [`${version}-0`, `${version}-512`]);

  it.each(casesOf([...good, 'many', 'masks'], [0, 5, 6, 7]))(
    'are undone in whatever order they stand, as h5py does: %s',
    async (name) => {
      const file = await openArrays(join(folder, `${name}.h5`));
      const arrays = Object.entries(expected[`${name}.h5`]);
      expect(arrays.length).toBeGreaterThan(3);
      for (const [array, values] of arrays) {
        const stored = file.arrays.get(array);
        if (values.length <= 5000) {
          expect([array, await valuesOf(stored)]).toEqual([array, values]);
          continue;
        }
        for (const start of [0, 1000, values.length - 2500]) {
          const box = { start: [start], count: [start === 0 ? 400 : 2500] };
          expect([array, await valuesOf(stored, box)]).toEqual([array, values.slice(start, start + box.count[0])]);
        }
      }
      await file.close();
    },
  );

  it.each(casesOf(['earliest', 'latest'], [1]))(
    'reject chunks that become too short or too long, in files of %s HDF5',
    async (version) => {
      const path = join(folder, `damaged-${version}.h5`);
      const file = await openArrays(path);
      const whole = expected[`damaged-${version}.h5`];
      let rejected = 0;
      for (const array of file.arrays.values()) {
        if (array.name in whole) {
          expect(await valuesOf(array)).toEqual(whole[array.name]);
          continue;
        }
        const readings =
          array.type === 'text'
            ? [() => array.readTexts()]
            : [() => valuesOf(array), () => valuesOf(array, { start: [0, 1], count: [1, 1] })];
        for (const read of readings) {
          await expect(read(), array.name).rejects.toMatchObject({
            tag: 'format',
            message: expect.stringContaining(`${path}, array ${array.name}, chunk 0/0: a chunk is damaged`),
          });
        }
        rejected++;
      }
      expect(rejected).toBeGreaterThan(200);
      await file.close();
    },
  );
});
