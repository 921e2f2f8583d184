import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { CLI, plumecast } from './run-command.js';
import { folderWithStore, INGEST_ALL, snapshotOf } from './small-store.js';

const { folder, store, remove } = await folderWithStore();
afterAll(remove);

const run = (...args: string[]) => plumecast(args, { cwd: folder });
const manifest = (dir = store) => readFileSync(join(dir, 'store.json'), 'utf8');

/** The contents of the generation that a store serves. */
function contents(dir = store) {
  const { current, generations } = JSON.parse(manifest(dir));
  const { file } = generations.find(({ id }: { id: string }) => id === current);
  return JSON.parse(readFileSync(join(dir, file), 'utf8'));
}

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
    const isUnderWay = () => readdirSync(join(store, 'updates')).length > 1;
    while (!isUnderWay() && child.exitCode === null) await wait(1);
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
    expect(manifest()).toBe(before);
    expect(run('ingest', '--store', 'store', ...files)).toMatchObject({ code: 0 });
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

  it('says which run is older, and changes nothing without the flag; other horizons stay', () => {
    const ingest = (...args: string[]) => run('ingest', '--store', 'new', '--short-term', ...args);
    const before = manifest(join(folder, 'new'));
    const both = ['short-temp_mean.arrow', 'short-precipitation.arrow'];
    const older = ['--init-time', '2026-03-01T00:00:00Z', '--replace'];
    expect(ingest(...both, ...older)).toMatchObject({
      code: 1,
      err:
        'error: forecast: is an older run than the store has; received "short-term 2026-03-01T00:00:00Z"; allowed: ' +
        'short-term 2026-03-02T00:00:00Z or later; --allow-older replaces a run by an older one\n',
    });
    expect(manifest(join(folder, 'new'))).toBe(before);
    expect(ingest(...both, ...older, '--allow-older')).toMatchObject({ code: 0, err: '' });
    expect(contents(join(folder, 'new')).forecast.horizonInitTimes).toEqual({
      'short-term': '2026-03-01T00:00:00Z',
      subseasonal: '2026-03-02T00:00:00Z',
      seasonal: '2026-03-02T00:00:00Z',
    });
  });

  it('shows what would change, with bytes, and changes nothing, with --dry-run', () => {
    const before = [manifest(), readdirSync(store, { recursive: true }).sort()];
    // A folder in which a file is made or removed has another time.
    const times = () =>
      ['', ...(readdirSync(store, { recursive: true }) as string[])].map((name) => statSync(join(store, name)).mtimeMs);
    const timesBefore = times();
    const { code, out } = run('ingest', '--store', 'store', '--short-term', 'short-temp_mean.arrow', '--dry-run');
    expect(code).toBe(0);
    expect(times()).toEqual(timesBefore);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('plumecast-dry-run-'))).toEqual([]);
    expect(out.replace(/ +/g, ' ')).toMatch(/short-term temp_mean replaced \d+\n/);
    expect(out).toMatch(/Nothing was changed; \d+ bytes would be written\.\n$/);
    expect(out).not.toContain('seasonal');
    expect([manifest(), readdirSync(store, { recursive: true }).sort()]).toEqual(before);
    // The bytes are those that are written.
    cpSync(store, join(folder, 'copy-of-store'), { recursive: true });
    expect(run('ingest', '--store', 'copy-of-store', '--short-term', 'short-temp_mean.arrow').code).toBe(0);
    const blocks = (dir: string) =>
      (readdirSync(dir, { recursive: true }) as string[]).filter((name) => name.endsWith('.blocks'));
    const known = blocks(store);
    const written = blocks(join(folder, 'copy-of-store')).filter((name) => !known.includes(name));
    const bytes = written.reduce((sum, name) => sum + statSync(join(folder, 'copy-of-store', name)).size, 0);
    expect(out).toContain(`${bytes} bytes would be written`);
  });

  it('makes no store with --dry-run', () => {
    const files = ['--short-term', 'short-temp_mean.arrow'];
    const { code, out } = run('ingest', '--store', 'none/yet', ...files, '--dry-run');
    expect([code, out]).toEqual([0, expect.stringMatching(/timeline +temp_mean +new +\d+/)]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('keeps the run before, and exits with 3, where the new one has too little', () => {
    const before = manifest();
    const files = ['--short-term', 'short-temp_mean.arrow', '--init-time', '2026-03-02T06:00:00Z'];
    expect(run('ingest', '--store', 'store', ...files, '--min-members', '4')).toMatchObject({
      code: 3,
      err:
        'note: the short-term run of 2026-03-02T06:00:00Z is not used, as it has 3 members, and 4 are needed: ' +
        'that of 2026-03-02T00:00:00Z stays\n',
    });
    expect(manifest()).toBe(before);
  });

  it('can be done by several processes at once: nothing of any is lost', async () => {
    const ingests = [
      ['--short-term', 'short-temp_mean.arrow', 'short-precipitation.arrow'],
      ['--seasonal', 'seasonal-temp_mean.arrow', 'seasonal-precipitation.arrow'],
      ['--history', 'old-temp_mean.arrow'],
      ['--recent-history', 'recent-precipitation.arrow'],
    ];
    const codes = await Promise.all(
      ingests.map(
        (args) =>
          new Promise((done) => {
            const child = spawn(process.execPath, [CLI, 'ingest', '--store', 'several', ...args], { cwd: folder });
            child.once('close', done);
          }),
      ),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    const { parts, forecast } = contents(join(folder, 'several'));
    expect(Object.keys(parts).sort()).toEqual(['analysis', 'reanalysis', 'seasonal', 'short-term', 'timeline']);
    expect(Object.keys(forecast.horizonInitTimes)).toEqual(['short-term', 'seasonal']);
    const both = [...ingests[0], ...ingests[1]];
    expect(run('ingest', '--store', 'both', ...both).code).toBe(0);
    expect(contents(join(folder, 'both')).forecast.pairing).toEqual(forecast.pairing);
    expect(run('store', 'check', '--store', 'several', '-q')).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing is damaged'),
    });
  });

  it('exits with an error where an option of forecasts is given without one', () => {
    expect(run('ingest', '--store', 'new', '--history', 'old-temp_mean.arrow', '--allow-older')).toMatchObject({
      code: 2,
      err: 'error: option --allow-older needs files of a forecast, such as --short-term FILES...\n',
    });
  });

  it('blends the horizons of a store anew, as files of them would be: with other variables, too', async () => {
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
    const header = (dir: string) => contents(join(folder, dir)).forecast;
    const [usual, byRain] = [await timelineOf('usual'), await timelineOf('rain')];
    expect(byRain).not.toEqual(usual);
    const older = header('rain');
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
    cpSync(join(import.meta.dirname, '..', 'fixtures', 'store-v1'), join(folder, 'broken'), { recursive: true });
    const path = join(folder, 'broken', 'store.json');
    const whole = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...whole, forecast: { ...whole.forecast, pairing: { seams: [] } } }));
    expect(run('ingest', '--store', 'broken', '--attribution', 'me').err).toMatch(/store.json: .*pairing/);
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
