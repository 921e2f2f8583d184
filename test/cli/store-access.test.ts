import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { plumecast } from './run-command.js';
import { folderWithStore, snapshotOf } from './small-store.js';

const { folder, store, remove } = await folderWithStore();
afterAll(remove);

const run = (...args: string[]) => plumecast(args, { cwd: folder });

describe('plumecast preload', () => {
  const isPreloaded = (latitude: number, longitude: number) =>
    snapshotOf(store, ({ history }) => history!.isPreloaded(latitude, longitude));

  it('opens the legacy history of the 0.25 degree points nearest to those given', async () => {
    expect(await isPreloaded(37.25, -79.75)).toBe(false);
    const { code, out } = run('preload', '--store', 'store', '--points', '37.3,-79.84', '37.2,-79.7');
    expect([code, out]).toEqual([0, "Pre-loaded 1 of the 0.25 degree grid's points.\n"]);
    expect(await isPreloaded(37.25, -79.75)).toBe(true);
    expect(await isPreloaded(37, -80)).toBe(false);
  });

  it('accepts stored locations, and the entire grid', async () => {
    run('location', 'add', '--store', 'store', '--id', 'west', '--latitude', '37.05', '--longitude', '-80.1');
    expect(run('preload', '--store', 'store', '--location', 'west').code).toBe(0);
    expect(await isPreloaded(37, -80)).toBe(true);
    expect(run('preload', '--store', 'store', '--location', 'east')).toMatchObject({
      code: 1,
      err: 'error: --location: is not stored; received "east"; allowed: west\n',
    });
    expect(await isPreloaded(37, -79.75)).toBe(false);
    expect(run('preload', '--store', 'store', '--grid').out).toBe("Pre-loaded 4 of the 0.25 degree grid's points.\n");
    expect(await isPreloaded(37, -79.75)).toBe(true);
  });

  it('rejects points that the history does not cover, and then changes nothing', () => {
    const before = readFileSync(join(store, 'store.json'), 'utf8');
    expect(run('preload', '--store', 'store', '--points', '37.3,-79.84', '--points', '-33.9,151.2')).toMatchObject({
      code: 1,
      err: 'error: history: does not cover the location; received "-34, 151.25"; allowed: points within one grid step of its places\n',
    });
    expect(readFileSync(join(store, 'store.json'), 'utf8')).toBe(before);
  });

  it('exits with an error without points, and without a history', () => {
    expect(run('preload', '--store', 'store')).toMatchObject({ code: 2 });
    expect(run('preload', '--store', 'store', '--points', 'here')).toMatchObject({ code: 2 });
    run('ingest', '--store', 'no-history', '--short-term', 'short-temp_mean.arrow');
    const { code, err } = run('preload', '--store', 'no-history', '--grid');
    expect([code, err]).toEqual([1, expect.stringContaining('no-history: has no history')]);
  });
});

describe('plumecast location', () => {
  it('adds, lists and removes locations', () => {
    const add = ['location', 'add', '--store', 'store', '--latitude', '-33.9', '--longitude', '151.2'];
    expect(run(...add, '--id', 'plot_7', '--owner', 'Example Farms')).toMatchObject({
      code: 0,
      out: 'Stored location plot_7.\n',
    });
    expect(run(...add, '--id', 'open-1').code).toBe(0);
    expect(run('location', 'list', '--store', 'store').out).toBe(
      [
        'id      latitude  longitude  owner',
        'west       37.05      -80.1  (everybody)',
        'plot_7    -33.9       151.2  Example Farms',
        'open-1    -33.9       151.2  (everybody)',
        '',
      ].join('\n'),
    );
    expect(run('location', 'remove', '--store', 'store', 'plot_7')).toMatchObject({
      code: 0,
      out: 'Removed location plot_7.\n',
    });
    expect(run('location', 'list', '--store', 'store').out).not.toContain('plot_7');
    expect(run('location', 'remove', '--store', 'store', 'plot_7')).toMatchObject({ code: 1 });
  });

  it('rejects ids and coordinates that cannot be used', () => {
    const at = ['--latitude', '1', '--longitude', '2'];
    expect(run('location', 'add', '--store', 'store', '--id', 'a b', ...at)).toMatchObject({ code: 1 });
    expect(
      run('location', 'add', '--store', 'store', '--id', 'a', '--latitude', '91', '--longitude', '2'),
    ).toMatchObject({ code: 1 });
    expect(
      run('location', 'add', '--store', 'store', '--id', 'a', '--latitude', 'x', '--longitude', '2'),
    ).toMatchObject({ code: 2 });
    expect(run('location', 'add', '--store', 'store', ...at)).toMatchObject({ code: 2 });
  });
});

describe('plumecast key', () => {
  it('shows a key once, alone on standard output, and never again', () => {
    const { code, out, err } = run('key', 'create', '--store', 'store', '--owner', 'Example Farms', '--downscaling');
    expect(code).toBe(0);
    expect(out).toMatch(/^\S{20,}\n$/);
    const key = out.trim();
    const [, id] = /^Key (\S+) of Example Farms, with 1 km data\./.exec(err)!;
    expect(err).not.toContain(key);
    const listed = run('key', 'list', '--store', 'store').out;
    expect(listed).toMatch(
      new RegExp(`^id +owner +1 km +demo +state +created\\n${id}  Example Farms  yes   no +valid +\\S+\\n$`),
    );
    expect(readFileSync(join(store, 'keys.json'), 'utf8')).not.toContain(key);
    expect(run('key', 'revoke', '--store', 'store', id)).toMatchObject({ code: 0, out: `Revoked key ${id}.\n` });
    expect(run('key', 'list', '--store', 'store').out).toMatch(
      new RegExp(`\\n${id}  Example Farms  yes   no +revoked `),
    );
    expect(run('key', 'revoke', '--store', 'store', id).code).toBe(0);
  });

  it('does not print an unknown id, which may be a key', () => {
    const { code, err } = run('key', 'revoke', '--store', 'store', 'pc_secret');
    expect(code).toBe(1);
    expect(err).not.toContain('pc_secret');
  });
});
