import { Bool, Decimal, Field, Float16, Float32, Int64, Null, RecordBatch, Schema, Table, Utf8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { readEnsemble } from '../../../src/table/rows/read-ensemble.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { daysFrom, messageOf, table, typed } from '../tables.js';

const two = daysFrom('2024-01-01', 2);
const source = 'a.csv';

/** A table with a column of numbers for each name: 1, 2, ... in the first row. */
function named(...names: string[]): Table {
  return table({ date: two, ...Object.fromEntries(names.map((name, i) => [` ${name}`, [i + 1, i + 1]])) });
}

/** What is read of columns: the members by the numbers of `named`, the variable, and the notes. */
function found(input: Table, slug?: string) {
  const {
    parts,
    variable,
    notes = [],
  } = readEnsemble(input, { source, variable: slug ? findVariable(slug) : undefined });
  return { members: parts[0].field.members.map((member) => member.value(0)), variable: variable?.slug, notes };
}

const counted = (prefix: string, from: number, to: number, digits = 1) =>
  Array.from({ length: to - from + 1 }, (_, i) => prefix + String(from + i).padStart(digits, '0'));

describe('columns of one stem are the members of one ensemble', () => {
  it.each([
    ['the stem alone is member 0', ['precipitation_sum (mm)', ...counted('precipitation_sum_member', 1, 3, 2)]],
    ['units in brackets', ['tp_member00 (mm)', 'tp_member01 (mm)', 'tp_member02 [mm]']],
    ['units behind the member', ['tp_member00_mm', 'tp_member01_mm']],
    ['numbers from 1', counted('tp_', 1, 5)],
    ['numbers from 0', counted('tp_', 0, 5)],
    ['numbers without a separator', counted('precip', 1, 5)],
    ['names that pandas makes of equal ones', ['precip', 'precip.1', 'precip.2']],
    ['flattened columns of several levels', ["('precip', 0)", "('precip', 1)", "('precip', np.int64(2))"]],
    ['the member before the variable', ['member01_tp', 'member02_tp']],
    ['letters', ['precip_m1', 'precip_m2', 'precip_m3']],
    ['control and perturbed forecasts, as GEFS numbers them', ['apcp_c00', ...counted('apcp_p', 1, 30, 2)]],
    ['control and perturbed forecasts, written out', ['tp_control', 'tp_perturbed_1', 'tp_perturbed_2']],
    ['any case', ['Tp_Member01', 'tp_member02', 'TP_MEMBER03']],
    ['indices', ['tp[0]', 'tp[1]', 'tp[2]']],
    ['labels of runs', ['pr_r1i1p1f1', 'pr_r2i1p1f1']],
    ['the word run together with the name', ['tpMember1', 'tpMember2']],
  ])('%s', (_, names) => {
    expect(found(named(...names))).toEqual({
      members: names.map((_, i) => i + 1),
      variable: 'precipitation',
      notes: [],
    });
  });

  it.each([
    ['numbers alone', counted('', 0, 50)],
    ['numbers that were fractions', ['0.0', '1.0', '2.0']],
    ['members alone', counted('member_', 0, 3, 2)],
    ['ens01', counted('ens', 1, 3, 2)],
    ['number_3', counted('number_', 1, 3)],
    ['realization 1', counted('realization ', 1, 3)],
    ['m01', ['control', ...counted('m', 1, 3, 2)]],
    ['perturbed_1', ['control', ...counted('perturbed_', 1, 3)]],
    ['a control beside perturbed members from 0', ['control', ...counted('perturbed_', 0, 3)]],
  ])('names without a variable: %s', (_, names) => {
    expect(found(named(...names))).toEqual({ members: names.map((_, i) => i + 1), variable: undefined, notes: [] });
  });

  it('members stay in the order of the table', () => {
    expect(found(named('tp_member10', 'tp_member2', 'tp_member1')).members).toEqual([1, 2, 3]);
  });

  it('a note names the numbers that no column has', () => {
    expect(found(named('tp', 'tp_1', 'tp_2', 'tp_4', 'tp_9')).notes).toEqual(['no column for members 3, 5 to 8']);
    expect(found(named(...counted('m', 1, 6, 2), 'm08')).notes).toEqual(['no column for member 7']);
  });

  it('two columns of one member are an error', () => {
    const message = (column: string, twin: string) =>
      `DataError a.csv, column  ${column}: the same member as column  ${twin}; received " ${column}"; allowed: one column for each member; the name without a number is member 0`;
    for (const [twin, column, ...others] of [
      ['tp_member1', 'tp_member01'],
      ['tp', 'tp_0'],
      ['TP (mm)', 'tp [mm]', 'tp_1'],
      ['tp_control', 'tp'],
      ['1', '1.0'],
    ]) {
      expect(messageOf(() => found(named(twin, column, ...others)))).toBe(message(column, twin));
    }
  });

  it('a number that belongs to the name of a variable makes no member', () => {
    expect(found(named('ws10', 'rh2m'), 'wind_speed')).toMatchObject({
      members: [1],
      notes: ['column left out:  rh2m'],
    });
    expect(found(named('t_1', 't_2', 't_3')).members).toEqual([1, 2, 3]);
    expect(found(named('et0')).variable).toBe('evapotranspiration');
  });
});

describe('statistics next to members', () => {
  it.each([
    'mean',
    'p10',
    'P90',
    'min',
    'max',
    'std',
    'q50',
    'median',
    'spread',
    'iqr',
    'ensmean',
    'percentile_25',
    '0.75',
  ])('a column precip_%s is no member, beside the stem alone or members', (statistic) => {
    const name = `precip_${statistic}`;
    const note = [`column left out:  ${name}`];
    expect(found(named('precip', name))).toEqual({ members: [1], variable: 'precipitation', notes: note });
    expect(found(named('precip_m1', name, 'precip_m2'))).toEqual({
      members: [1, 3],
      variable: 'precipitation',
      notes: note,
    });
  });

  it.each(['mean', 'spread', 'iqr', 'q05'])('a column %s beside unnamed members is none', (statistic) => {
    expect(found(named('m1', 'm2', statistic), 'precipitation').members).toEqual([1, 2]);
  });

  it('percentiles are not members, however many there are', () => {
    const percentiles = ['p05', 'p10', 'p25', 'p50', 'p75', 'p90', 'p95'].map((name) => `precip_${name}`);
    expect(found(named('precip', ...percentiles)).members).toEqual([1]);
    expect(found(named('precip_c00', 'precip_p01', 'precip_p02')).members).toEqual([1, 2, 3]);
    expect(messageOf(() => found(named(...percentiles)))).toMatch(/^DataError a.csv: no column of values/);
    expect(messageOf(() => found(named('precip_mean', 'precip_std')))).toMatch(/no column of values/);
  });

  it('a mean over members of the same variable is left out, another variable is not', () => {
    const columns = ['temperature_2m_m1', 'temperature_2m_m2', 'temperature_2m_mean'];
    expect(found(named(...columns)).members).toEqual([1, 2]);
    expect(messageOf(() => found(named(...columns, 'temperature_2m_max')))).toMatch(/several columns may be meant/);
  });
});

describe('several variables', () => {
  const columns = [
    'temperature_2m_max',
    'temperature_2m_max_member01',
    'precipitation_sum',
    'precipitation_sum_member01',
  ];

  it('must be chosen from; a note names the columns of the others', () => {
    expect(messageOf(() => found(named(...columns)))).toBe(
      "OptionError a.csv, value column: several columns may be meant; received \" temperature_2m_max and 1 more\", \" precipitation_sum and 1 more\"; allowed: one of them, by variable: 'temp_max' | 'precipitation'; or one column, by columns: { value: 'NAME' }",
    );
    expect(found(named(...columns), 'precipitation')).toEqual({
      members: [3, 4],
      variable: 'precipitation',
      notes: ['columns left out:  temperature_2m_max,  temperature_2m_max_member01'],
    });
  });

  it('are chosen by the metadata, if these name one', () => {
    const input = table({ date: two, tp_1: [1, 1], tp_2: [2, 2], tas: [3, 3] }, { variable: 'precipitation' });
    expect(found(input).members).toEqual([1, 2]);
  });

  it('a column with a variable never replaces members without one', () => {
    expect(messageOf(() => found(named('m01', 'm02', 'rain'), 'precipitation'))).toMatch(
      /several columns may be meant/,
    );
    expect(found(named('m01', 'm02', 'tas'), 'precipitation')).toMatchObject({
      members: [1, 2],
      notes: ['column left out:  tas'],
    });
  });
});

describe('no column of numbers is left out without a note', () => {
  it.each([
    ['an elevation', 'elevation', [5, 5]],
    ['a lead', 'lead', [0, 1]],
    ['an index', 'Unnamed: 0', [0, 1]],
    ['an Int64', 'step', typed(new Int64(), [0n, 1n])],
    ['a decimal', 'level', typed(new Decimal(2, 10), [Uint32Array.of(1, 0, 0, 0), Uint32Array.of(2, 0, 0, 0)])],
    ['a boolean', 'flag', typed(new Bool(), [true, false])],
    ['a float16', 'depth', typed(new Float16(), [1, 2])],
    ['a column without a type', 'remark', typed(new Null(), [null, null])],
    ['numbers as texts, one of them bad', 'quality', ['1', 'x']],
    ['a column of another variable', 'tas', [1, 2]],
    ['a second date in numbers', 'time', [1, 2]],
  ] as const)('%s', (_, name, column) => {
    const input = table({ date: two, rain: [1, 2], [name]: column });
    const note = [`column left out: ${name}`];
    expect(found(input, 'precipitation')).toEqual({ members: [1], variable: 'precipitation', notes: note });
    expect(dailyTable(input, { variable: findVariable('precipitation') }).conversions).toEqual(note);
  });

  it('the note names the first and the last of many with one stem', () => {
    const input = named('tp', ...counted('tas_', 0, 50), 'elevation');
    expect(found(input, 'precipitation').notes).toEqual([
      'columns left out:  tas_0 to  tas_50 (51 columns),  elevation',
    ]);
  });

  it('a note says that columns with unknown names are taken for members', () => {
    expect(found(named('one', 'other')).notes).toEqual(['columns taken for members:  one,  other']);
  });
});

describe('a column that looks like a member', () => {
  it('and holds no value is a missing member', () => {
    const input = table({
      date: two,
      tp_1: [1, 2],
      tp_2: typed(new Null(), [null, null]),
      tp_3: typed(new Utf8(), [null, null]),
    });
    expect(found(input).members).toEqual([1, Number.NaN, Number.NaN]);
    const single = table({ date: two, tp_1: typed(new Float32(), [1, 2]), tp_2: typed(new Null(), [null, null]) });
    expect(readEnsemble(single).parts[0].field.type).toBe('float32');
  });

  it('and holds something else is an error that names row and value', () => {
    const failure = (column: Parameters<typeof table>[0][string]) =>
      messageOf(() => readEnsemble(table({ date: two, tp: [1, 2], tp_1: [1, 2], tp_2: column }), { source }));
    expect(failure(['1', 'x'])).toMatch(/^DataError a.csv, row 2, column tp_2: not a number; received "x"/);
    expect(failure(['x', 'y'])).toMatch(/^DataError a.csv, row 1, column tp_2: not a number; received "x"/);
    expect(failure(typed(new Bool(), [true, false]))).toMatch(
      /row 1, column tp_2: not a number; received "Bool: true"/,
    );
  });
});

describe('units in brackets', () => {
  const convert = (columns: Record<string, number[]>, metadata = {}) =>
    dailyTable(table({ date: two, ...columns }, metadata), { source, variable: findVariable('temp_mean') });

  it('are those of the values, round or square, and are converted', () => {
    for (const name of ['t2m_member01 (K)', 't2m_member01 [K]', 't2m_member01(K)', 't2m_member01 ( K )']) {
      const { table: daily, conversions } = convert({ [name]: [273.15, 274.15], 't2m_member02 (K)': [283.15, 284.15] });
      expect(conversions).toEqual(['K to degC']);
      const { parts } = readEnsemble(daily, { variable: findVariable('temp_mean') });
      expect(parts[0].field.members.map((member) => member.value(0))).toEqual([0, 10]);
    }
    expect(convert({ 't2m_m1 (F)': [32, 32], 't2m_m2 (°F)': [32, 32] }).conversions).toEqual(['F to degC']);
  });

  it('that contradict each other, or what the table states, are an error', () => {
    expect(messageOf(() => convert({ 't2m_m1 (K)': [1, 2], 't2m_m2 (°C)': [1, 2] }))).toBe(
      'DataError a.csv, column t2m_m2 (°C): mixed units; received "°C"; allowed: K, as in column t2m_m1 (K): convert it, no option does',
    );
    expect(messageOf(() => convert({ 't2m_m1 (K)': [1, 2] }, { units: 'degC' }))).toBe(
      'DataError a.csv, column t2m_m1 (K): units that contradict those of the table; received "K"; allowed: degC, as the table states',
    );
  });

  it('agree if values are the same in both', () => {
    expect(found(named('tp_1 (mm)', 'tp_2 (kg m-2)', 'tp_3'))).toMatchObject({ members: [1, 2, 3], notes: [] });
  });

  it('of other kinds of texts are part of the name', () => {
    expect(found(named('Temperature (mean)')).variable).toBe('temp_mean');
  });

  it('in metadata of columns must agree, too', () => {
    const input = table({ date: two, m1: [1, 2], m2: [1, 2] });
    const fields = input.schema.fields.map(
      ({ name, type }, i) => new Field(name, type, true, new Map(i === 0 ? [] : [['units', ['', 'mm', 'cm'][i]]])),
    );
    const schema = new Schema(fields);
    const mixed = new Table(schema, new RecordBatch(schema, input.batches[0].data));
    expect(messageOf(() => readEnsemble(mixed, { source }))).toMatch(
      /column m2: mixed units; received "cm"; allowed: mm/,
    );
  });
});

it('a name of many separators takes no time', () => {
  const name = `a${'_'.repeat(100_000)}b${' '.repeat(100_000)}1`;
  expect(found(named(name, 'tp'), 'precipitation').members).toEqual([2]);
});
