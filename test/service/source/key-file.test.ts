import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKey, fileKeys, openKeys } from '../../../src/service/access/key-file.node.js';
import { hashKey } from '../../../src/service/source/index.js';
import { temporaryFolder } from './temporary-folder.js';

const ada = { owner: 'Ada', downscaling: true };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const aSecondLater = () => vi.advanceTimersByTime(1000);

describe('createKey', () => {
  it('creates a key that an open store finds within a second', async () => {
    const dir = temporaryFolder();
    const store = await openKeys(dir);
    const { key, record } = await createKey(dir, ada);
    expect(await store.find(key)).toBeUndefined();
    aSecondLater();
    expect(await store.find(key)).toEqual(record);
    expect(record).toEqual({ ...ada, id: expect.stringMatching(/^[0-9a-f]{12}$/) });
  });

  it('writes the key nowhere, only its hash, in a file that only its owner can read', async () => {
    const dir = temporaryFolder();
    const { key } = await createKey(dir, ada);
    expect(readdirSync(dir)).toEqual(['keys.json']);
    const text = readFileSync(join(dir, 'keys.json'), 'utf8');
    expect(text).toContain(hashKey(key));
    expect(text).not.toContain(key.slice(3, 11));
    expect(statSync(join(dir, 'keys.json')).mode & 0o777).toBe(0o600);
  });

  it('writes through a link to the list of another folder, and rejects a link to nothing', async () => {
    const [dir, shared] = [temporaryFolder(), temporaryFolder()];
    await createKey(shared, ada);
    symlinkSync(join(shared, 'keys.json'), join(dir, 'keys.json'));
    await createKey(dir, ada);
    expect(await fileKeys(shared).list()).toHaveLength(2);
    expect(lstatSync(join(dir, 'keys.json')).isSymbolicLink()).toBe(true);
    rmSync(join(shared, 'keys.json'));
    const where = `${join(shared, 'keys.json')}, which cannot be opened; allowed: a file, or a link to one`;
    await expect(createKey(dir, ada)).rejects.toThrow(`${join(dir, 'keys.json')}: is a link to ${where}`);
  });

  it('makes a file private that was not', async () => {
    const dir = temporaryFolder();
    await createKey(dir, ada);
    chmodSync(join(dir, 'keys.json'), 0o644);
    await createKey(dir, ada);
    expect(statSync(join(dir, 'keys.json')).mode & 0o777).toBe(0o600);
  });

  it('loses no key where many are made and revoked at once', async () => {
    const dir = temporaryFolder();
    const gone = await createKey(dir, ada);
    const made = Array.from({ length: 20 }, (_, i) => createKey(dir, { owner: `owner ${i}`, downscaling: false }));
    const [keys] = await Promise.all([Promise.all(made), fileKeys(dir).revoke([gone.key])]);
    expect((await fileKeys(dir).list()).filter(({ revoked }) => revoked === undefined)).toHaveLength(20);
    const store = await openKeys(dir);
    for (const { key, record } of keys) expect(await store.find(key)).toEqual(record);
    expect(readdirSync(dir)).toEqual(['keys.json']);
  });

  it("takes the caller's own key, once", async () => {
    const dir = temporaryFolder();
    expect(await createKey(dir, { ...ada, key: 'demo' })).toMatchObject({ key: 'demo' });
    await expect(createKey(dir, { ...ada, key: 'demo' })).rejects.toThrow('is the same key as another one');
    expect(await fileKeys(dir).list()).toHaveLength(1);
  });

  it.each([
    ['', 'key: cannot be sent in a header'],
    ['two words', 'key: cannot be sent in a header'],
    ['schlüssel', 'key: cannot be sent in a header'],
    ['k'.repeat(257), 'key: cannot be sent in a header'],
  ])('rejects the key "%s" without repeating it', async (key, message) => {
    const error = await createKey(temporaryFolder(), { ...ada, key }).catch((reason) => reason);
    expect(error).toMatchObject({ tag: 'option', message: expect.stringContaining(message) });
    if (key !== '') expect(error.message).not.toContain(key);
  });

  it('rejects an invalid owner, and leaves no files behind', async () => {
    const dir = temporaryFolder();
    await expect(createKey(dir, { ...ada, owner: '' })).rejects.toMatchObject({ tag: 'option' });
    expect(readdirSync(dir)).toEqual([]);
  });

  it('gives up where another command holds the lock for five seconds, and the error states the remedy', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'keys.json.lock'), '');
    const waiting = createKey(dir, ada);
    const fast = setInterval(() => vi.advanceTimersByTime(1000), 5);
    await expect(waiting).rejects.toThrow('keys.json.lock: is held by process unknown');
    clearInterval(fast);
    expect(readdirSync(dir)).toEqual(['keys.json.lock']);
  });

  it('throws a FileError where there is no such folder', async () => {
    await expect(createKey(join(temporaryFolder(), 'none'), ada)).rejects.toMatchObject({ tag: 'file' });
  });

  it('overwrites what a crash left', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'keys.json.tmp'), 'half a fi');
    await createKey(dir, ada);
    expect(readdirSync(dir)).toEqual(['keys.json']);
  });
});

describe('revoke', () => {
  it.each(['key', 'id'] as const)('revokes a key of an open store within a second, given its %s', async (by) => {
    const dir = temporaryFolder();
    const [{ key, record }, other] = [await createKey(dir, ada), await createKey(dir, ada)];
    const store = await openKeys(dir);
    expect(await store.find(key)).toEqual(record);
    expect(await fileKeys(dir).revoke([by === 'key' ? key : record.id])).toEqual([
      { ...record, demo: false, created: expect.any(Date), revoked: expect.any(Date) },
    ]);
    aSecondLater();
    expect(await store.find(key)).toEqual({ ...record, revoked: expect.any(Date) });
    expect(await store.find(other.key)).toEqual(other.record);
  });

  it('throws OptionError for an unknown key without repeating it', async () => {
    const dir = temporaryFolder();
    await createKey(dir, ada);
    const error = await fileKeys(dir)
      .revoke(['pc_secret'])
      .catch((reason) => reason);
    expect(error).toMatchObject({ tag: 'option', problem: 'unknown' });
    expect(JSON.stringify(error) + error.message).not.toContain('secret');
    expect(await fileKeys(dir).list()).toHaveLength(1);
  });
});

describe('list', () => {
  it('lists ids, owners and permissions, and no hashes', async () => {
    const dir = temporaryFolder();
    expect(await fileKeys(dir).list()).toEqual([]);
    const { record } = await createKey(dir, ada);
    const demo = await createKey(dir, { owner: 'demo', downscaling: false, key: 'demo', demo: true });
    expect(await fileKeys(dir).list()).toEqual([
      { ...record, demo: false, created: expect.any(Date) },
      { ...demo.record, demo: true, created: expect.any(Date) },
    ]);
  });
});

describe('openKeys', () => {
  it('finds demo keys unless they are rejected', async () => {
    const dir = temporaryFolder();
    await createKey(dir, { ...ada, key: 'demo', demo: true });
    const { key } = await createKey(dir, ada);
    expect(await (await openKeys(dir)).find('demo')).toMatchObject(ada);
    const strict = await openKeys(dir, { rejectDemoKeys: true });
    expect(await strict.find('demo')).toBeUndefined();
    expect(await strict.find(key)).toMatchObject(ada);
  });

  it('finds keys at once while it is not yet time to look at the file, and otherwise after looking', async () => {
    const dir = temporaryFolder();
    const { key, record } = await createKey(dir, ada);
    const store = await openKeys(dir);
    expect(store.find(key)).toEqual(record);
    aSecondLater();
    const answers = [store.find(key), store.find('other')];
    for (const answer of answers) expect(answer).toBeInstanceOf(Promise);
    expect(await Promise.all(answers)).toEqual([record, undefined]);
    expect(store.find(key)).toEqual(record);
  });

  const broken: [string, (path: string) => void][] = [
    ['no JSON', (path) => writeFileSync(path, '{"keys": [')],
    ['no list', (path) => writeFileSync(path, '{"keys": 1}')],
    ['a list of null', (path) => writeFileSync(path, '{"keys": [null]}')],
    ['null', (path) => writeFileSync(path, 'null')],
    [
      'a key without a hash',
      (path) => writeFileSync(path, '{"keys": [{"id": "a", "owner": "b", "downscaling": true}]}'),
    ],
    [
      'a folder',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    ['gone', (path) => rmSync(path)],
  ];

  it.each(broken)('keeps its keys where the file becomes %s, reports once, and recovers', async (_, breakFile) => {
    const dir = temporaryFolder();
    const path = join(dir, 'keys.json');
    const { key, record } = await createKey(dir, ada);
    const whole = readFileSync(path);
    const onFault = vi.fn();
    const store = await openKeys(dir, { onFault });
    for (let times = 1; times <= 2; times++) {
      breakFile(path);
      for (let look = 0; look < 3; look++) {
        aSecondLater();
        expect(await store.find(key)).toEqual(record);
      }
      expect(onFault).toHaveBeenCalledTimes(times);
      expect(onFault.mock.lastCall![0].tag).toMatch(/^(file|format)$/);
      expect(onFault.mock.lastCall![0].message).toContain(path);
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, whole);
      const added = await createKey(dir, ada);
      aSecondLater();
      expect(await store.find(added.key)).toEqual(added.record);
    }
  });

  it('reports a fault that becomes another one again', async () => {
    const dir = temporaryFolder();
    const path = join(dir, 'keys.json');
    const { key, record } = await createKey(dir, ada);
    const onFault = vi.fn();
    const store = await openKeys(dir, { onFault });
    for (const text of ['{', '{', '{"keys": [null]}', '{"keys": [null]}']) {
      writeFileSync(path, text);
      aSecondLater();
      expect(await store.find(key)).toEqual(record);
    }
    expect(onFault.mock.calls.map(([{ problem }]) => problem)).toEqual([
      'holds no list of keys',
      expect.stringContaining('is broken at keys[0]'),
    ]);
  });

  it('finds no key of a folder without a file, until there is one', async () => {
    const dir = temporaryFolder();
    const store = await openKeys(dir);
    aSecondLater();
    expect(await store.find('any')).toBeUndefined();
    const { key, record } = await createKey(dir, ada);
    aSecondLater();
    expect(await store.find(key)).toEqual(record);
  });

  it('continues where onFault throws or rejects', async () => {
    const dir = temporaryFolder();
    const { key, record } = await createKey(dir, ada);
    const onFaults = [
      vi.fn(() => Promise.reject(new Error('rejected'))),
      vi.fn(() => {
        throw new Error('thrown');
      }),
    ];
    const stores = await Promise.all(onFaults.map((onFault) => openKeys(dir, { onFault })));
    const path = join(dir, 'keys.json');
    const whole = readFileSync(path);
    writeFileSync(path, '{');
    aSecondLater();
    for (const store of stores) expect(await store.find(key)).toEqual(record);
    for (const onFault of onFaults) expect(onFault).toHaveBeenCalledTimes(1);
    writeFileSync(path, whole);
    const added = await createKey(dir, ada);
    aSecondLater();
    for (const store of stores) expect(await store.find(added.key)).toEqual(added.record);
  });

  it.each(broken.slice(0, 6))('throws where the file is %s from the beginning', async (_, breakFile) => {
    const dir = temporaryFolder();
    await createKey(dir, ada);
    breakFile(join(dir, 'keys.json'));
    await expect(openKeys(dir)).rejects.toMatchObject({ tag: expect.stringMatching(/^(file|format)$/) });
    await expect(createKey(dir, ada)).rejects.toMatchObject({ tag: expect.stringMatching(/^(file|format)$/) });
  });
});
