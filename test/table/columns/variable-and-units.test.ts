import { Field, RecordBatch, Schema, Table } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { readEnsemble } from '../../../src/table/rows/read-ensemble.js';
import { defineVariable } from '../../../src/variable/define-variable.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { categories, dates, daysFrom, messageOf, read, table } from '../tables.js';

const two = daysFrom('2024-01-01', 2);
const source = 'a.arrow';
const temperature = findVariable('temp_mean');
const failure = (input: Table, options = {}) => messageOf(() => read(input, { source, ...options }));

describe('the variable of a table', () => {
  it('is what its metadata say, else a column of variables, else the name of the column of values', () => {
    expect(read(table({ date: two, rain: [1, 2] }, { variable: 'tmax' })).variable).toBe('temp_max');
    expect(read(table({ date: two, variable: ['tmin', 'tmin'], rain: [1, 2] })).variable).toBe('temp_min');
    expect(read(table({ date: two, rain: [1, 2] })).variable).toBe('precipitation');
    expect(read(table({ date: two, m1: [1, 2], m2: [3, 4] }))).toMatchObject({ variable: undefined, units: undefined });
  });

  it('may be the caller’s own', () => {
    const soil = defineVariable({ slug: 'soil', units: 'm3 m-3', window: 'mean', fileNames: ['swvl1'] });
    const input = table({ date: two, swvl1: [0.1, 0.2] });
    expect(read(input, { variables: [soil] })).toMatchObject({ variable: 'soil', units: 'm3 m-3' });
    expect(read(input, { variable: soil }).variable).toBe('soil');
  });

  it('must be named if a column lists several', () => {
    const input = table({ date: two, member: [1, 1], variable: categories('rain', 'tas'), value: [1, 2] });
    expect(failure(input)).toBe(
      'OptionError a.arrow, variable: the table holds several; received "rain, tas"; allowed: one of them, by the option variable',
    );
  });

  it('cannot be one that the table does not hold', () => {
    const allowed = 'a table of temp_mean, or another variable';
    expect(failure(table({ date: two, m: [1, 2] }, { variable: 'rain' }), { variable: temperature })).toBe(
      `DataError a.arrow: does not hold temp_mean; received "rain"; allowed: ${allowed}`,
    );
    const long = table({ date: two, member: [1, 1], variable: ['rain', 'odd'], value: [1, 2] });
    expect(failure(long, { variable: temperature })).toBe(
      `DataError a.arrow: does not hold temp_mean; received "rain, odd"; allowed: ${allowed}`,
    );
  });

  it('cannot be one of other units than that of the column of values, unless this is said to be the column', () => {
    const rain = table({ date: two, rain: [1, 2] });
    expect(failure(rain, { variable: temperature })).toBe(
      'DataError a.arrow: does not hold temp_mean; received "rain"; allowed: a table of temp_mean, or another variable',
    );
    expect(read(rain, { variable: temperature, columns: { value: 'rain' } }).variable).toBe('temp_mean');
    expect(read(table({ date: two, t2m: [1, 2] }), { variable: findVariable('temp_max') }).variable).toBe('temp_max');
  });

  it('cannot be one in the metadata and another in the rows, unless it is requested', () => {
    const input = table({ date: two, variable: ['rain', 'rain'], value: [1, 2] }, { variable: 'tas' });
    expect(failure(input)).toBe(
      'DataError a.arrow: the metadata say tas, the column of variables another; received "rain"; allowed: one variable, or the one meant by the option variable',
    );
    expect(read(input, { variable: findVariable('precipitation') }).variable).toBe('precipitation');
  });

  it('cannot be picked by rows from a wide table', () => {
    const input = table({ date: two, variable: ['rain', 'tas'], m1: [1, 2], m2: [3, 4] });
    expect(failure(input, { variable: temperature })).toBe(
      'DataError a.arrow, column variable: several variables in a table that has no row per member; received "rain, tas"; allowed: one variable, or a column of members and one of values',
    );
  });
});

describe('the units of a table', () => {
  const message = (place: string, received: string, variable = 'temp_mean', units = 'degC') =>
    `DataError a.arrow${place}: units are not those of ${variable}; received "${received}"; allowed: ${units}; convert the values first`;

  it('may be spelled in any usual way, in a column or in the metadata', () => {
    const columns = { date: two, tas: [1, 2] };
    for (const units of ['degC', '°C', 'Celsius', 'C']) {
      expect(read(table(columns, { units })).units).toBe('degC');
      expect(read(table({ ...columns, units: [units, null] })).units).toBe('degC');
    }
    expect(read(table({ ...columns, unit: ['degC', 'Celsius'] })).units).toBe('degC');
  });

  it('are kept as they are if the variable is unknown', () => {
    expect(read(table({ date: two, m1: [1, 2], m2: [1, 2] }, { units: 'K' })).units).toBe('K');
  });

  it('must be those of the variable, as nothing is converted', () => {
    const columns = { date: two, tas: [280, 281] };
    expect(failure(table(columns, { units: 'K' }))).toBe(message(', column tas', 'K'));
    expect(failure(table({ ...columns, units: ['K', 'K'] }))).toBe(message(', column units', 'K'));
    const input = table(columns);
    const fields = input.schema.fields.map(
      ({ name, type }) => new Field(name, type, true, new Map([['units', 'kelvin']])),
    );
    const schema = new Schema(fields);
    expect(failure(new Table(schema, new RecordBatch(schema, input.batches[0].data)))).toBe(
      message(', column tas', 'kelvin'),
    );
  });

  it('are those at the end of the column of values, if nothing else states them', () => {
    const named = (name: string, metadata = {}) => failure(table({ date: two, [name]: [280, 281] }, metadata));
    expect(named('t2m_K')).toBe(message(', column t2m_K', 'K'));
    expect(named('tmax_f')).toBe(message(', column tmax_f', 'degF', 'temp_max'));
    expect(named('Temperature (K)')).toBe(message(', column Temperature (K)', 'K'));
    expect(named('tp_m')).toBe(message(', column tp_m', 'm', 'precipitation', 'mm'));
    expect(named('precip [in]')).toBe(message(', column precip [in]', 'in', 'precipitation', 'mm'));
    for (const name of [
      't2m_degC',
      'tas_c',
      'Temp (°C)',
      'Rain (mm)',
      'wind_m_s',
      'wind (m/s)',
      'rsds_MJm2',
      'rh_pct',
      'vpd_kPa',
      'Temperature (mean)',
    ]) {
      expect(read(table({ date: two, [name]: [1, 2] })).parts[0].members).toEqual({ [name]: [1, 2] });
    }
    expect(read(table({ date: two, t2m_K: [1, 2] }, { units: 'degC' })).units).toBe('degC');
  });

  it('must not be mixed in the rows that are used', () => {
    const rows = { date: dates('2024-01-01', '2024-01-01', '2024-01-02'), member: [1, 1, 1], value: [1, 2, 3] };
    const input = table({ ...rows, variable: ['tas', 'rain', 'tas'], units: ['degC', 'mm', 'degC'] });
    expect(read(input, { variable: temperature }).parts[0].members).toEqual({ 1: [1, 3] });
    const mixed = table({ ...rows, variable: ['tas', 'rain', 'tas'], units: ['degC', 'mm', 'K'] });
    expect(failure(mixed, { variable: temperature })).toBe(
      'DataError a.arrow, row 3, column units: mixed units; received "K"; allowed: degC, as in the rows before: convert it, no option does',
    );
  });
});

describe('several names for one variable in the column of variables', () => {
  const rows = () =>
    table({
      variable: ['t2m', 't2m', 'tas', 'tas'],
      member: ['a', 'b', 'a', 'b'],
      date: dates('2024-01-01', '2024-01-01', '2024-01-02', '2024-01-02'),
      value: [1, 2, 3, 4],
    });

  it('are an error that names them, unless one of them is requested', () => {
    const variable = findVariable('temp_mean');
    expect(() => readEnsemble(rows(), { variable })).toThrow(
      'variable: several names in the column of variables mean temp_mean; received "t2m, tas"; allowed: one of them, named as the variable',
    );
    const { parts, notes } = readEnsemble(rows(), { variable, variableName: 'tas' });
    expect([parts[0].field.days, parts[0].field.members[1].value(0), notes]).toEqual([1, 4, ['tas is temp_mean']]);
  });
});
