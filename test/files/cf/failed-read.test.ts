import { expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import type { ArrayFile, StoredArray } from '../../../src/files/array/array-file.js';
import { gridEnsemble } from '../../../src/files/cf/index.js';
import { coordinates, memoryFile } from './memory-file.js';

const range = (length: number) => Array.from({ length }, (_, i) => i);

/** A file of daily values whose reads fail while `isBroken()`. */
function fileOf(isBroken: () => boolean): ArrayFile {
  const file = memoryFile({
    ...coordinates(
      { member: range(3), time: range(6), latitude: range(4), longitude: range(5) },
      {
        units: 'days since 2001-01-01',
      },
    ),
    t2m: {
      type: 'float32',
      dimensions: { member: 3, time: 6, latitude: 4, longitude: 5 },
      ...{ values: new Float32Array(360), attributes: { units: 'degC' } },
    },
  });
  const array = file.arrays.get('t2m') as StoredArray;
  const read: StoredArray['read'] = async (box, into) => {
    if (isBroken() && box.start[0] > 0) throw new Error('no disk');
    return array.read(box, into);
  };
  return { ...file, arrays: new Map([...file.arrays, ['t2m', { ...array, read }]]) };
}

it("a block that cannot be read releases the core's memory, and the next one is read", async () => {
  let isBroken = true;
  const core = await loadCore();
  const ensemble = await gridEnsemble(fileOf(() => isBroken));
  const block = { cell: 0, cells: 20, day: 0, days: 6 };
  const mark = core.memory.mark();
  for (let i = 0; i < 3; i++) {
    await expect(ensemble.read(block, core)).rejects.toThrow('no disk');
    expect(core.memory.mark()).toBe(mark);
  }
  isBroken = false;
  const { field } = await ensemble.read(block, core);
  expect(field.members.map((member) => member.value(0))).toEqual([0, 0, 0]);
  expect(core.memory.mark()).toBeGreaterThan(mark);
});

it('a block that cannot be read does not release what others allocated meanwhile', async () => {
  const core = await loadCore();
  let address = 0;
  const ensemble = await gridEnsemble(
    fileOf(() => {
      address ||= core.memory.allocate(64);
      return true;
    }),
  );
  await expect(ensemble.read({ cell: 0, cells: 20, day: 0, days: 6 }, core)).rejects.toThrow('no disk');
  expect(core.memory.mark()).toBe(address + 64);
});
