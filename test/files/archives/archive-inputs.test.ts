import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findArchive, planArchive } from '../../../src/input/archive-input.js';
import { plumecastHere } from '../../cli/run-here.js';
import { casesOf } from '../../full-check.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { type ObjectServer, serveObjects } from '../remote/object-server.js';

const HOUR = 3_600_000;
const POINT = ['--point', '55,10'];
/** Days of all members at the first point, as ecCodes reads them. */
interface Truth {
  readonly first: string;
  readonly temp_mean: (number | null)[][];
  readonly precipitation: (number | null)[][];
}

describe.skipIf(!hasPython('eccodes', 'numpy'))('archives of forecasts', () => {
  let folder: string;
  let server: ObjectServer;
  const objects = new Map<string, Uint8Array>();
  const written = new Map<string, Uint8Array>();
  const truths = new Map<string, Truth>();
  const newest = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR;
  const runs = {
    ens: newest,
    before: Date.parse('2026-05-12T00:00Z'),
    aifs: newest,
    gefs: newest,
    older: newest - 24 * HOUR,
  };
  const digits = (run: number) => new Date(run).toISOString().slice(0, 13).replace(/\D/g, '');
  const runText = (run: number) => new Date(run).toISOString().slice(0, 13);
  const mirror = () => ['--mirror', `${server.url}/mirror`];
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`.plumecast.${process.pid}-`));

  beforeAll(async () => {
    server = await serveObjects(objects);
    folder = mkdtempSync(join(tmpdir(), 'plumecast-archives-'));
    const write = (archive: string, run: number) => {
      const args = [folder, archive, digits(run), '24'];
      const text = pythonFile(resolve(import.meta.dirname, 'write_mirror.py'), args);
      truths.set(`${archive} ${run}`, JSON.parse(text));
    };
    write('ecmwf:ens', runs.ens);
    write('ecmwf:ens', runs.before);
    write('ecmwf:aifs-ens', runs.aifs);
    write('noaa:gefs', runs.gefs);
    write('noaa:gefs', runs.older);
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      const path = join(folder, name);
      if (statSync(path).isFile()) written.set(`mirror/${relative(folder, path)}`, readFileSync(path));
    }
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    objects.clear();
    for (const [key, bytes] of written) objects.set(key, bytes);
    server.fault = undefined;
    server.delay = 0;
    server.reset();
  });
  afterEach(() => expect(copies()).toEqual([]));

  const LEADS = ['--lead-hours', '24'];

  const archives = [
    ['ecmwf:ens', 'ens'],
    ['ecmwf:ens', 'before'],
    ['ecmwf:aifs-ens', 'aifs'],
    ['noaa:gefs', 'gefs'],
  ] as const;
  it.each(casesOf(archives, [1, 3]))(
    '%s (%s) gives the days of each member that ecCodes reads',
    async (archive, which) => {
      const run = runs[which];
      const truth = truths.get(`${archive} ${run}`) as Truth;
      for (const variable of ['temp_mean', 'precipitation'] as const) {
        const args = [
          '--run',
          runText(run),
          ...LEADS,
          ...mirror(),
          '--variable',
          variable,
          '--bbox',
          '54.9,9.9,55.1,10.1',
          '--to',
          'csv',
        ];
        const { code, out, err } = await plumecastHere('convert', archive, '-', ...args);
        expect([code, err]).toEqual([0, expect.stringContaining(`run of ${runText(run).replace('T', ' ')} UTC`)]);
        const [header, ...rows] = out.trim().split('\n');
        const members = truth[variable].length;
        expect(header.split(',').slice(-members)).toHaveLength(members);
        const days = new Map(
          rows.map((row) => [/\d{4}-\d\d-\d\d/.exec(row)?.[0], row.split(',').slice(-members).map(Number)]),
        );
        let compared = 0;
        for (let day = 0; day < truth[variable][0].length; day++) {
          if (truth[variable][0][day] === null) continue;
          const date = new Date(Date.parse(truth.first) + 24 * HOUR * day).toISOString().slice(0, 10);
          const values = days.get(date) as number[];
          for (let member = 0; member < members; member++) {
            expect(Math.abs(values[member] - (truth[variable][member][day] as number))).toBeLessThan(2e-4);
            compared++;
          }
        }
        expect(compared).toBe(members);
      }
    },
  );

  it('give the same statistics as a copy of the same files on the disk, to the last bit', async () => {
    const args = ['--variable', 'temp_mean', ...POINT, '--quiet'];
    const name = `gefs.${digits(runs.gefs).slice(0, 8)}/${digits(runs.gefs).slice(8)}`;
    const exact = await plumecastHere('stats', join(folder, name, 'atmos/pgrb2sp25/ge*.f0??'), ...args);
    const remote = await plumecastHere(
      'stats',
      'noaa:gefs',
      '--run',
      runText(runs.gefs),
      ...LEADS,
      ...mirror(),
      ...args,
    );
    expect(remote).toEqual(exact);
    expect(remote.code).toBe(0);
    expect(remote.out.split('\n').length).toBeGreaterThan(2);
  });

  it('are read by index files and the messages that are wanted alone, 16 at a time, each once', async () => {
    server.delay = 5;
    const args = ['--variable', 'temp_mean', ...POINT, '--quiet', '--run', runText(runs.gefs), ...LEADS];
    expect((await plumecastHere('stats', 'noaa:gefs', ...args, ...mirror())).code).toBe(0);
    const ofIndex = server.requests.filter((request) => request.includes('.idx '));
    expect(ofIndex).toHaveLength(9 * 31);
    expect(server.requests).toHaveLength(2 * 9 * 31);
    expect(new Set(server.requests).size).toBe(server.requests.length);
    expect(server.atOnce).toBeGreaterThan(8);
    expect(server.atOnce).toBeLessThanOrEqual(16);
    const run = digits(runs.gefs);
    const messages = [...written].filter(([key]) => key.includes(`gefs.${run.slice(0, 8)}/${run.slice(8)}/`));
    const indexBytes = messages.reduce((sum, [key, { length }]) => sum + (key.endsWith('.idx') ? length : 0), 0);
    const dataBytes = messages.reduce((sum, [key, { length }]) => sum + (key.endsWith('.idx') ? 0 : length), 0);
    // One message of four, or of three at the first step.
    expect(server.bytes - indexBytes).toBeLessThan(0.3 * dataBytes);
  });

  it('name the licence and whom to credit in results', async () => {
    const args = ['--run', runText(runs.aifs), ...LEADS, ...mirror(), '--variable', 'temp_mean', ...POINT];
    const out = join(folder, 'result.arrow');
    await plumecastHere('stats', 'ecmwf:aifs-ens', ...args, '--out', out);
    const { metadata } = tableFromIPC(readFileSync(out)).schema;
    expect(metadata.get('license')).toMatch(/CC BY 4\.0.*European Centre for Medium-Range Weather Forecasts/);
    expect(metadata.get('title')).toBe('ECMWF ensemble forecasts (AIFS ENS), open data');
    expect(metadata.get('init_time')).toContain(runText(runs.aifs));
    rmSync(out);
  });

  describe('without a run', () => {
    const latest = ['--variable', 'temp_mean', ...POINT, ...LEADS];
    const under = (run: number) => `mirror/gefs.${digits(run).slice(0, 8)}/${digits(run).slice(8)}/atmos/pgrb2sp25`;
    const chosen = async () => {
      const { code, err } = await plumecastHere('stats', 'noaa:gefs', ...latest, ...mirror());
      return [code, /run of (\S+ \d\d) UTC, 31 members/.exec(err)?.[1].replace(' ', 'T'), err] as const;
    };

    it('the newest that is complete is read', async () => {
      expect((await chosen()).slice(0, 2)).toEqual([0, runText(runs.gefs)]);
    });

    it('one without its last step, a step, or a message of a member is left for the one before, with a note', async () => {
      for (const [break_, note] of [
        [
          () => objects.delete(`${under(runs.gefs)}/gep30.${hourOf(runs.gefs)}.pgrb2s.0p25.f024.idx`),
          /f024\.idx is not there/,
        ],
        [
          () => objects.delete(`${under(runs.gefs)}/gec00.${hourOf(runs.gefs)}.pgrb2s.0p25.f006.idx`),
          /f006\.idx is not there/,
        ],
        [
          () =>
            edit(`${under(runs.gefs)}/gep17.${hourOf(runs.gefs)}.pgrb2s.0p25.f012.idx`, (text) =>
              text.replace(/^.*TMP.*\n/m, ''),
            ),
          /gep17.*f012\.idx lists none of the wanted fields|step 12 lacks 2t of member 17/,
        ],
      ] as const) {
        for (const [key, bytes] of written) objects.set(key, bytes);
        break_();
        const [code, run, err] = await chosen();
        expect([code, run]).toEqual([0, runText(runs.older)]);
        expect(err).toMatch(/note: noaa:gefs: the run of .* is not complete, as are \d newer ones: /);
        const archive = await findArchive('noaa:gefs');
        if (archive.kind !== 'grib') throw new Error(archive.kind);
        const options = { mirror: `${server.url}/mirror`, leadHours: 24 };
        const { incomplete } = await planArchive(archive, options, (name) => name === '2t');
        expect(incomplete.find((each) => 1000 * each.run === runs.gefs)?.problem).toMatch(note);
      }
    });

    it('one of which no index file lists a field is read without it, with a note', async () => {
      const ofRun = [...objects.keys()].filter((key) => key.startsWith(under(runs.gefs)) && key.endsWith('.idx'));
      for (const key of ofRun) edit(key, (text) => text.replace(/^.*:APCP:.*\n/gm, ''));
      const archive = await findArchive('noaa:gefs');
      if (archive.kind !== 'grib') throw new Error(archive.kind);
      const options = { mirror: `${server.url}/mirror`, leadHours: 24, run: runText(runs.gefs) };
      const { fields, notes } = await planArchive(archive, options, (name) => ['2t', 'tp'].includes(name));
      expect(fields).toEqual(['2t']);
      expect(notes).toEqual([expect.stringMatching(/^the run of .* has no tp: none of its index files lists it$/)]);
    });

    it('none is an error that names the newest and what it lacks', async () => {
      for (const key of [...objects.keys()]) if (key.endsWith('f024.idx')) objects.delete(key);
      const [code, , err] = await chosen();
      expect(code).toBe(1);
      expect(err).toMatch(
        /^error: noaa:gefs: has no complete run of the last 72 hours at http.*f024\.idx is not there/,
      );
    });

    it('the clock of the server counts where the one here is wrong', async () => {
      // The first request, of the newest run by the clock here, says what time it is there.
      for (const key of [...objects.keys()]) if (key.startsWith(under(runs.gefs))) objects.delete(key);
      server.fault = (_, response) => {
        response.setHeader('date', new Date(Date.now() - 20 * 24 * HOUR).toUTCString());
        return false;
      };
      const [code, , err] = await chosen();
      expect(code).toBe(1);
      const day = new Date(Date.now() - 20 * 24 * HOUR).toISOString().slice(0, 10);
      expect(err).toContain(`the newest of ${day}`);
    });
  });

  const hourOf = (run: number) => `t${digits(run).slice(8)}z`;
  const edit = (key: string, change: (text: string) => string) => {
    objects.set(key, Buffer.from(change(Buffer.from(objects.get(key) as Uint8Array).toString('latin1')), 'latin1'));
  };

  it('are rejected in words where something is wrong', async () => {
    const base = `mirror/gefs.${digits(runs.gefs).slice(0, 8)}/${digits(runs.gefs).slice(8)}/atmos/pgrb2sp25/gep05.${hourOf(runs.gefs)}.pgrb2s.0p25.f009`;
    const other = `mirror/gefs.${digits(runs.older).slice(0, 8)}/${digits(runs.older).slice(8)}/atmos/pgrb2sp25/gep05.${hourOf(runs.older)}.pgrb2s.0p25.f009`;
    const twin = base.replace('gep05', 'gep06');
    const stats = async (...more: string[]) => {
      const args = ['--variable', 'temp_mean', ...POINT, '--run', runText(runs.gefs), ...LEADS];
      const { code, out, err } = await plumecastHere('stats', 'noaa:gefs', ...args, ...mirror(), '--quiet', ...more);
      expect([code, out]).toEqual([1, '']);
      return err.replaceAll(server.url, 'SERVER');
    };
    const restore = () => {
      for (const [key, bytes] of written) objects.set(key, bytes);
      server.fault = undefined;
    };
    objects.set(`${base}.idx`, objects.get(`${other}.idx`) as Uint8Array);
    expect(await stats()).toMatch(/f009\.idx is of another run/);
    restore();
    objects.set(`${base}.idx`, objects.get(`${twin}.idx`) as Uint8Array);
    expect(await stats()).toMatch(/f009\.idx is of another member, 6/);
    restore();
    objects.set(`${base}.idx`, Buffer.from('<!doctype html><title>Not found</title>'));
    expect(await stats()).toMatch(/f009\.idx: line 1 is not one of wgrib2/);
    restore();
    objects.set(base, objects.get(other) as Uint8Array);
    expect(await stats()).toMatch(/gep05.*f009: holds a message of another run/);
    restore();
    objects.set(base, objects.get(twin) as Uint8Array);
    expect(await stats()).toMatch(/gep05.*f009: holds a message of another member; received "?6/);
    restore();
    objects.set(base, objects.get(base.replace('f009', 'f012')) as Uint8Array);
    expect(await stats()).toMatch(/gep05.*f009: holds a message of another step than 9; received "?12/);
    restore();
    edit(base, (text) => `x${text}`);
    expect(await stats()).toMatch(/gep05.*f009: is not made of the messages that its index file lists/);
    restore();
    objects.delete(base);
    expect(await stats()).toMatch(/gep05.*f009: the server does not give a part of it; received "404/);
    restore();
    server.fault = ({ headers, url }, response) => {
      if (headers.range === undefined || !url?.includes('gep05')) return false;
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>');
      return true;
    };
    expect(await stats()).toMatch(/the server gives a page \(HTML\) instead of a part of it/);
  });

  it('are rejected in words where a request cannot be met', async () => {
    const run = async (...args: string[]) => (await plumecastHere('stats', ...args)).err;
    const variable = ['--variable', 'temp_mean'];
    expect(await run('ecmwf:hres', ...variable)).toMatch(
      /^error: archive: is not known; received "ecmwf:hres"; allowed: ecmwf:ens, ecmwf:aifs-ens, noaa:gefs, .*; or one of --archives\n$/,
    );
    expect(await run('noaa:gefs', ...mirror())).toMatch(
      /noaa:gefs: holds more than is read at once.*--variable temp_mean/,
    );
    expect(await run('noaa:gefs', '--variable', 'evapotranspiration', ...mirror())).toMatch(
      /has no field that is wanted/,
    );
    expect(await run('noaa:gefs', ...variable, '--lead-hours', '900')).toMatch(
      /is beyond its runs; received 900; allowed: 0 to 840/,
    );
    expect(await run('noaa:gefs', ...variable, '--mirror', 'ftp://a/b')).toMatch(/mirror/);
    expect(await run('noaa:gefs', ...variable, '--run', 'yesterday', ...mirror())).toMatch(
      /run.*such as 2026-03-01T06/,
    );
    expect(await run('noaa:gefs', ...variable, '--run', '2026-03-01T05', ...mirror())).toMatch(/no run begins then/);
    expect(await run('noaa:gefs', ...variable, '--archives', join(folder, 'none.json'))).toMatch(
      /none\.json.*there is no such file/,
    );
    expect(await run('noaa:gefs', ...variable, '--lead-hours', 'x')).toMatch(/Expected hours/);
  });

  it('of your own are read by --archives', async () => {
    const path = join(folder, 'own.json');
    const known = JSON.parse(readFileSync('src/files/archives/known-archives.json', 'utf8'));
    writeFileSync(path, JSON.stringify({ 'own:gefs': { ...known['noaa:gefs'], mirrors: [`${server.url}/mirror`] } }));
    const args = ['--variable', 'temp_mean', ...POINT, '--quiet', ...LEADS, '--run', runText(runs.gefs)];
    const own = await plumecastHere('stats', 'own:gefs', '--archives', path, ...args);
    expect(own).toEqual(await plumecastHere('stats', 'noaa:gefs', ...mirror(), ...args));
    expect(own.code).toBe(0);
    rmSync(path);
  });

  it('are read from the next mirror where one does not answer', async () => {
    const path = join(folder, 'own.json');
    const known = JSON.parse(readFileSync('src/files/archives/known-archives.json', 'utf8'));
    const mirrors = ['http://127.0.0.1:65534/mirror', `${server.url}/mirror`];
    writeFileSync(path, JSON.stringify({ 'own:aifs': { ...known['ecmwf:aifs-ens'], mirrors } }));
    const args = ['--variable', 'temp_mean', ...POINT, ...LEADS, '--run', runText(runs.aifs)];
    const { code, err } = await plumecastHere('stats', 'own:aifs', '--archives', path, ...args);
    expect([code, err]).toEqual([0, expect.stringContaining('http://127.0.0.1:65534/mirror is not read: ')]);
    rmSync(path);
  });
});
