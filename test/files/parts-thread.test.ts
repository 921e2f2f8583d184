import { once } from 'node:events';
import { expect, it } from 'vitest';
import { keepPartsThread, startPartsThread, takePartsThread } from '../../src/files/parts-thread.node.js';

it('a thread that is kept is taken once', async () => {
  const kept = startPartsThread();
  keepPartsThread(kept);
  const [first, second] = [takePartsThread(), takePartsThread()];
  expect(first).toBe(kept);
  expect(second).not.toBe(kept);
  await Promise.all([first.terminate(), second.terminate()]);
});

it('a thread that ended before anyone needed it is replaced', async () => {
  const kept = startPartsThread();
  keepPartsThread(kept);
  const exit = once(kept, 'exit');
  await kept.terminate();
  await exit;
  const other = takePartsThread();
  expect(other).not.toBe(kept);
  await other.terminate();
});
