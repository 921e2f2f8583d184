import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKey, fileKeys, openKeys } from '../../../src/service/access/key-file.node.js';
import { temporaryFolder } from '../source/temporary-folder.js';

const ada = { owner: 'Ada', downscaling: true };
const DAY = 86_400;

describe('keys in a file', () => {
  it('are made 10,000 at a time, by one change of the file', async () => {
    const dir = temporaryFolder();
    const keys = fileKeys(dir);
    const created = await keys.create(Array.from({ length: 10_000 }, () => ada));
    expect(new Set(created.map(({ key }) => key)).size).toBe(10_000);
    const store = await openKeys(dir);
    for (const { key, record } of created) expect((await store.find(key as string))?.id).toBe(record.id);
    expect(await keys.list()).toHaveLength(10_000);
  });

  it('keep owner, note, times and rate of each', async () => {
    const dir = temporaryFolder();
    const terms = {
      note: 'asked by mail',
      starts: new Date('2026-01-01T00:00:00Z'),
      expires: new Date('2027-01-01T06:30:00Z'),
      rate: { requests: 60, windowSeconds: 60 },
    };
    const [{ key, record }] = await fileKeys(dir).create([{ ...ada, ...terms }]);
    expect(record).toEqual({ ...ada, ...terms, id: record.id, demo: false, created: expect.any(Date) });
    expect(await fileKeys(dir).list()).toEqual([record]);
    const { note: _, ...known } = terms;
    expect(await (await openKeys(dir)).find(key as string)).toEqual({ ...ada, ...known, id: record.id });
    expect(readFileSync(join(dir, 'keys.json'), 'utf8')).toContain('"expires": "2027-01-01T06:30:00.000Z"');
  });

  it('are all created or none', async () => {
    const dir = temporaryFolder();
    const { record } = await createKey(dir, ada);
    const before = readFileSync(join(dir, 'keys.json'), 'utf8');
    await expect(fileKeys(dir).create([ada, { ...ada, id: record.id }])).rejects.toThrow('two keys have this id');
    await expect(fileKeys(dir).create([ada, { ...ada, note: 'a\nb' }])).rejects.toThrow('note: cannot be used');
    expect(readFileSync(join(dir, 'keys.json'), 'utf8')).toBe(before);
  });

  it('of earlier versions are read, and keep working when others are added', async () => {
    const dir = temporaryFolder();
    const { key } = await createKey(dir, ada);
    const path = join(dir, 'keys.json');
    const { keys } = JSON.parse(readFileSync(path, 'utf8'));
    const old = keys.map(({ id, owner, downscaling, keyHash }: Record<string, unknown>) => ({
      id,
      owner,
      downscaling,
      keyHash,
    }));
    writeFileSync(path, JSON.stringify({ keys: old }));
    expect(await (await openKeys(dir)).find(key)).toMatchObject(ada);
    await createKey(dir, ada);
    expect(JSON.parse(readFileSync(path, 'utf8')).keys[0]).toEqual(old[0]);
  });

  it('that were revoked are in a list of their own, so that earlier versions do not take them for valid', async () => {
    const dir = temporaryFolder();
    const [first, second] = [await createKey(dir, ada), await createKey(dir, ada)];
    await fileKeys(dir).revoke([first.record.id]);
    const file = JSON.parse(readFileSync(join(dir, 'keys.json'), 'utf8'));
    expect(file.keys.map(({ id }: { id: string }) => id)).toEqual([second.record.id]);
    expect(file.revoked).toMatchObject([{ id: first.record.id, owner: 'Ada' }]);
    const { revoked } = (await fileKeys(dir).list())[1];
    // Once more changes nothing.
    expect((await fileKeys(dir).revoke([first.key]))[0].revoked).toEqual(revoked);
  });

  it.each([
    [{ expires: 'soon' }, /is broken at keys\[0\]: key \w+ expires: is no time; received "soon"/],
    [{ rate: { requests: 0, windowSeconds: 1 } }, /is broken at keys\[0\]: key \w+ rate.requests/],
  ])('with %o are broken', async (field, message) => {
    const dir = temporaryFolder();
    await createKey(dir, ada);
    const path = join(dir, 'keys.json');
    const { keys } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ keys: [{ ...keys[0], ...field }] }));
    await expect(openKeys(dir)).rejects.toThrow(message);
  });

  it('name the revoked list where the fault is there', async () => {
    const dir = temporaryFolder();
    const { record } = await createKey(dir, ada);
    await createKey(dir, ada);
    await fileKeys(dir).revoke([record.id]);
    const path = join(dir, 'keys.json');
    const file = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...file, revoked: [{ ...file.revoked[0], owner: '' }] }));
    await expect(openKeys(dir)).rejects.toThrow('is broken at revoked[0]');
  });
});

describe('rotate', () => {
  it('makes a key with the same owner and permissions; the old one stays valid for the overlap', async () => {
    const dir = temporaryFolder();
    const keys = fileKeys(dir);
    const rate = { requests: 5, windowSeconds: 1 };
    const [{ record: old }] = await keys.create([{ ...ada, note: 'n', rate }]);
    const [{ key, record }] = await keys.rotate([old.id], 2 * DAY);
    expect(record).toMatchObject({ ...ada, note: 'n', rate });
    expect(record.id).not.toBe(old.id);
    expect(record.expires).toBeUndefined();
    const [before] = await keys.list();
    expect(before.replacedBy).toBe(record.id);
    expect(Math.abs(before.expires!.getTime() - Date.now() - 2 * DAY * 1000)).toBeLessThan(5000);
    expect(await (await openKeys(dir)).find(key as string)).toMatchObject({ id: record.id });
  });

  it('never makes a key valid for longer', async () => {
    const dir = temporaryFolder();
    const keys = fileKeys(dir);
    const expires = new Date(Date.now() + DAY * 1000);
    const [{ record: old }] = await keys.create([{ ...ada, expires }]);
    const [{ record }] = await keys.rotate([old.id], 7 * DAY);
    expect(record.expires).toEqual(expires);
    expect((await keys.list())[0].expires).toEqual(expires);
  });

  it('rejects keys that are not valid, or were rotated already, and changes none then', async () => {
    const dir = temporaryFolder();
    const keys = fileKeys(dir);
    const past = { starts: new Date('2020-01-01'), expires: new Date('2021-01-01') };
    const made = (await keys.create([ada, ada, { ...ada, ...past }, ada])).map(({ record }) => record.id);
    const [valid, revoked, expired, rotated] = made;
    await keys.revoke([revoked]);
    await keys.rotate([rotated], DAY);
    const before = await keys.list();
    await expect(keys.rotate([valid, revoked], 0)).rejects.toThrow(`key ${revoked}: was revoked`);
    await expect(keys.rotate([valid, expired], 0)).rejects.toThrow(`key ${expired}: has expired`);
    await expect(keys.rotate([valid, rotated], 0)).rejects.toThrow('was replaced by');
    await expect(keys.rotate([valid, 'none'], 0)).rejects.toThrow('key: unknown');
    expect(await keys.list()).toEqual(before);
  });
});
