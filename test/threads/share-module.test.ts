import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { shareModule } from '../../src/threads/shared-core.js';

const packaged = readFile(new URL('../../dist/plumecast.wasm', import.meta.url));

it('the packaged module becomes one that imports shared memory, by one bit', async () => {
  const bytes = new Uint8Array(await packaged);
  const shared = shareModule(bytes) as Uint8Array<ArrayBuffer>;
  expect(bytes.reduce((count, byte, i) => count + (byte === shared[i] ? 0 : 1), 0)).toBe(1);
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 65_536, shared: true });
  await expect(WebAssembly.instantiate(bytes, { env: { memory } })).rejects.toThrow();
  await expect(WebAssembly.instantiate(shared, { env: { memory } })).resolves.toBeDefined();
});

it('other bytes are not changed', async () => {
  const bytes = new Uint8Array(await packaged);
  for (const other of [new Uint8Array(0), bytes.slice(0, 100), Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)]) {
    expect(shareModule(other)).toBeUndefined();
  }
});
