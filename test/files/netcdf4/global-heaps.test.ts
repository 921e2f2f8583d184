import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { File, ready } from 'h5wasm/node';
import { expect, it } from 'vitest';
import { openNetcdf4 } from '../../../src/files/netcdf4/open-netcdf4.js';

it('an object of a global heap with an impossible size is an error that names its offset, not a search without end', async () => {
  await ready;
  const folder = await mkdtemp(join(tmpdir(), 'plumecast-heaps-'));
  const path = join(folder, 'texts.h5');
  const file = new File(path, 'w');
  file.create_dataset({ name: 'names', data: ['first', 'second', 'third'], dtype: 'S' });
  file.close();
  const bytes = new Uint8Array(await readFile(path));
  const heap = Buffer.from(bytes).indexOf('GCOL');
  expect(heap).toBeGreaterThan(0);
  await (await openNetcdf4(bytes.slice(), 'texts.h5')).close();
  for (const [index, size, problem] of [
    [0, 0n, 'object 0'],
    [0, 8n, 'object 0'],
    [1, 0xffff_ffff_ffff_fff0n, 'object 1'],
    [1, 1n << 40n, 'object 1'],
  ] as const) {
    const damaged = bytes.slice();
    const view = new DataView(damaged.buffer);
    view.setUint16(heap + 16, index, true);
    view.setBigUint64(heap + 24, size, true);
    await expect(openNetcdf4(damaged, 'texts.h5')).rejects.toMatchObject({
      tag: 'format',
      problem: `has a corrupt global heap: ${problem} at offset ${heap + 16} has an impossible size`,
    });
  }
  await rm(folder, { recursive: true });
});
