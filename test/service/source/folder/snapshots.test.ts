import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { beginUpdate } from '../../../../src/service/source/folder/index.node.js';
import { AXIS, commitForecast, firstValue, newFolder, opened, write } from './stores.js';

describe('snapshots of a store in a folder', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are of the old run until the new one is committed, and stay so', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 0 });
    const store = await opened(dir);
    const old = await store.snapshot();
    const update = await beginUpdate(dir);
    update.setForecast({ initTime: '2024-05-02T00:00Z', version: 'v12', generation: 'second', horizonInitTimes: {} });
    await write(update, { from: 1000 });
    expect(await store.snapshot()).toBe(old);
    await update.commit();
    const next = await store.snapshot();
    expect([old.forecast?.generation, next.forecast?.generation]).toEqual(['first', 'second']);
    expect([await firstValue(old), await firstValue(next)]).toEqual([0, 1000]);
    expect(old.forecast?.timeline.revision).not.toBe(next.forecast?.timeline.revision);
  });

  it('can be read by threads across many runs', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 0 });
    const store = await opened(dir, { reads: 'threads' });
    const snapshots = [await store.snapshot()];
    for (const from of [100, 200, 300]) {
      await commitForecast(dir, { from });
      snapshots.push(await store.snapshot());
    }
    expect(await Promise.all(snapshots.map((snapshot) => firstValue(snapshot)))).toEqual([0, 100, 200, 300]);
  });

  it('share what did not change', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    await write(update, { part: 'reanalysis', axis: { ...AXIS, members: 1 } });
    await update.commit();
    const store = await opened(dir);
    const before = await store.snapshot();
    await commitForecast(dir);
    const after = await store.snapshot();
    expect(after).not.toBe(before);
    expect(after.history?.data.revision).toBe(before.history?.data.revision);
    expect(after.history?.data.places).toBe(before.history?.data.places);
  });

  it('of a run that was replaced can be read for a minute, and then no more', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const dir = newFolder();
    await commitForecast(dir, { from: 0 });
    const store = await opened(dir);
    const old = await store.snapshot();
    await commitForecast(dir, { from: 100 });
    await store.snapshot();
    vi.advanceTimersByTime(59_000);
    await store.snapshot();
    expect(await firstValue(old)).toBe(0);
    vi.advanceTimersByTime(2_000);
    const { forecast } = await store.snapshot();
    expect(forecast).toBeDefined();
    await expect(firstValue(old)).rejects.toThrow('is closed: its store is, or has a newer run');
  });

  it('are looked for at most once in refreshSeconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const dir = newFolder();
    await commitForecast(dir, { generation: 'first' });
    const store = await opened(dir, { refreshSeconds: 10 });
    await commitForecast(dir, { generation: 'second' });
    vi.advanceTimersByTime(9_000);
    expect((await store.snapshot()).forecast?.generation).toBe('first');
    vi.advanceTimersByTime(2_000);
    expect((await store.snapshot()).forecast?.generation).toBe('second');
  });

  it('show the old run while the new manifest is broken, which is reported once for each fault', async () => {
    const dir = newFolder();
    await commitForecast(dir, { generation: 'first' });
    const faults: string[] = [];
    const store = await opened(dir, { onFault: ({ message }) => faults.push(message) });
    const manifest = join(dir, 'store.json');
    renameSync(manifest, join(dir, 'away.json'));
    for (let i = 0; i < 3; i++) expect((await store.snapshot()).forecast?.generation).toBe('first');
    writeFileSync(manifest, '{"kind": ');
    for (let i = 0; i < 3; i++) expect(await firstValue(await store.snapshot())).toBe(0);
    expect(faults).toEqual([
      `${dir}: holds no store; allowed: a folder with a store.json`,
      expect.stringMatching(
        /store.json: is not valid JSON: Unexpected end of JSON input.*; allowed: the manifest of a store$/,
      ),
    ]);
    renameSync(join(dir, 'away.json'), manifest);
    await commitForecast(dir, { generation: 'second' });
    expect((await store.snapshot()).forecast?.generation).toBe('second');
    writeFileSync(manifest, '{"kind": ');
    await store.snapshot();
    expect(faults).toHaveLength(3);
  });

  it('cannot be taken of a closed store', async () => {
    const dir = newFolder();
    await commitForecast(dir);
    const store = await opened(dir);
    const snapshot = await store.snapshot();
    await store.close();
    expect(() => store.snapshot()).toThrow(`${dir}: is closed`);
    await expect(firstValue(snapshot)).rejects.toThrow('is closed');
  });

  it('of a store that is closed while it opens a new run cannot be read, and no file stays open', async () => {
    const dir = newFolder();
    await commitForecast(dir, { generation: 'first' });
    const store = await opened(dir);
    await commitForecast(dir, { generation: 'second' });
    const opening = store.snapshot();
    await store.close();
    const { forecast } = await opening;
    expect(forecast?.generation).toBe('second');
    await expect(firstValue(await opening)).rejects.toThrow('is closed');
  });

  it('of requests at once are of the old run, but for the one that finds the new', async () => {
    const dir = newFolder();
    await commitForecast(dir, { generation: 'first' });
    const store = await opened(dir);
    await commitForecast(dir, { generation: 'second' });
    const snapshots = await Promise.all([store.snapshot(), store.snapshot(), store.snapshot()]);
    expect(snapshots.map(({ forecast }) => forecast?.generation)).toEqual(['second', 'first', 'first']);
  });
});
