import fs, { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { beginUpdate, describeStore, openStore, tryUpdate } from '../../../../src/service/source/folder/index.node.js';
import {
  AXIS,
  commitForecast,
  fileOf,
  filesIn,
  firstValue,
  gridOf,
  HEADER,
  HISTORY_AXIS,
  newFolder,
  opened,
  valuesOf,
  write,
} from './stores.js';

const SERIES = { slug: 'temp_mean', units: 'degC', axis: HISTORY_AXIS, places: gridOf(4) };

describe('an update of a store in a folder', () => {
  it('makes the folder, and a store in it even where nothing is written', async () => {
    const dir = join(newFolder(), 'deep', 'store');
    await (await beginUpdate(dir)).commit();
    const { forecast, history } = await (await opened(dir)).snapshot();
    expect([forecast, history]).toEqual([undefined, undefined]);
    expect(
      filesIn(dir)
        .map((file) => file.replace(/\d{8}T.*\.json/, '*.json'))
        .sort(),
    ).toEqual([join(dir, 'generations', '*.json'), join(dir, 'store.json')].sort());
  });

  it('that is abandoned or fails leaves nothing of a new store, except files of others', async () => {
    const folder = newFolder();
    const dir = join(folder, 'deep', 'store');
    const update = await beginUpdate(dir);
    await write(update, { part: 'reanalysis', axis: HISTORY_AXIS });
    await expect(openStore(dir)).rejects.toThrow('holds no store');
    await update.abandon();
    expect(readdirSync(folder)).toEqual([]);
    const other = await beginUpdate(dir);
    writeFileSync(join(dir, '..', 'notes.txt'), 'mine');
    await other.abandon();
    expect(readdirSync(folder, { recursive: true })).toEqual(['deep', join('deep', 'notes.txt')]);
  });

  it('may be under way with others: each is published on what the others have published', async () => {
    const dir = newFolder();
    const [forecast, history] = [await beginUpdate(dir), await beginUpdate(dir)];
    forecast.setForecast(HEADER);
    await write(forecast, { from: 1 });
    await write(history, { part: 'reanalysis', axis: HISTORY_AXIS, from: 10 });
    await history.commit();
    await forecast.commit();
    const { parts } = await describeStore(dir);
    expect([...parts.keys()].sort()).toEqual(['reanalysis', 'timeline']);
  });

  it('is an error where another one has changed the same, which is published', async () => {
    const dir = newFolder();
    const updates = [await beginUpdate(dir), await beginUpdate(dir)];
    for (const [from, update] of updates.entries()) {
      update.setForecast({ ...HEADER, generation: `g${from}` });
      await write(update, { from });
    }
    await updates[1].commit();
    await expect(updates[0].commit()).rejects.toThrow(
      `${dir}: was changed by another update, in what this one changes`,
    );
    expect(updates.map(({ isOutdated }) => isOutdated)).toEqual([true, false]);
    await updates[0].abandon();
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(1);
  });

  it('waits for a process that replaces the root, unless that is no more', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 1 });
    writeFileSync(join(dir, 'update.lock'), `999999999 ${hostname()}`);
    await commitForecast(dir, { from: 2 });
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(2);
    expect(existsSync(join(dir, 'update.lock'))).toBe(false);
  });

  it('does not remove what another one is writing', async () => {
    const dir = newFolder();
    const slow = await beginUpdate(dir);
    await write(slow, { part: 'reanalysis', axis: HISTORY_AXIS, from: 10 });
    for (const from of [1, 2, 3, 4]) await commitForecast(dir, { from });
    await slow.commit();
    const { history } = await (await opened(dir)).snapshot();
    const into = new Float32Array(5);
    await history?.data.read('temp_mean', 0, into);
    expect(into[0]).toBe(10);
  });

  it('that uses a name which the store has gets one of its own', async () => {
    const dir = newFolder();
    for (const from of [1, 2]) await commitForecast(dir, { from, generation: 'mine' });
    expect((await describeStore(dir)).generation).toBe('mine.2');
    expect((await (await opened(dir)).snapshot()).forecast?.generation).toBe('mine.2');
  });

  it('that is abandoned leaves the store and its folder as they were', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 1 });
    const before = filesIn(dir);
    const update = await beginUpdate(dir);
    update.setForecast(HEADER);
    await write(update, { from: 100 });
    await update.abandon();
    await update.abandon();
    expect(filesIn(dir)).toEqual(before);
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(1);
    expect(() => update.setAttribution('late')).toThrow('update: is over; allowed: to begin another one');
    await expect(update.commit()).rejects.toThrow('is over');
  });

  it('that was cut off leaves nothing after the next one', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 1 });
    const before = filesIn(dir);
    mkdirSync(join(dir, 'updates', '20240501T000000-0a1b2c3d', 'timeline'), { recursive: true });
    writeFileSync(join(dir, 'updates', '20240501T000000-0a1b2c3d', 'timeline', 'temp_mean.arrow'), 'ARROW1');
    writeFileSync(join(dir, 'updates', '20240501T000000-0a1b2c3d', 'a.blocks.0a1b2c3d.part'), 'PLUME');
    writeFileSync(join(dir, 'updates', '20240501T000000-0a1b2c3d', 'update.lock'), `999999999 ${hostname()}`);
    writeFileSync(join(dir, 'generations', '20240501T000000-0a1b2c3d-01234567.json'), '{');
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(1);
    await (await beginUpdate(dir)).abandon();
    expect(filesIn(dir)).toEqual(before);
    expect(existsSync(join(dir, 'updates', '20240501T000000-0a1b2c3d'))).toBe(false);
  });

  it('keeps the files of the last three generations, and none of older ones', async () => {
    const dir = newFolder();
    const files: string[] = [];
    for (const from of [1, 2, 3, 4]) {
      await commitForecast(dir, { from });
      files.push(await fileOf(dir));
    }
    expect(files.map((file) => existsSync(file))).toEqual([false, true, true, true]);
    expect(readdirSync(join(dir, 'updates'))).toHaveLength(3);
    expect(readdirSync(join(dir, 'generations'))).toHaveLength(3);
  });

  it('leaves files of others in the folder alone', async () => {
    const dir = newFolder();
    const others = [join(dir, 'keys.json'), join(dir, 'updates', 'notes.txt'), join(dir, 'updates', 'mine', 'a.arrow')];
    mkdirSync(join(dir, 'updates', 'mine'), { recursive: true });
    for (const file of others) writeFileSync(file, 'mine');
    for (const from of [1, 2, 3]) await commitForecast(dir, { from });
    expect(others.map((file) => readFileSync(file, 'utf8'))).toEqual(['mine', 'mine', 'mine']);
  });

  it('replaces a forecast completely, and single variables of a history', async () => {
    const dir = newFolder();
    const first = await beginUpdate(dir);
    first.setForecast(HEADER);
    await write(first);
    await write(first, { slug: 'precipitation' });
    await write(first, { part: 'reanalysis', axis: HISTORY_AXIS, from: 10 });
    await write(first, { part: 'reanalysis', axis: HISTORY_AXIS, slug: 'precipitation', from: 20 });
    await first.commit();
    const second = await beginUpdate(dir);
    second.setForecast({ ...HEADER, generation: 'second' });
    await write(second);
    await write(second, { part: 'reanalysis', axis: { ...HISTORY_AXIS, days: 6 }, from: 30 });
    await second.commit();
    await commitForecast(dir);
    await commitForecast(dir);
    const { forecast, history } = await (await opened(dir)).snapshot();
    expect([...(forecast?.timeline.variables.keys() ?? [])]).toEqual(['temp_mean']);
    const into = new Float32Array(6);
    await history?.data.read('temp_mean', 0, into);
    expect(into[5]).toBe(35);
    await history?.data.read('precipitation', 0, into.subarray(0, 5));
    expect(into[4]).toBe(24);
  });

  it('rejects variables of a part that differ in places', async () => {
    const dir = newFolder();
    const first = await beginUpdate(dir);
    await write(first, { part: 'reanalysis', axis: HISTORY_AXIS });
    await write(first, { part: 'reanalysis', axis: HISTORY_AXIS, slug: 'precipitation' });
    await first.commit();
    const second = await beginUpdate(dir);
    await write(second, { part: 'reanalysis', axis: HISTORY_AXIS, cells: 3 });
    const other = write(second, { part: 'reanalysis', axis: HISTORY_AXIS, slug: 'dew_point' });
    await expect(other).rejects.toThrow('reanalysis dew_point: has other places than those written before');
    await expect(second.commit()).rejects.toThrow('or to write precipitation with the new ones, too');
    await write(second, { part: 'reanalysis', axis: HISTORY_AXIS, slug: 'precipitation', cells: 3 });
    await second.commit();
    expect((await describeStore(dir)).parts.get('reanalysis')?.places).toBe(3);
  });

  it('rejects parts of a forecast before setForecast, horizons without init time, and a forecast without timeline', async () => {
    const update = await beginUpdate(newFolder());
    await expect(write(update)).rejects.toThrow(
      'timeline temp_mean: belongs to no forecast; allowed: setForecast first',
    );
    update.setForecast(HEADER);
    await expect(write(update, { part: 'seasonal' })).rejects.toThrow('is of a horizon without an init time');
    await expect(update.commit()).rejects.toThrow('forecast: has no timeline');
    await write(update);
    await expect(write(update)).rejects.toThrow('is written already');
  });

  it.each([
    [{ slug: '../temp' }, 'variable: has an unusable slug'],
    [{ axis: { ...AXIS, days: 0 } }, 'temp_mean axis.days: is not a count; received 0'],
    [{ axis: { ...AXIS, members: 1.5 } }, 'temp_mean axis.members: is not a count; received 1.5'],
    [{ axis: AXIS }, 'reanalysis temp_mean: is a history of several members; received 3; allowed: one member'],
    [{ places: { latitude: Float64Array.of(91), longitude: Float64Array.of(0) } }, 'out of range; received 91'],
    [{ places: gridOf(0) }, 'places: are not pairs of coordinates'],
    [{ units: undefined }, 'temp_mean units: are not a text'],
  ])('rejects a variable with %o', async (change, problem) => {
    const update = await beginUpdate(newFolder());
    const series = { ...SERIES, ...change, blocks: [] } as never;
    await expect(update.write('reanalysis', series)).rejects.toThrow(problem);
  });

  it('rejects a header with an invalid time', async () => {
    const update = await beginUpdate(newFolder());
    expect(() => update.setForecast({ ...HEADER, initTime: '2024-13-01T00:00:00Z' })).toThrow(
      'initTime: is not a time',
    );
    expect(() => update.setForecast({ ...HEADER, generation: '' })).toThrow('generation: is not a text, or empty');
  });

  it.each([
    ['too few', [15]],
    ['too many', [15, 10]],
    ['broken off within a place', [13, 7]],
  ])('rejects values that are %s, and leaves nothing of them', async (_, lengths) => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    const blocks = lengths.map((length) => new Float32Array(length));
    const problem = 'temp_mean: blocks do not hold the values of all places, each complete and once';
    await expect(update.write('reanalysis', { ...SERIES, blocks })).rejects.toThrow(problem);
    expect(filesIn(join(dir, 'updates')).filter((file) => /\.blocks/.test(file))).toEqual([]);
    await update.abandon();
    expect(filesIn(dir)).toEqual([]);
  });

  it('passes on what the maker of the blocks throws, and can go on', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    const blocks = (async function* () {
      yield valuesOf({ cells: 1, axis: HISTORY_AXIS });
      throw new RangeError('no more');
    })();
    await expect(update.write('reanalysis', { ...SERIES, blocks })).rejects.toThrow(new RangeError('no more'));
    await write(update, { part: 'reanalysis', axis: HISTORY_AXIS });
    await update.commit();
    expect((await describeStore(dir)).parts.get('reanalysis')?.variables.get('temp_mean')?.axis).toEqual(HISTORY_AXIS);
  });

  it('leaves the store as it was where the disk is full', async () => {
    const dir = newFolder();
    await commitForecast(dir, { from: 1 });
    const before = filesIn(dir);
    const update = await beginUpdate(dir);
    update.setForecast(HEADER);
    const handle = await open(join(dir, 'store.json'));
    const full = vi.spyOn(Object.getPrototypeOf(handle), 'appendFile');
    await handle.close();
    onTestFinished(() => full.mockRestore());
    full.mockRejectedValueOnce(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
    const failed = write(update);
    await expect(failed).rejects.toMatchObject({ tag: 'file' });
    await expect(failed).rejects.toThrow(/places-.*\.arrow: cannot be written: the disk is full/);
    await update.abandon();
    expect(filesIn(dir)).toEqual(before);
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(1);
  });

  it('that cannot begin, as the disk is full, leaves no lock', async () => {
    const dir = newFolder();
    await commitForecast(dir);
    const before = filesIn(dir);
    const { writeSync } = fs;
    // A lock that is held is written anew at times, from its beginning.
    const full = vi.spyOn(fs, 'writeSync').mockImplementation((file: number, text: unknown, position?: unknown) => {
      if (position === 0) return writeSync(file, text as string, position);
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    });
    onTestFinished(() => {
      full.mockRestore();
      syncBuiltinESMExports();
    });
    syncBuiltinESMExports();
    await expect(beginUpdate(dir)).rejects.toThrow('update.lock: cannot be written: the disk is full');
    expect(filesIn(dir)).toEqual(before);
    full.mockRestore();
    syncBuiltinESMExports();
    await (await beginUpdate(dir)).abandon();
  });

  it('waits with abandoning for a commit that is under way', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    update.setForecast(HEADER);
    await write(update, { from: 5 });
    const committed = update.commit();
    await update.abandon();
    await committed;
    expect(await firstValue(await (await opened(dir)).snapshot())).toBe(5);
  });

  it('rejects a file in place of the folder, and a store of a newer version', async () => {
    const dir = newFolder();
    const file = join(dir, 'file');
    writeFileSync(file, '');
    await expect(beginUpdate(file)).rejects.toMatchObject({ tag: 'file', subject: file });
    writeFileSync(join(dir, 'store.json'), '{"kind": "plumecast store", "version": 9}');
    await expect(beginUpdate(dir)).rejects.toThrow('is a store of a newer version');
    expect(existsSync(join(dir, 'update.lock'))).toBe(false);
  });
});

it('an update that is tried is not published, and leaves nothing', async () => {
  const dir = newFolder();
  await commitForecast(dir);
  const before = filesIn(dir);
  const update = await tryUpdate(dir);
  update.setForecast(HEADER);
  await write(update, { from: 100 });
  expect(update.changes).toMatchObject([{ of: 'timeline', change: 'replaced', bytes: expect.any(Number) }]);
  const folder = update.folder as string;
  expect([folder.startsWith(dir), existsSync(folder), filesIn(dir)]).toEqual([false, true, before]);
  await expect(update.commit()).rejects.toThrow('is only tried');
  await update.abandon();
  expect([existsSync(folder), filesIn(dir)]).toEqual([false, before]);
});
