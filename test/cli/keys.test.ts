import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashKey } from '../../src/service/source/index.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { plumecastHere } from './run-here.js';

const key = (command: string, store: string, ...args: string[]) =>
  plumecastHere('key', command, '--store', store, ...args);

const STRONG = ['0f8e5c0d9b7a4e21a63cd0417be29f58', '1a6f7c0d9b7a4e21a63cd0417be29f59'];

describe('plumecast key create', () => {
  it('makes several keys at once, as CSV', async () => {
    const store = temporaryFolder();
    const { out, err, code } = await key('create', store, '--owner', 'Farms, "big"', '--count', '3');
    const lines = out.trimEnd().split('\n');
    expect([code, lines[0]]).toEqual([0, 'id,owner,key']);
    expect(lines.slice(1)).toHaveLength(3);
    for (const line of lines.slice(1)) expect(line).toMatch(/^[\da-f]{12},"Farms, ""big""",pc_[\w-]{32}$/);
    expect(err).toContain('3 keys of Farms, "big", without 1 km data.');
  });

  it('takes a note, times and a rate, which the list shows', async () => {
    const store = temporaryFolder();
    const terms = ['--note', 'trial', '--starts', '2026-01-01', '--expires', '2999-01-01T06:00Z', '--rate', '60/min'];
    await key('create', store, '--owner', 'a', ...terms);
    const past = await key('create', store, '--owner', 'b', '--expires', '2020-01-01');
    expect(past.err).toContain('warning: it is not valid: it expired on 2020-01-01T00:00:00Z\n');
    const { out } = await key('list', store);
    const [head, first, second] = out.trimEnd().split('\n');
    expect(head).toMatch(/^id +owner +1 km +demo +state +rate +created +starts +expires +note$/);
    expect(first).toMatch(/ a +no +no +valid +60\/min +\S+Z +2026-01-01T00:00:00Z +2999-01-01T06:00:00Z +trial$/);
    expect(second).toMatch(/ b +no +no +expired /);
    const csv = (await key('list', store, '--csv')).out.split('\n');
    expect(csv[0]).toBe(
      'id,owner,1 km,demo,state,rate,quota,created,starts,expires,revoked,last used,replaced by,note',
    );
  });

  it.each([
    [['--expires', '31/12/2026'], 'Expected a date or a time in UTC'],
    [['--expires', '2026-02-31'], 'Expected a date or a time in UTC'],
    [['--count', '0'], 'Expected a whole number from 1 to 1000000'],
    [['--rate', 'fast'], 'Expected a number of requests and a time'],
    [['--starts', '2027-01-01', '--expires', '2026-12-01'], 'expires before it starts'],
  ])('rejects %o', async (args, message) => {
    const { err, code } = await key('create', temporaryFolder(), '--owner', 'a', ...args);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
  });
});

describe('plumecast key import', () => {
  const file = (text: string) => {
    const path = join(temporaryFolder(), 'keys.csv');
    writeFileSync(path, text);
    return path;
  };

  it('takes keys and hashes with all that is known of them', async () => {
    const store = temporaryFolder();
    const path = file(
      `\ufeffkey,key_hash,owner,ID,downscaling,note,expires,rate\r\n${STRONG[0]},,"Farms, big",farm-1,yes,n,2999-01-01,5/s\r\n,${hashKey(STRONG[1]).toUpperCase()},,,,,,\r\n`,
    );
    const { out, err, code } = await key('import', store, path, '--owner', 'others');
    expect([code, out]).toEqual([0, 'Imported 2 keys.\n']);
    expect(err).toContain('1 of them by their hashes');
    const { keys } = JSON.parse(readFileSync(join(store, 'keys.json'), 'utf8'));
    expect(keys[0]).toMatchObject({
      id: 'farm-1',
      owner: 'Farms, big',
      downscaling: true,
      note: 'n',
      keyHash: hashKey(STRONG[0]),
    });
    expect(keys[0]).toMatchObject({ expires: '2999-01-01T00:00:00.000Z', rate: { requests: 5, windowSeconds: 1 } });
    expect(keys[1]).toMatchObject({ owner: 'others', downscaling: false, keyHash: hashKey(STRONG[1]) });
  });

  it('takes the keys of another store, also those that were revoked', async () => {
    const [from, to] = [temporaryFolder(), temporaryFolder()];
    await key('create', from, '--owner', 'a', '--count', '3');
    const id = (await key('list', from)).out.split('\n')[1].split(' ')[0];
    await key('revoke', from, id);
    await key('import', to, join(from, 'keys.json'));
    expect((await key('list', to)).out).toBe((await key('list', from)).out);
  });

  it.each([
    [`key,owner\n${STRONG[0]},a\nhunter2,b\n`, 'key 2: key has 19 bits at most, and can be guessed'],
    [`key,owner\n0f8e5c0d-9b7a-4e21-a63c-d0417be29f58,a\n`, 'key 1: key has 122 bits at most'],
    [`key,owner\n${STRONG[0]},a\n${STRONG[0]},b\n`, 'is the same key as another one'],
    [`key,ownr\n${STRONG[0]},a\n`, 'unknown column, the nearest is owner; received "ownr"'],
    ['owner\na\n', 'has no column of keys'],
    ['key,owner\n', 'has no keys'],
    [`key\n${STRONG[0]}\n`, 'key 1: owner missing'],
    [`key,key_hash,owner\n${STRONG[0]},${hashKey('x')},a\n`, 'is neither a key nor a hash, or both'],
    ['key_hash,owner\nabc,a\n', 'has no hash'],
    [
      `key,owner,expires\n${STRONG[0]},a,tomorrow\n`,
      'key 1: expires cannot be used; received "tomorrow"; allowed: a date',
    ],
    ['{"keys": [{}]}', 'is broken at keys[0]'],
  ])('takes none of %j', async (text, message) => {
    const store = temporaryFolder();
    const { err, code, out } = await key('import', store, file(text));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(message);
    for (const secret of [STRONG[0], 'hunter2', '0f8e5c0d-9b7a']) expect(err).not.toContain(secret);
    expect((await key('list', store)).out.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('plumecast key rotate and revoke', () => {
  it('replaces a key, and revokes several', async () => {
    const store = temporaryFolder();
    await key('create', store, '--owner', 'a', '--count', '2');
    const ids = (await key('list', store)).out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0]);
    const rotated = await key('rotate', store, ids[0], '--overlap', '0');
    expect(rotated.out).toMatch(/^pc_[\w-]{32}\n$/);
    expect(rotated.err).toContain('1 of 1 rotated. The old ones are not valid any more.');
    const list = (await key('list', store)).out.split('\n');
    expect(list[1]).toMatch(new RegExp(`^${ids[0]} .*expired`));
    expect((await key('rotate', store, ids[1], '--overlap', '1w')).err).toContain('Expected a time such as 7d');
    expect((await key('revoke', store, ...ids)).out).toBe(`Revoked key ${ids[0]}.\nRevoked key ${ids[1]}.\n`);
  });
});
