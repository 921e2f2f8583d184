import { isHeight, type Level, levelText } from './level.js';
import { ECMWF_PARAMETERS, GRIB2_PARAMETERS } from './parameter-table.js';
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

/** Disciplines, categories and numbers from here on have the meaning that a centre gives them. */
const LOCAL = 192;
const ECMWF = 98;

let tables: { readonly wmo: ReadonlyMap<string, readonly Row[]>; readonly ecmwf: ReadonlyMap<string, readonly Row[]> };

/** Finds the names and the unit of a product's parameter; one that is not in the tables is named by its numbers. */
export function findParameter({
  parameter,
  level,
  stepType,
}: Pick<Product, 'parameter' | 'level' | 'stepType'>): Parameter {
  const row = rowsOf(parameter).find((each) => fits(each, level, stepType));
  if (row === undefined) return unknownParameter(parameter, level);
  const { shortName, name, units, standardName } = row;
  if (row.level !== '' || isEcmwfTable(parameter)) return { shortName, name, units, standardName };
  return { shortName: `${shortName}_${levelText(level)}`, name, units, standardName };
}

function isEcmwfTable({ discipline, centre }: ParameterNumbers): boolean {
  return discipline === LOCAL && centre === ECMWF;
}

function rowsOf(parameter: ParameterNumbers): readonly Row[] {
  tables ??= { wmo: parseRows(GRIB2_PARAMETERS), ecmwf: parseRows(ECMWF_PARAMETERS) };
  const { discipline, category, number, centre } = parameter;
  if (isEcmwfTable(parameter)) return tables.ecmwf.get(`${category}-${number}`) ?? [];
  const isLocal = discipline >= LOCAL || category >= LOCAL || number >= LOCAL;
  return tables.wmo.get(`${discipline}-${category}-${number}${isLocal ? `/${centre}` : ''}`) ?? [];
}

function parseRows(text: string): ReadonlyMap<string, readonly Row[]> {
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
  if (wanted === '2m' || wanted === '10m') return isHeight(level, Number.parseInt(wanted, 10));
  if (wanted === 'surface') return level.type === 1;
  return wanted === '' || (wanted === 'meanSea' && level.type === 101);
}

function unknownParameter(parameter: ParameterNumbers, level: Level): Parameter {
  const { discipline, category, number, centre } = parameter;
  const numbers = `${discipline}_${category}_${number}`;
  const isLocal = Math.max(discipline, category, number) >= LOCAL;
  const shortName = `param${numbers}${isLocal ? `_centre${centre}` : ''}`;
  const where = levelText(level);
  return {
    shortName: where === 'surface' ? shortName : `${shortName}_${where}`,
    name: `unknown parameter ${numbers.replaceAll('_', '-')}`,
    ...{ units: undefined, standardName: undefined },
  };
}
