import { isHeight, isScreenHeight, type Level, levelText } from './level.js';
import { ECMWF_PARAMETERS, GRIB1_PARAMETERS, GRIB2_PARAMETERS } from './parameter-table.js';
import type { ParameterNumbers, Product, StepType } from './product.js';

/** What a parameter is called. */
export interface Parameter {
  /** The name of ecCodes, with the level where a short name has several: `2t`, `t_850hPa`, `param0_1_200`. */
  readonly shortName: string;
  readonly name: string;
  /** Undefined for an unknown parameter. */
  readonly units: string | undefined;
  /** Of CF; undefined where it has none, or the level is not the one that the name usually means. */
  readonly standardName: string | undefined;
}

interface Row extends Omit<Parameter, 'units'> {
  readonly units: string;
  readonly level: string;
  readonly process: string;
}

type Rows = ReadonlyMap<string, readonly Row[]>;

/** Disciplines, categories and numbers from here on have the meaning that a centre gives them. */
const LOCAL = 192;
/** The same for versions of table 2 of edition 1, and the numbers in it. */
const LOCAL_OF_EDITION_1 = 128;

/** The interval of a parameter that is an amount or an extreme by its definition. */
interface Interval {
  readonly process: StepType;
  /** Its length in hours; or it begins with the run, or with the step before. */
  readonly hours: number | 'start' | 'step';
}

let tables: Readonly<Record<ParameterNumbers['table'], Rows>>;

/** Finds the names and the unit of a product's parameter; one that is not in the tables is named by its numbers. */
export function findParameter({
  parameter,
  level,
  stepType,
}: Pick<Product, 'parameter' | 'level' | 'stepType'>): Parameter {
  const row = rowsOf(parameter).find((each) => fits(each, level, stepType));
  if (row === undefined) return unknownParameter(parameter, level);
  if (row.level === '2m' && !isHeight(level, 2)) return atScreenHeight(row, levelText(level));
  const { shortName, name, units, standardName } = row;
  const isOfAnyLevel = row.level === 'each' || (row.level === '' && parameter.table !== 'ecmwf');
  if (!isOfAnyLevel) return { shortName, name, units, standardName };
  return { shortName: `${shortName}_${levelText(level)}`, name, units, standardName };
}

/** A parameter of 2 m at another height of the same meaning, such as the 1.5 m of the Met Office: `t_1.5m`. */
function atScreenHeight({ shortName, name, units, standardName }: Row, height: string): Parameter {
  const metres = height.replace('m', '');
  return {
    shortName: `${shortName.replace('2', '')}_${height}`,
    name: name.replace('2 metre', `${metres} metre`),
    ...{ units, standardName },
  };
}

/**
 * The interval of a field that states a single time, of a parameter of ECMWF's tables of edition 1; undefined for what
 * is an instant.
 */
export function intrinsicInterval(parameter: ParameterNumbers): Interval | undefined {
  const process = parameter.table === 'ecmwf' ? intrinsicProcess(parameter) : undefined;
  if (process === undefined) return undefined;
  if (process === 'accum') return { process, hours: 'start' };
  const hours = /in the last (\d+) hours$/.exec(rowsOf(parameter)[0].name)?.[1];
  return { process, hours: hours === undefined ? 'step' : Number(hours) };
}

/** Whether a parameter is an amount or an extreme by its definition. */
export function intrinsicProcess(parameter: ParameterNumbers): StepType | undefined {
  const processes = new Set(rowsOf(parameter).map(({ process }) => process));
  const [process] = processes;
  return processes.size === 1 && process !== '' ? (process as StepType) : undefined;
}

function rowsOf(parameter: ParameterNumbers): readonly Row[] {
  tables ??= {
    'edition 2': parseRows(GRIB2_PARAMETERS),
    'edition 1': parseRows(GRIB1_PARAMETERS),
    ecmwf: parseRows(ECMWF_PARAMETERS),
  };
  const { table, discipline, category, number, centre } = parameter;
  const suffix = isLocal(parameter) ? `/${centre}` : '';
  if (table === 'edition 1') {
    return category < LOCAL_OF_EDITION_1 ? (tables[table].get(`${number}${suffix}`) ?? []) : [];
  }
  const key = table === 'ecmwf' ? `${category}-${number}` : `${discipline}-${category}-${number}${suffix}`;
  return tables[table].get(key) ?? [];
}

/** Whether the centre has given a parameter its meaning. */
function isLocal({ table, discipline, category, number }: ParameterNumbers): boolean {
  if (table === 'edition 2') return Math.max(discipline, category, number) >= LOCAL;
  return Math.max(category, number) >= LOCAL_OF_EDITION_1;
}

function parseRows(text: string): Rows {
  const rows = new Map<string, Row[]>();
  for (const line of text.trim().split('\n')) {
    const [numbers, level, process, shortName, units, name, standardName] = line.split('|').map((cell) => cell.trim());
    const row = { level, process, shortName, units, name, standardName: standardName || undefined };
    rows.set(numbers, [...(rows.get(numbers) ?? []), row]);
  }
  return rows;
}

/** Units of what can be added up over time: an accumulated rate or flux has another unit than its line says. */
const AMOUNTS = ['m', 'kg m-2', 'J m-2'];

function fits({ level: wanted, process, units }: Row, level: Level, stepType: StepType): boolean {
  if (process !== '' && process !== stepType) return false;
  if (stepType === 'accum' && !AMOUNTS.includes(units)) return false;
  if (wanted === '2m') return isScreenHeight(level);
  if (wanted === '10m') return isHeight(level, 10);
  if (wanted === 'surface') return level.type === 1;
  return wanted === '' || wanted === 'each' || (wanted === 'meanSea' && level.type === 101);
}

function unknownParameter(parameter: ParameterNumbers, level: Level): Parameter {
  const { table, discipline, category, number, centre } = parameter;
  const numbers = table === 'edition 1' ? `table${category}_${number}` : `${discipline}_${category}_${number}`;
  const shortName = `param${table === 'edition 1' ? '_' : ''}${numbers}${isLocal(parameter) ? `_centre${centre}` : ''}`;
  const where = levelText(level);
  return {
    shortName: where === 'surface' ? shortName : `${shortName}_${where}`,
    name: `unknown parameter ${numbers.replaceAll('_', '-')}`,
    ...{ units: undefined, standardName: undefined },
  };
}
