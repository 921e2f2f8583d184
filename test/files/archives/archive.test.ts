import { describe, expect, it } from 'vitest';
import { knownArchives, parseArchives, parseNumbers } from '../../../src/files/archives/archive.js';
import { isOfField, parseIndex } from '../../../src/files/archives/index-lines.js';
import { filesOfRun, hoursOfRuns, productFor, stepsOfRun } from '../../../src/files/archives/run-files.js';

const at = (text: string) => Date.parse(text) / 1000;
const grib = (name: string) => {
  const archive = knownArchives().get(name);
  if (archive?.kind !== 'grib') throw new Error(name);
  return archive;
};
const pathsOf = (name: string, run: string, last: number) => {
  const archive = grib(name);
  return filesOfRun(archive, Object.keys(archive.fields), { product: productFor(archive, last), last }, at(run));
};

describe('known archives', () => {
  it('state their licence and what to name', () => {
    for (const archive of knownArchives().values()) {
      expect([archive.license, archive.attribution, archive.references].every((text) => text.length > 10)).toBe(true);
    }
  });

  // https://confluence.ecmwf.int/display/DAC/ECMWF+open+data%3A+real-time+forecasts+from+IFS+and+AIFS, "File-naming
  // convention" and, since cycle 50r1, "stream=enfo, type=cf is deprecated".
  it('lay out ecmwf:ens with the control in enfo before cycle 50r1, and in oper since then', () => {
    const before = pathsOf('ecmwf:ens', '2026-05-12T00:00Z', 3);
    expect(before.map(({ path, members }) => [path, members.length])).toEqual([
      ['20260512/00z/ifs/0p25/enfo/20260512000000-0h-enfo-ef.grib2', 51],
      ['20260512/00z/ifs/0p25/enfo/20260512000000-3h-enfo-ef.grib2', 51],
    ]);
    const after = pathsOf('ecmwf:ens', '2026-05-12T06:00Z', 0);
    expect(after.map(({ index, members, memberOfPath }) => [index, members.length, memberOfPath])).toEqual([
      ['20260512/06z/ifs/0p25/oper/20260512060000-0h-oper-fc.index', 1, 0],
      ['20260512/06z/ifs/0p25/enfo/20260512060000-0h-enfo-ef.index', 50, undefined],
    ]);
  });

  it('lay out ecmwf:aifs-ens with control and perturbed members apart', () => {
    expect(pathsOf('ecmwf:aifs-ens', '2026-11-01T18:00Z', 6).map(({ path }) => path)).toEqual([
      '20261101/18z/aifs-ens/0p25/enfo/20261101180000-0h-enfo-cf.grib2',
      '20261101/18z/aifs-ens/0p25/enfo/20261101180000-0h-enfo-pf.grib2',
      '20261101/18z/aifs-ens/0p25/enfo/20261101180000-6h-enfo-cf.grib2',
      '20261101/18z/aifs-ens/0p25/enfo/20261101180000-6h-enfo-pf.grib2',
    ]);
  });

  // https://registry.opendata.aws/noaa-gefs/ and https://www.nco.ncep.noaa.gov/pmb/products/gens/
  it('lay out noaa:gefs with a file for each member, of one product for all steps', () => {
    const near = pathsOf('noaa:gefs', '2026-11-01T06:00Z', 240);
    expect(near[0].index).toBe('gefs.20261101/06/atmos/pgrb2sp25/gec00.t06z.pgrb2s.0p25.f000.idx');
    expect(near.at(-1)?.path).toBe('gefs.20261101/06/atmos/pgrb2sp25/gep30.t06z.pgrb2s.0p25.f240');
    expect(near).toHaveLength(81 * 31);
    const far = pathsOf('noaa:gefs', '2026-11-01T00:00Z', 840);
    expect(far.at(-1)?.path).toBe('gefs.20261101/00/atmos/pgrb2ap5/gep30.t00z.pgrb2a.0p50.f840');
    expect(far.every(({ path }) => path.includes('pgrb2ap5'))).toBe(true);
    const product = productFor(grib('noaa:gefs'), 800);
    expect(hoursOfRuns({ product, last: 800 })).toEqual([0]);
    expect(hoursOfRuns({ product, last: 384 })).toEqual([0, 6, 12, 18]);
    expect(stepsOfRun({ product, last: 252 }, at('2026-11-01T06:00Z'))?.slice(-3)).toEqual([240, 246, 252]);
    expect(stepsOfRun({ product, last: 252 }, at('2026-11-01T07:00Z'))).toBeUndefined();
  });
});

describe('archives of a file', () => {
  const text = (change: object) =>
    JSON.stringify({
      'own:ens': {
        ...{ kind: 'grib', title: 'Own', license: 'none', mirrors: ['https://example.org/a'], index: 'wgrib2' },
        products: [
          {
            name: 'p',
            runs: [{ hours: [0], steps: '0-6/3' }],
            files: [{ path: '{date}', index: '{date}.idx', members: '1' }],
          },
        ],
        fields: { '2t': { param: 'TMP' } },
        ...change,
      },
    });

  it('are read as the known ones', () => {
    expect(parseArchives(text({}), 'own.json').get('own:ens')?.title).toBe('Own');
    const store = JSON.stringify({
      'own:zarr': { kind: 'store', title: 'Z', license: 'L', mirrors: ['s3://bucket/a'] },
    });
    expect(parseArchives(store, 'own.json').get('own:zarr')).toMatchObject({ kind: 'store', attribution: '' });
  });

  it.each([
    ['{', /own\.json: is not JSON/],
    ['[]', /an object of archives/],
    ['{"a b":{}}', /two words with a colon/],
    [text({ kind: 'bufr' }), /kind.*grib or store/],
    [text({ mirrors: ['ftp://example.org'] }), /mirrors.*an address/],
    [text({ index: 'cfgrib' }), /ecmwf or wgrib2/],
    [text({ products: [{ name: 'p', runs: [{ hours: [0], steps: '6-0' }], files: [] }] }), /steps.*0-144\/3/],
    [
      text({ products: [{ name: 'p', runs: [], files: [{ path: '{year}', index: '', members: '1' }] }] }),
      /\{date\}, \{hour\}|index/,
    ],
  ])('are rejected: %s', (given, message) => {
    expect(() => parseArchives(given, 'own.json')).toThrow(message);
  });

  it('have numbers as ranges', () => {
    expect(parseNumbers('0-9/3,10,12-13', 'steps')).toEqual([0, 3, 6, 9, 10, 12, 13]);
    expect(() => parseNumbers('3,2', 'steps')).toThrow('are not ascending');
  });
});

describe('index files', () => {
  it("of ECMWF state each message's length, member and step", () => {
    const line = { date: '20261101', time: '0600', type: 'pf', step: '0-6', number: '7', levtype: 'sfc', param: 'tp' };
    const control = { ...line, type: 'cf', number: undefined };
    const text = [line, control]
      .map((each, i) => JSON.stringify({ ...each, _offset: 100 * i, _length: 100 }))
      .join('\n');
    const found = parseIndex(text, 'ecmwf');
    expect(found).toMatchObject([
      { offset: 0, length: 100, param: 'tp', member: 7, step: 6, run: '2026110106' },
      { offset: 100, member: 0 },
    ]);
    if (typeof found === 'string') throw new Error(found);
    expect(isOfField(found[0], { param: 'tp', levtype: 'sfc' })).toBe(true);
    expect(isOfField(found[0], { param: 'tp', levtype: 'pl' })).toBe(false);
  });

  it('of wgrib2 state where messages begin; fields of one message share it', () => {
    const lines = [
      '1:0:d=2026110106:TMP:2 m above ground:3 hour fcst:ENS=+7',
      '2.1:500:d=2026110106:UGRD:10 m above ground:3 hour fcst:ENS=+7',
      '2.2:500:d=2026110106:VGRD:10 m above ground:3 hour fcst:ENS=+7',
      '3:900:d=2026110106:APCP:surface:0-3 hour acc fcst:ENS=low-res ctl',
    ];
    expect(parseIndex(lines.join('\n'), 'wgrib2')).toMatchObject([
      { offset: 0, length: 500, param: 'TMP', level: '2 m above ground', member: 7 },
      { offset: 500, length: 400 },
      { offset: 500, length: 400, param: 'VGRD' },
      { offset: 900, length: undefined, member: 0 },
    ]);
  });

  it('of other forms are not read', () => {
    expect(parseIndex('', 'wgrib2')).toBe('it is empty');
    expect(parseIndex('<html>', 'wgrib2')).toBe('line 1 is not one of wgrib2');
    expect(parseIndex('{"param":"tp"}', 'ecmwf')).toBe("line 1 is not one of ECMWF's index files");
  });
});
