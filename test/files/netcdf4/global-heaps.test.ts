import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { File, ready } from 'h5wasm/node';
import { expect, it } from 'vitest';
import { checksum } from '../../../src/files/hdf5/checksum.js';
import { openArrays } from '../../../src/files/open-arrays.js';

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
  await (await openArrays(bytes.slice(), { source: 'texts.h5' })).close();
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
    const opened = await openArrays(damaged, { source: 'texts.h5' });
    await expect(opened.arrays.get('names')?.readTexts()).rejects.toMatchObject({
      tag: 'format',
      problem: `has a corrupt global heap: ${problem} at offset ${heap + 16} has an impossible size`,
    });
    await opened.close();
  }
  await rm(folder, { recursive: true });
});

it('a list of more dimension scales than there are datasets is an error, not a search of minutes', async () => {
  await ready;
  const folder = await mkdtemp(join(tmpdir(), 'plumecast-scales-'));
  const path = join(folder, 'scales.h5');
  const file = new File(path, 'w');
  file.create_dataset({ name: 'x', data: new Float64Array(2), shape: [2] }).make_scale('x');
  file.create_dataset({ name: 'v', data: new Float64Array(2), shape: [2] }).attach_scale(0, 'x');
  file.close();
  const bytes = new Uint8Array(await readFile(path));
  const whole = await openArrays(bytes.slice(), { source: 'scales.h5' });
  expect(whole.arrays.get('v')?.dimensions).toEqual(['x']);
  await whole.close();
  const text = Buffer.from(bytes);
  const list = Buffer.alloc(12); // One reference, in the first collection.
  list.writeUint32LE(1);
  list.writeBigUint64LE(BigInt(text.indexOf('GCOL')), 4);
  const at = text.indexOf(list, text.indexOf('DIMENSION_LIST'));
  expect(at).toBeGreaterThan(0);
  // Headers of objects, and what continues them, end with their checksum.
  const from = Math.max(text.lastIndexOf('OHDR', at), text.lastIndexOf('OCHK', at));
  const view = new DataView(bytes.buffer);
  let to = at;
  while (view.getUint32(to, true) !== checksum(bytes.subarray(from, to))) to++;
  view.setUint32(at, 0x8000_0001, true);
  view.setUint32(to, checksum(bytes.subarray(from, to)), true);
  await expect(openArrays(bytes, { source: 'scales.h5' })).rejects.toMatchObject({
    tag: 'format',
    subject: 'scales.h5, /v DIMENSION_LIST',
    problem: 'has too many scales',
    received: 0x8000_0001,
  });
  await rm(folder, { recursive: true });
});
