import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { CLI, plumecast } from './run-command.js';
import { folderWithStore, INGEST_ALL, snapshotOf } from './small-store.js';

const { folder, store, remove } = await folderWithStore();
afterAll(remove);

const run = (...args: string[]) => plumecast(args, { cwd: folder });
const manifest = (dir = store) => readFileSync(join(dir, 'store.json'), 'utf8');

describe('plumecast ingest', () => {
  it('puts forecasts, histories and elevation into a store, and summarises it', async () => {
    const { code, out, err } = run(
      'ingest',
      '--store',
      'new',
      ...INGEST_ALL,
      '--generation',
      'g1',
      '--attribution',
      'me',
    );
    const beyond = 'subseasonal: 4 days after 2026-04-12 (lead 42 on) are beyond the subseasonal span and not used';
    expect([code, err]).toEqual([0, `note: ${beyond}\n`]);
    expect(out).toMatchSnapshot();
    await snapshotOf(join(folder, 'new'), ({ forecast, history, attribution, elevation }) => {
      expect(forecast).toMatchObject({ initTime: '2026-03-02T00:00:00Z', version: 'demo-1', generation: 'g1' });
      expect(forecast!.timeline.variables.get('temp_mean')).toMatchObject({ days: 60, members: 3 });
      expect(history!.data.variables.get('precipitation')!.days).toBe(800);
      expect([attribution, elevation!(37, -80)]).toEqual(['me', 300]);
    });
  });

  it('reads the names of a run from options', async () => {
    const names = ['--init-time', '2026-03-02T06:00Z', '--model-version', '7', '--next-run', '2026-03-03T06:00Z'];
    const files = ['--short-term', 'short-temp_mean.arrow'];
    expect(run('ingest', '--store', 'named', ...files, ...names, '--generation', 'x').code).toBe(0);
    await snapshotOf(join(folder, 'named'), ({ forecast }) => {
      expect(forecast).toMatchObject({
        initTime: '2026-03-02T06:00:00Z',
        version: '7',
        nextInitTime: '2026-03-03T06:00:00Z',
        generation: 'x',
      });
    });
    expect(run('ingest', '--store', 'named', ...files, '--next-run', 'soon')).toMatchObject({
      code: 1,
      err: 'error: --next-run: is not a time; received "soon"; allowed: ISO 8601, such as 2026-03-02T00:00:00Z\n',
    });
  });

  it('reads columns by their roles', async () => {
    const rows = [0, 1].flatMap((day) => [0, 1, 2].map((m) => `37,-80,2026-03-0${day + 2},${m},${10 * day + m}`));
    writeFileSync(join(folder, 'odd.csv'), `y,x,day,run,celsius\n${rows.join('\n')}\n`);
    const files = ['--short-term', 'odd.csv', '--variable', 'temp_mean'];
    expect(run('ingest', '--store', 'roles', ...files).code).toBe(1);
    const roles = 'latitude=y,longitude=x,member=run,value=celsius';
    expect(run('ingest', '--store', 'roles', ...files, '--columns', roles)).toMatchObject({ code: 0, err: '' });
    await snapshotOf(join(folder, 'roles'), async ({ forecast }) => {
      const values = new Float32Array(6);
      await forecast!.timeline.read('temp_mean', 0, values);
      expect([...values].sort((a, b) => a - b)).toEqual([0, 1, 2, 10, 11, 12]);
    });
  });

  it('creates no store if it fails', () => {
    expect(run('ingest', '--store', 'typo', '--short-term', 'none.csv').code).toBe(1);
    expect(existsSync(join(folder, 'typo'))).toBe(false);
    const { code, err } = run('ingest', '--store', 'typo', '--short-term', 'odd.csv', '--variable', 'temp_men');
    expect([code, err]).toEqual([1, expect.stringContaining('--variable: is not known, the nearest is temp_mean')]);
    expect(existsSync(join(folder, 'typo'))).toBe(false);
  });

  it('leaves the store unchanged if one of the files cannot be used', () => {
    const before = [manifest(), readdirSync(store, { recursive: true }).sort()];
    const outcome = run('ingest', '--store', 'store', '--history', 'old-temp_mean.arrow', '--elevation', 'none.csv');
    expect(outcome).toMatchObject({ code: 1, out: '' });
    expect(outcome.err).toContain('none.csv: cannot be read: there is no such file');
    expect([manifest(), readdirSync(store, { recursive: true }).sort()]).toEqual(before);
  });

  it('leaves the store unchanged if it is interrupted', async () => {
    const before = manifest();
    const files = ['--history', 'old-temp_mean.arrow', '--short-term', 'short-temp_mean.arrow', '--replace'];
    const child = spawn(process.execPath, [CLI, 'ingest', '--store', 'store', ...files], { cwd: folder });
    const ended = new Promise((done) => child.once('close', (code, signal) => done({ code, signal })));
    const lock = join(store, 'update.lock');
    // A lock that is still empty would hold for some seconds.
    const isLocked = () => existsSync(lock) && readFileSync(lock, 'utf8') !== '';
    while (!isLocked() && child.exitCode === null) await wait(1);
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
    expect(manifest()).toBe(before);
    expect(run('ingest', '--store', 'store', ...files)).toMatchObject({ code: 0, err: '' });
  });

  it('uses --variable for files that do not name their variable', () => {
    const csv = 'latitude,longitude,date,member,value\n37,-80,2026-03-02,0,1\n37,-80,2026-03-02,1,2\n';
    const input = join(folder, 'plain.csv');
    writeFileSync(input, csv);
    const without = run('ingest', '--store', 'plain', '--short-term', 'plain.csv');
    expect(without).toMatchObject({ code: 1 });
    expect(without.err).toContain('plain.csv: does not state its variable');
    expect(run('ingest', '--store', 'plain', '--short-term', 'plain.csv', '--variable', 'temp_max').code).toBe(0);
  });

  it('exits with an error without files, and for standard input', () => {
    expect(run('ingest', '--store', 'store')).toMatchObject({
      code: 2,
      err: 'error: nothing to ingest; give files, such as --short-term FILES... or --history FILES...\n',
    });
    expect(run('ingest', '--store', 'store', '--history', '-')).toMatchObject({ code: 2 });
    expect(run('ingest', '--short-term', 'x')).toMatchObject({ code: 2 });
    expect(run('ingest', '--store', 's', '--climatology-of', 'seasonal', '--elevation', 'x')).toMatchObject({
      code: 2,
    });
  });

  it('says what the store would lose, and which run is older, and changes nothing without the flags', () => {
    const ingest = (...args: string[]) => run('ingest', '--store', 'new', '--short-term', ...args);
    const before = manifest(join(folder, 'new'));
    const both = ['short-temp_mean.arrow', 'short-precipitation.arrow'];
    const lost = (run: string) => `its ${run} run of 2026-03-02T00:00:00Z`;
    expect(ingest(...both)).toMatchObject({
      code: 1,
      err:
        `error: forecast: the store would lose ${lost('subseasonal')}; ${lost('seasonal')}; allowed: ` +
        'files with all that the store has; --replace deletes the rest\n',
    });
    const older = ['--init-time', '2026-03-01T00:00:00Z', '--replace'];
    expect(ingest(...both, ...older)).toMatchObject({
      code: 1,
      err:
        'error: forecast: is an older run than the store has; received "short-term 2026-03-01T00:00:00Z"; allowed: ' +
        'short-term 2026-03-02T00:00:00Z or later; --allow-older replaces a run by an older one\n',
    });
    expect(manifest(join(folder, 'new'))).toBe(before);
    expect(ingest(...both, ...older, '--allow-older').code).toBe(0);
    expect(JSON.parse(manifest(join(folder, 'new'))).forecast.horizonInitTimes).toEqual({
      'short-term': '2026-03-01T00:00:00Z',
    });
  });

  it('exits with an error where an option of forecasts is given without one', () => {
    expect(run('ingest', '--store', 'new', '--history', 'old-temp_mean.arrow', '--allow-older')).toMatchObject({
      code: 2,
      err: 'error: option --allow-older needs files of a forecast, such as --short-term FILES...\n',
    });
  });

  it('blends the horizons of a store anew, as files of them would be: also of a store that has no pairing', async () => {
    const forecast = INGEST_ALL.slice(0, 9);
    const ingest = (dir: string, ...more: string[]) => run('ingest', '--store', dir, ...forecast, ...more).code;
    expect([ingest('usual'), ingest('rain', '--pair-by', 'precipitation')]).toEqual([0, 0]);
    const timelineOf = (dir: string) =>
      snapshotOf(join(folder, dir), async ({ forecast: held }) => {
        const values = [...held!.timeline.variables].flatMap(([slug, { days, members }]) =>
          [0, 3].map(async (cell) => {
            const into = new Float32Array(days * members);
            await held!.timeline.read(slug, cell, into);
            return `${slug} ${cell} ${into.join()}`;
          }),
        );
        return Promise.all(values);
      });
    const header = (dir: string) => JSON.parse(manifest(join(folder, dir))).forecast;
    const [usual, byRain] = [await timelineOf('usual'), await timelineOf('rain')];
    expect(byRain).not.toEqual(usual);
    const { pairing: _, ...older } = header('rain');
    const path = join(folder, 'rain', 'store.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), forecast: older }));
    expect(await timelineOf('rain')).toEqual(byRain);
    expect(run('ingest', '--store', 'rain', '--reblend')).toMatchObject({ code: 0, err: '' });
    expect(await timelineOf('rain')).toEqual(usual);
    expect(header('rain').pairing).toEqual(header('usual').pairing);
    expect(header('rain').generation).not.toBe(older.generation);
    expect(run('ingest', '--store', 'rain', '--reblend', '--pair-by', 'precipitation').code).toBe(0);
    expect(await timelineOf('rain')).toEqual(byRain);
    expect(run('ingest', '--store', 'rain', '--reblend', '--pair-by', 'wind_speed')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--pair-by: is not a variable of short-term, subseasonal, seasonal'),
    });
    expect(await timelineOf('rain')).toEqual(byRain);
    expect(run('ingest', '--store', 'rain', '--reblend', ...forecast)).toMatchObject({ code: 2 });
    expect(run('ingest', '--store', 'empty', '--reblend')).toMatchObject({
      code: 1,
      err: 'error: --store: holds no forecast to blend; allowed: a store with horizons\n',
    });
  });

  it('says that the record of a pairing in a store is broken', () => {
    const path = join(folder, 'usual', 'store.json');
    const whole = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...whole, forecast: { ...whole.forecast, pairing: { seams: [] } } }));
    expect(run('ingest', '--store', 'usual', '--attribution', 'me').err).toMatch(/store.json: .*pairing/);
  });

  it('puts climatologies into a store', async () => {
    const file = ['--granularity', 'weekly', '--reference', '2024-2025', '--fewer-years', '--out', 'normal.arrow'];
    expect(run('climatology', 'old-precipitation.arrow', ...file)).toMatchObject({ code: 0 });
    const { code, out } = run(
      'ingest',
      '--store',
      'new',
      '--climatology',
      'normal.arrow',
      '--climatology-of',
      'seasonal',
    );
    expect([code, out]).toEqual([0, expect.stringContaining('1 climatology')]);
    const table = await snapshotOf(join(folder, 'new'), ({ climatology }) =>
      climatology!('seasonal', 'weekly', 'precipitation'),
    );
    expect(table!.numRows).toBeGreaterThan(0);
  });
});
