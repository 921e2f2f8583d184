import { describe, expect, it } from 'vitest';
import { demoTables } from '../../../src/demo/index.js';
import { ingestClimatology, ingestElevation, ingestHistory } from '../../../src/service/ingest/index.js';
import { daysFrom, table } from '../../table/tables.js';
import { LOCATIONS, RecordingWriter, TODAY } from './recording-writer.js';

const file = (source: string, loaded: ReturnType<typeof table>) => ({ source, load: () => Promise.resolve(loaded) });

const series = (first: string, values: (number | null)[], more: Record<string, (number | null)[]> = {}) =>
  table(
    {
      date: daysFrom(first, values.length),
      latitude: values.map(() => 37.5),
      longitude: values.map(() => -79.75),
      value: values,
      ...more,
    },
    { variable: 'precipitation' },
  );

describe('ingestHistory', () => {
  it('joins the pieces of a variable, in any order; a day that no piece has is missing', async () => {
    const writer = new RecordingWriter();
    const files = [file('b', series('2020-01-04', [4, 5])), file('a', series('2020-01-01', [1, null]))];
    await ingestHistory(writer, 'reanalysis', { files });
    const { axis, values, latitude } = writer.recorded('reanalysis', 'precipitation');
    expect([axis, latitude]).toEqual([{ firstDay: 18_262, days: 5, members: 1 }, [37.5]]);
    expect([...values]).toEqual([1, Number.NaN, Number.NaN, 4, 5]);
  });

  it('writes all variables at all places', async () => {
    const writer = new RecordingWriter();
    const tables = demoTables({ initDate: TODAY, days: 40, members: 1, locations: LOCATIONS });
    await ingestHistory(writer, 'analysis', { files: Object.entries(tables).map(([slug, one]) => file(slug, one)) });
    expect(Array.from(writer.parts.get('analysis')?.keys() ?? [])).toEqual(Object.keys(tables));
    const { values, axis } = writer.recorded('analysis', 'temp_max');
    expect(axis).toEqual({ firstDay: TODAY, days: 40, members: 1 });
    expect(values).toEqual(tables.temp_max.getChild('member_00')?.toArray());
  });

  it('throws for a variable without any value, by the names of its files', async () => {
    const none = [null, null];
    const files = [file('a', series('2020-01-01', none)), file('b', series('2020-01-03', none))];
    await expect(ingestHistory(new RecordingWriter(), 'analysis', { files })).rejects.toThrow(
      'a, b: has no value: all are missing',
    );
  });

  it('leaves out variables without 1 km data, with a notice', async () => {
    const notices: string[] = [];
    const input = { files: [file('rain', series('2020-01-01', [1]))], onNotice: (text: string) => notices.push(text) };
    await expect(ingestHistory(new RecordingWriter(), 'fine-reanalysis', input)).rejects.toThrow(/has no usable file/);
    expect(notices).toEqual(['rain: precipitation is left out: it has no 1 km data']);
  });

  it.each([
    [
      'an ensemble',
      table(
        { date: daysFrom('2020-01-01', 1), latitude: [1], longitude: [2], member_00: [1], member_01: [2] },
        { variable: 'precipitation' },
      ),
      /x: is an ensemble, not a history; received "2 members"; allowed: one/,
    ],
    [
      'an unknown variable',
      table({ date: daysFrom('2020-01-01', 1), latitude: [1], longitude: [2], value: [1] }),
      /x: does not state its variable/,
    ],
    [
      'values without a place',
      table({ date: daysFrom('2020-01-01', 1), value: [1] }, { variable: 'precipitation' }),
      /x: does not state where its values are/,
    ],
    ['an infinite value', series('2020-01-01', [Number.POSITIVE_INFINITY]), /infinite/],
  ])('rejects %s', async (_, loaded, message) => {
    const input = { files: [file('x', loaded)] };
    await expect(ingestHistory(new RecordingWriter(), 'reanalysis', input)).rejects.toThrow(message);
  });
});

describe('ingestElevation', () => {
  it('takes a table of places and metres', async () => {
    const writer = new RecordingWriter();
    await ingestElevation(writer, table({ lat: [37.5, 37.25], lon: [-79.75, -80], elevation: [507, null] }));
    expect(writer.elevation).toEqual({
      latitude: Float64Array.of(37.5, 37.25),
      longitude: Float64Array.of(-79.75, -80),
      metres: Float32Array.of(507, Number.NaN),
    });
  });

  it.each([
    [{ latitude: [1], longitude: [2] }, /has no column elevation; received "latitude, longitude"/],
    [{ latitude: [91], longitude: [2], elevation: [1] }, /row 1, column latitude: out of range; received 91/],
    [{ latitude: [1], longitude: [2], elevation: [20_000] }, /row 1, column elevation: out of range; received 20000/],
  ])('rejects %j', async (columns, message) => {
    await expect(ingestElevation(new RecordingWriter(), table(columns))).rejects.toThrow(message);
  });
});

describe('ingestClimatology', () => {
  const columns = {
    latitude: [1, 1],
    longitude: [2, 2],
    period: ['01', '02'],
    n_samples: [30, 30],
    mean: [1, 2],
    t33: [0, 1],
    t67: [1, 2],
  };

  it('takes tables of climatologies, by their variable and granularity', async () => {
    const writer = new RecordingWriter();
    const files = [file('normals', table(columns, { variable: 'precipitation' }))];
    await ingestClimatology(writer, 'seasonal', { files });
    expect(writer.climatologies).toEqual([['seasonal', 'monthly', 'precipitation']]);
  });

  it('rejects a climatology of an unknown variable', async () => {
    const files = [file('normals', table(columns))];
    await expect(ingestClimatology(new RecordingWriter(), 'seasonal', { files })).rejects.toThrow(
      /does not state its variable/,
    );
  });
});
