import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('a store that is fed while it is served, by feeds that are killed, gives the answers of before or of after', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check-store.mjs', '3', '20260302'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/3 feeds were killed: .*\n\d+ objects, a bit changed in each\nno fault\n$/);
  expect(status).toBe(0);
});
