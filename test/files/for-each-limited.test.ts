import { expect, it } from 'vitest';
import { forEachLimited } from '../../src/check/work.js';

const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

it('forEachLimited works for each item once, no more at a time than the limit', async () => {
  const [done, most, underway] = [[] as number[], { at: 0 }, { at: 0 }];
  await forEachLimited(Array.from({ length: 20 }, (_, i) => i).values(), 3, async (item) => {
    most.at = Math.max(most.at, ++underway.at);
    await soon();
    underway.at--;
    done.push(item);
  });
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  expect(most.at).toBe(3);
});

it('forEachLimited begins no more where one has failed, and fails when those under way are done', async () => {
  const [begun, done] = [[] as number[], [] as number[]];
  const failing = forEachLimited([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    if (item === 0) throw new Error('no');
    await soon();
    done.push(item);
  });
  await expect(failing).rejects.toThrow('no');
  expect([begun, done]).toEqual([[0, 1], [1]]);
});
