import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { KeyUsage, UsageStore } from '../../../src/service/access/usage.js';
import { fileUsage } from '../../../src/service/access/usage-file.node.js';
import { beginUpdate, copyStore } from '../../../src/service/node.js';
import { temporaryFolder } from '../source/temporary-folder.js';

const at = (text: string) => new Date(`2026-03-02T${text}Z`);
const used = (requests: number, time = '12:00:00'): KeyUsage => ({
  ...{ requests, cost: 2 * requests, bytes: 1000 * requests, lastUsed: at(time) },
});
const add = (store: UsageStore, day: string, usage: Record<string, KeyUsage>) =>
  store.add(day, new Map(Object.entries(usage)));

describe('usage in files', () => {
  it('is the sum of all processes and of all times, by day and key', async () => {
    const dir = temporaryFolder();
    const [first, second] = [fileUsage(dir), fileUsage(dir)];
    expect(await first.read('2026-01-01', '2026-12-31')).toEqual([]);
    expect(await add(first, '2026-03-02', { a: used(1, '12:00:00') })).toEqual(new Map([['a', 2]]));
    await add(first, '2026-03-02', { a: used(2, '11:00:00'), b: used(1) });
    expect(await add(second, '2026-03-02', { a: used(10, '13:00:00') })).toEqual(new Map([['a', 26]]));
    expect([await first.costOf('2026-03-02', 'a'), await second.costOf('2026-03-02', 'b')]).toEqual([26, 2]);
    expect([await first.costOf('2026-03-02', 'c'), await first.costOf('2026-03-03', 'a')]).toEqual([0, 0]);
    await add(second, '2026-03-01', { b: used(5) });
    // Another process, later.
    const later = fileUsage(dir);
    expect(await later.read('2026-03-01', '2026-03-02')).toEqual([
      { day: '2026-03-01', keyId: 'b', ...used(5) },
      { day: '2026-03-02', keyId: 'a', ...used(13, '13:00:00') },
      { day: '2026-03-02', keyId: 'b', ...used(1) },
    ]);
    expect(await later.read('2026-03-02', '2026-03-02')).toHaveLength(2);
    expect(await add(later, '2026-03-02', { a: used(1) })).toEqual(new Map([['a', 28]]));
  });

  it('is readable by its owner alone, and always a whole file', async () => {
    const dir = temporaryFolder();
    await add(fileUsage(dir), '2026-03-02', { a: used(1) });
    const folder = join(dir, 'usage', '2026-03-02');
    const [name, ...others] = readdirSync(folder);
    expect([others, statSync(join(folder, name)).mode & 0o777]).toEqual([[], 0o600]);
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toEqual({
      version: 1,
      keys: { a: [1, 2, 1000, '2026-03-02T12:00:00.000Z'] },
    });
    // What a crash left is not read.
    writeFileSync(join(folder, `${name}.tmp`), '{');
    expect(await fileUsage(dir).read('2026-03-02', '2026-03-02')).toHaveLength(1);
  });

  it('is copied with its store', async () => {
    const [from, to] = [temporaryFolder(), temporaryFolder()];
    const update = await beginUpdate(from);
    await update.commit();
    await copyStore(from, to);
    await add(fileUsage(from), '2026-03-02', { a: used(1) });
    await copyStore(from, to);
    await add(fileUsage(from), '2026-03-03', { a: used(2) });
    await copyStore(from, to);
    const rows = await fileUsage(to).read('2026-03-01', '2026-03-31');
    expect(rows).toEqual(await fileUsage(from).read('2026-03-01', '2026-03-31'));
    expect(rows).toHaveLength(2);
  });

  it('that cannot be written counts once, when it can be again', async () => {
    const dir = temporaryFolder();
    const store = fileUsage(dir);
    writeFileSync(join(dir, 'usage'), 'a file where a folder has to be');
    await expect(add(store, '2026-03-02', { a: used(1) })).rejects.toMatchObject({ tag: 'file' });
    rmSync(join(dir, 'usage'));
    expect(await add(store, '2026-03-02', { a: used(1) })).toEqual(new Map([['a', 2]]));
  });

  it.each([
    ['{', 'holds no usage of keys'],
    ['null', 'has another version'],
    ['{"version": 2}', 'has another version; received 2'],
  ])('of a broken file "%s" is an error that names it', async (text, message) => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, 'usage', '2026-03-02'), { recursive: true });
    const path = join(dir, 'usage', '2026-03-02', '0123.json');
    writeFileSync(path, text);
    for (const call of [
      () => fileUsage(dir).read('2026-03-01', '2026-03-31'),
      () => fileUsage(dir).costOf('2026-03-02', 'a'),
    ]) {
      await expect(call()).rejects.toThrow(`${path}: ${message}`);
    }
  });
});
