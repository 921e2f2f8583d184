import { describe, expect, it } from 'vitest';
import { DataError, FormatError } from '../../src/errors.js';
import { tablesOfCsv } from '../../src/files/csv/csv-tables.js';
import { readTable } from '../../src/files/index.js';
import { detectFormat } from '../../src/files/open-source.js';
import { type AnswerOptions, openMeteoAnswers, openMeteoCsv, openMeteoJson } from './open-meteo-answers.js';
import { columnsOf, typesOf, utf8 } from './table-rows.js';

const read = (text: string) => readTable(utf8(text), { source: 'berlin' });
const fault = (text: string | object) =>
  read(typeof text === 'string' ? text : JSON.stringify(text)).then(
    () => expect.fail('was read'),
    (error: unknown) => {
      expect([DataError, FormatError]).toContain((error as object).constructor);
      return (error as Error).message;
    },
  );
const millis = (text: string) => BigInt(Date.parse(text));
const [berlin, munich] = [
  [52.52, 13.42],
  [48.1, 11.6],
] as const;

/** An answer with some of it replaced. */
const answer = (other: object, options?: AnswerOptions) => ({ ...openMeteoAnswers(options)[0], ...other });

describe.each([
  ['CSV', openMeteoCsv],
  ['JSON', openMeteoJson],
] as const)('readTable of the %s of Open-Meteo', (_, write) => {
  it('gives the place of rows, times in UTC, and columns with their units', async () => {
    const table = await read(write({ times: 2, members: 2, variables: { precipitation: 'mm', temperature_2m: '°C' } }));
    expect(typesOf(table)).toEqual({
      ...{ latitude: 'Float64', longitude: 'Float64', time: 'Timestamp<MILLISECOND, UTC>' },
      ...{ 'precipitation (mm)': 'Float64', 'precipitation_member01 (mm)': 'Float64' },
      ...{ 'temperature_2m (°C)': 'Float64', 'temperature_2m_member01 (°C)': 'Float64' },
    });
    expect(columnsOf(table)).toMatchObject({
      latitude: [52.52, 52.52],
      longitude: [13.419998, 13.419998],
      time: [millis('2026-03-02T00:00Z'), millis('2026-03-02T01:00Z')],
      'precipitation_member01 (mm)': [1, 1.1],
    });
    expect(table.schema.fields.map(({ metadata }) => metadata.get('units')).slice(3)).toEqual(['mm', 'mm', '°C', '°C']);
    expect(Object.fromEntries(table.schema.metadata)).toEqual({ provider: 'Open-Meteo' });
  });

  it('shifts local times to UTC, and says of which zone they were', async () => {
    const table = await read(write({ times: 2, timezone: 'Europe/Berlin', utcOffset: 7200 }));
    expect(columnsOf(table).time).toEqual([millis('2026-03-01T22:00Z'), millis('2026-03-01T23:00Z')]);
    expect(table.schema.metadata.get('printed_time_zone')).toBe('Europe/Berlin (UTC+02:00)');
  });

  it('does not shift seconds since 1970, which are those of UTC already', async () => {
    const requested = { times: 2, timezone: 'Europe/Berlin', utcOffset: 7200, unixtime: true };
    const table = await read(write(requested));
    expect(columnsOf(table).time).toEqual([millis('2026-03-01T22:00Z'), millis('2026-03-01T23:00Z')]);
    expect(table.schema.metadata.has('printed_time_zone')).toBe(false);
  });

  it('gives the rows of several locations one after the other', async () => {
    const value: AnswerOptions['value'] = ({ location, time }) => 10 * location + time;
    const table = await read(write({ locations: [berlin, munich], times: 2, members: 1, value }));
    expect(columnsOf(table)).toMatchObject({
      latitude: [52.52, 52.52, 48.1, 48.1],
      longitude: [13.42, 13.42, 11.6, 11.6],
      time: ['2026-03-02T00:00Z', '2026-03-02T01:00Z', '2026-03-02T00:00Z', '2026-03-02T01:00Z'].map(millis),
      'precipitation (mm)': [0, 1, 10, 11],
    });
  });

  it('reads missing values as null', async () => {
    const table = await read(write({ times: 3, members: 1, value: ({ time }) => (time === 1 ? null : time) }));
    expect(columnsOf(table)['precipitation (mm)']).toEqual([0, null, 2]);
  });

  it('reads days as dates', async () => {
    const table = await read(write({ section: 'daily', times: 2, variables: { precipitation_sum: 'mm' } }));
    expect(typesOf(table).time).toBe('Date32<DAY>');
    expect(columnsOf(table).time).toEqual([20_514, 20_515]);
  });

  it.each([false, true])('rejects days of another zone than UTC (unixtime: %s)', async (unixtime) => {
    const requested = { section: 'daily', times: 2, timezone: 'Europe/Berlin', utcOffset: 3600, unixtime } as const;
    expect(await fault(write(requested))).toBe(
      'berlin: daily values of days that do not begin at 00:00 UTC; received "Europe/Berlin (UTC+01:00)"; allowed: ' +
        'timezone=UTC in the request to Open-Meteo, or hourly values, whose times are shifted to UTC',
    );
  });

  it('rejects times of zones that are not whole hours from UTC', async () => {
    const message = await fault(write({ timezone: 'Asia/Kolkata', utcOffset: 19800 }));
    expect(message).toMatch(/not whole hours from UTC.*Asia\/Kolkata \(UTC\+05:30\).*timezone=UTC/);
  });

  it('tells locations at the same point of the grid apart by their ids', async () => {
    const table = await read(write({ times: 1, locations: [berlin, munich, berlin] }));
    expect(new Set(table.getChild('location_id') ?? []).size).toBe(3);
    expect(table.getChild('latitude')?.toJSON()).toEqual([52.52, 48.1, 52.52]);
  });

  it('names the models that columns end in', async () => {
    const models = ['icon_seamless_eps', 'ncep_gefs025', 'something_new'];
    const table = await read(write({ times: 1, models }));
    expect(table.schema.metadata.get('models')).toBe(models.join());
    const single = await read(write({ times: 1, members: 1, models: ['gfs025', 'ecmwf_ifs04', 'another'] }));
    expect(single.schema.metadata.get('models')).toBe('gfs025,ecmwf_ifs04,another');
  });

  it('keeps times that are values, as of sunrise, as text', async () => {
    const requested = { section: 'daily', times: 1, members: 1, variables: { sunrise: 'iso8601' } } as const;
    const text = write({ ...requested, value: () => '2026-03-02T06:48' as unknown as number });
    expect(columnsOf(await read(text))['sunrise (iso8601)']).toEqual(['2026-03-02T06:48']);
  });
});

describe('readTable of the CSV of Open-Meteo', () => {
  it('reads it as spreadsheets save it, with semicolons, padded rows and CRLF', async () => {
    const rows = ['2026-03-02 00:00;1.5', '2026-03-02 01:00;2'];
    const text = `latitude;longitude;elevation;utc_offset_seconds\r\n52,52;13,42;38;3600\r\n;;;\r\n${['time;rain (mm)', ...rows].join('\r\n')}\r\n`;
    expect(columnsOf(await read(text))).toEqual({
      ...{ latitude: [52.52, 52.52], longitude: [13.42, 13.42] },
      ...{ time: [millis('2026-03-01T23:00Z'), millis('2026-03-02T00:00Z')], 'rain (mm)': [1.5, 2] },
    });
  });

  it('rejects hourly and daily values one after the other, and says where the second begin', async () => {
    const text = `${openMeteoCsv({ times: 2, members: 1 })}\ntime,precipitation_sum (mm)\n2026-03-02,3\n`;
    expect(await fault(text)).toBe(
      'berlin: contains several tables, the next from line 8 on, such as hourly and daily values; received ' +
        '"time,precipitation (mm)", "time,precipitation_sum (mm)"; allowed: one of them: request only hourly or only daily ' +
        'values, or split the file in two, each with the lines of locations',
    );
  });

  it.each([
    ['a location that is none', ['48.1', '148.1'], /location \(line 3\): latitude is not understood; received 148.1/],
    ['an offset that is none', [',0,GMT', ',x,GMT'], /location \(line 2\): utc_offset_seconds is not understood/],
    [
      'a row of an unknown location',
      ['\n1,2026-03-02T01', '\n7,2026-03-02T01'],
      /row 4, column location_id: .* received 7/,
    ],
    [
      'a time that is none',
      ['\n1,2026-03-02T01:00', '\n1,2026-03-02T25:00'],
      /row 4, column time: time is not understood/,
    ],
    ['a table without times', ['location_id,time', 'location_id,hour'], /has no column time/],
    ['rows without their location', ['location_id,time', 'id,time'], /has no column location_id/],
  ] as const)('names the place of %s', async (_, [from, to], expected) => {
    const text = openMeteoCsv({ locations: [berlin, munich], times: 2, members: 1 });
    expect(await fault(text.replace(from, to))).toMatch(expected);
  });

  it('tolerates that the blank line is gone, or that there are more', async () => {
    const text = openMeteoCsv({ locations: [berlin, munich], times: 2 });
    const expected = columnsOf(await read(text));
    expect(columnsOf(await read(text.replace('\n\n', '\n')))).toEqual(expected);
    expect(columnsOf(await read(text.replace('\n\n', '\n\n  \n\n')))).toEqual(expected);
  });

  it('rejects a block of locations without rows', async () => {
    expect(await fault(openMeteoCsv().split('\n\n')[0])).toMatch(/has no data rows/);
  });

  it('rejects a block of locations without a location', async () => {
    const [locations, table] = openMeteoCsv({ times: 2 }).split('\n\n');
    const empty = `${locations.split('\n')[0]}\n\n${table}`;
    const expected = /has no location between the header of the locations and the header of the table \(line 3\)/;
    expect(await fault(empty)).toMatch(expected);
    const parts = tablesOfCsv([utf8(empty)] as never, 'berlin');
    await expect(parts.next()).rejects.toThrow(expected);
  });

  it('gives the same rows in pieces of any size', async () => {
    const text = openMeteoCsv({ locations: [berlin, munich], times: 48, timezone: 'Europe/Berlin', utcOffset: 3600 });
    const whole = columnsOf(await read(text));
    const bytes = utf8(text);
    async function* pieces(size: number) {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    for (const size of [7, 100, bytes.length]) {
      const parts: Record<string, unknown[]> = {};
      for await (const table of tablesOfCsv(pieces(size), 'berlin', { cellsAtOnce: 60 })) {
        expect(table.numRows).toBeLessThanOrEqual(15);
        for (const [name, values] of Object.entries(columnsOf(table))) (parts[name] ??= []).push(...values);
      }
      expect(parts).toEqual(whole);
    }
  });

  it('counts the rows of errors over all pieces', async () => {
    const text = openMeteoCsv({ times: 40, members: 1 }).replace('2026-03-03T10:00', '2026-03-03');
    async function* pieces() {
      yield utf8(text);
    }
    const all = (async () => {
      for await (const _ of tablesOfCsv(pieces(), 'berlin', { cellsAtOnce: 20 }));
    })();
    await expect(all).rejects.toThrow(/row 35, column time: time is written differently from those before/);
  });
});

describe('readTable of JSON', () => {
  it('is recognized by its first character, whatever it is', () => {
    expect(detectFormat(utf8(' \n[{"latitude":52.5'))).toBe('open-meteo-json');
    expect(detectFormat(utf8('{'))).toBe('open-meteo-json');
  });

  it('repeats an error message of Open-Meteo', async () => {
    expect(await fault({ error: true, reason: "Parameter 'latitude' is required" })).toBe(
      "berlin: is an error message of Open-Meteo: Parameter 'latitude' is required; allowed: the answer to a request that Open-Meteo accepts",
    );
  });

  it.each([
    ['GeoJSON', { type: 'FeatureCollection', features: [] }],
    ['CoverageJSON', { type: 'Coverage', domain: {} }],
    ['JSON as pandas writes it (to_json())', { date: { 0: '2026-03-02' }, m01: { 0: 1 } }],
    ['JSON as pandas writes it (to_json(), orient="split")', { columns: ['m01'], index: [0], data: [[1]] }],
    ['JSON as pandas writes it (to_json(), orient="table")', { schema: { fields: [] }, data: [] }],
    ['JSON records (a list of objects), as of pandas\' to_json(orient="records")', [{ date: '2026-03-02', m01: 1 }]],
    ['JSON of columns (an object of lists)', { date: ['2026-03-02'], m01: [1] }],
    ['JSON rows (a list of lists)', [['2026-03-02', 1]]],
    ['an empty list of JSON', []],
    ['JSON of another kind than that of Open-Meteo', { name: 'my-app' }],
  ])('says of other JSON that it is %s, and what is read', async (kind, value) => {
    expect(await fault(value)).toBe(
      `berlin: is ${kind}, which is not read; allowed: the JSON of Open-Meteo as it comes; other data as CSV, Parquet, Arrow, NetCDF or Zarr`,
    );
  });

  it('names JSON Lines, and a file that is cut off', async () => {
    expect(await fault('{"m01":1}\n{"m01":2}\n')).toMatch(/is JSON Lines/);
    expect(await fault(openMeteoJson().slice(0, 200))).toMatch(/begins like JSON, but is cut off or damaged/);
  });

  it.each([
    ['hourly and daily values', { daily: { time: [] } }, /contains several series of values; received "hourly, daily"/],
    ['no values', { hourly: undefined }, /contains no time series; allowed: hourly or daily values/],
    ['current values only', { hourly: undefined, current: {} }, /contains current values only/],
    ['weekly values only', { hourly: undefined, weekly: { time: [] } }, /contains weekly values only/],
    ['no times', { hourly: { precipitation: [1] } }, /hourly has no list of times/],
    ['no time at all', { hourly: { time: [] } }, /has no times/],
    ['a series that is none', { hourly: [1] }, /hourly is not an object of lists/],
    ['units that are none', { hourly_units: [] }, /hourly_units is not an object of texts/],
    ['a column that is none', { hourly: { time: ['2026-03-02'], rain: 1 } }, /hourly.rain is not a list; received 1/],
    [
      'lists of different lengths',
      { hourly: { time: ['2026-03-02'], rain: [1, 2] } },
      /hourly.rain has another number/,
    ],
    [
      'a text among numbers',
      { hourly: { time: ['2026-03-02'], rain: ['1'] } },
      /row 1, column rain: is neither a number nor null/,
    ],
    [
      'a list among numbers',
      { hourly: { time: ['2026-03-02'], rain: [[1]] } },
      /column rain: is neither.*received "\[1\]"/,
    ],
    ['a latitude that is none', { latitude: 'x' }, /location: latitude is not understood; received "x"/],
    ['an offset that is none', { utc_offset_seconds: 0.5 }, /utc_offset_seconds is not understood; received 0.5/],
    ['a time that is none', { hourly: { time: [true], rain: [1] } }, /column time: is neither/],
  ])('rejects %s', async (_, other, expected) => {
    expect(await fault(answer(other))).toMatch(expected);
  });

  it('rejects numbers beyond those of float64', async () => {
    expect(await fault(openMeteoJson({ times: 2 }).replace('1.1', '1e999'))).toMatch(
      /column precipitation_member01: is neither/,
    );
  });

  it('rejects locations whose columns, units or series differ', async () => {
    const other = openMeteoAnswers({ locations: [munich], variables: { precipitation: 'inch' } });
    expect(await fault([...openMeteoAnswers(), ...other])).toMatch(/different series, columns or units.*inch/);
    const daily = openMeteoAnswers({ locations: [munich], section: 'daily' });
    expect(await fault([...openMeteoAnswers(), ...daily])).toMatch(
      /different series, columns or units; received "daily/,
    );
  });

  it('leaves current values beside a series out', async () => {
    const current = { current_units: { time: 'iso8601' }, current: { time: '2026-03-02T02:15', temperature_2m: 20 } };
    expect((await read(JSON.stringify(answer(current)))).numRows).toBe(72);
  });
});
