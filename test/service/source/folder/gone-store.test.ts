import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHandler, memoryKeys } from '../../../../src/service/index.js';
import { withoutPrivileges } from '../without-privileges.js';
import { commitForecast, newFolder, opened } from './stores.js';

async function service() {
  const dir = join(newFolder(), 'store');
  await commitForecast(dir, { from: 7 });
  const faults: string[] = [];
  const source = await opened(dir);
  const handler = createHandler({ source, keys: memoryKeys([]), onError: (error) => faults.push(`${error}`) });
  const ask = async (path: string) => {
    const response = await handler(new Request(`http://service.test${path}`));
    return [response.status, ((await response.json()) as { code?: string }).code];
  };
  return { dir, faults, ask };
}

const [READY, NOT_READY] = [
  [200, undefined],
  [503, 'source-unavailable'],
];

describe('/ready of a service whose store', () => {
  it('is gone is 503, while /health is 200, until the store is back', async () => {
    const { dir, faults, ask } = await service();
    expect(await ask('/ready')).toEqual(READY);
    renameSync(dir, `${dir}-away`);
    expect(await ask('/ready')).toEqual(NOT_READY);
    expect(await ask('/ready')).toEqual(NOT_READY);
    expect(await ask('/health')).toEqual(READY);
    expect(faults).toEqual([expect.stringContaining(`${dir}: holds no store`)]);
    renameSync(`${dir}-away`, dir);
    expect(await ask('/ready')).toEqual(READY);
    rmSync(dir, { recursive: true });
    expect(await ask('/ready')).toEqual(NOT_READY);
    await commitForecast(dir, { from: 8 });
    expect(await ask('/ready')).toEqual(READY);
  });

  it.skipIf(process.platform === 'win32')('may not be read is 503, until it may be', async () => {
    const { dir, ask } = await service();
    chmodSync(join(dir, '..'), 0o755);
    for (const path of [join(dir, 'store.json'), dir]) {
      chmodSync(path, 0);
      onTestFinished(() => chmodSync(dir, 0o755));
      expect(await withoutPrivileges(() => ask('/ready'))).toEqual(NOT_READY);
      chmodSync(path, 0o755);
      expect(await withoutPrivileges(() => ask('/ready'))).toEqual(READY);
    }
  });
});
