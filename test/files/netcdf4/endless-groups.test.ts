import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { File, ready } from 'h5wasm/node';
import { expect, it } from 'vitest';
import { openArrays } from '../../../src/files/open-arrays.node.js';

it('groups that are each in another one twice are an error, not a search without end', async () => {
  const library = await ready;
  const folder = await mkdtemp(join(tmpdir(), 'plumecast-groups-'));
  const path = join(folder, 'groups.h5');
  const file = new File(path, 'w');
  for (let g = 0; g < 40; g++) file.create_group(`g${g}`);
  for (let g = 0; g + 1 < 40; g++) {
    for (const name of ['left', 'right']) library.create_hard_link(file.file_id, `/g${g + 1}`, `/g${g}/${name}`);
  }
  file.close();
  await expect(openArrays(path)).rejects.toMatchObject({
    tag: 'format',
    problem: 'has a group that is in more than 100 places',
  });
  await rm(folder, { recursive: true });
});
