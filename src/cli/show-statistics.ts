import { DataType, type Table } from 'apache-arrow';
import pc from 'picocolors';
import { printable } from '../check/printable.js';
import { countYears } from '../climate/reference-years.js';
import { formatDate } from '../period/day.js';
import { windowWords } from '../plot/panel-texts.js';
import { quantileColumns, readStatistic } from '../statistics/result-column.js';
import type { Statistic } from '../statistics/statistic.js';
import { measureOf } from '../statistics/statistic-kinds.js';
import { variables } from '../variable/built-in.js';
import { fan, fanAxis, fanScale } from './fan.js';
import { type TextColumn, textTable } from './text-table.js';

export interface ShowOptions {
  readonly colour: boolean;
  /** Width of the terminal in characters. */
  readonly maxWidth?: number;
}

type Cell = string | number | boolean | null;

/** Columns that move to the caption if all their cells are equal. */
const CAPTION = ['variable', 'units', 'latitude', 'longitude'];
/** Columns that are left out if all windows are complete; `start` and `end` repeat the period. */
const REDUNDANT = ['start', 'end', 'complete', 'n_days'];

/** Formats a table of statistics for a terminal: a caption, aligned columns, and a fan of the quantiles in text. */
export function showStatistics(table: Table, { colour, maxWidth }: ShowOptions): string {
  const cells = new Map(table.schema.fields.map(({ name }) => [name, cellsOf(table, name)]));
  const statistics = new Map(table.schema.fields.map((field) => [field.name, readStatistic(field)]));
  const constant = CAPTION.filter((name) => new Set(cells.get(name)).size === 1);
  const isComplete = cells.get('complete')?.every((complete) => complete === true);
  const distinct = cells.get('degenerate')?.every((degenerate) => degenerate === false);
  const redundant = [...(isComplete ? REDUNDANT : ['start', 'end']), ...(distinct ? ['degenerate'] : [])];
  const hidden = new Set([...constant, ...redundant]);
  const { bold } = pc.createColors(colour);
  const columns = [...cells]
    .filter(([name]) => !hidden.has(name))
    .map(([name, values]) => textColumn(name, values, formatter(name, statistics.get(name), cells)));
  const fanned = fanColumn(cells, quantileColumns(table));
  const text = textTable(fanned === undefined ? columns : [...columns, fanned], { maxWidth, header: bold });
  return `${bold(caption(constant, cells, table))}\n${text}\n`;
}

function cellsOf(table: Table, name: string): Cell[] {
  const vector = table.getChild(name);
  const cells = [...(vector as Iterable<Cell>)].map((cell) => (typeof cell === 'string' ? printable(cell) : cell));
  if (name !== 'start' && name !== 'end') return cells;
  if (vector === null || !DataType.isDate(vector.type)) return cells;
  return vector.data.flatMap((data) => Array.from(data.values as Int32Array, formatDate));
}

function caption(constant: readonly string[], cells: Map<string, Cell[]>, table: Table): string {
  const [name, units, latitude, longitude] = CAPTION.map((key) =>
    constant.includes(key) ? (cells.get(key) as Cell[])[0] : null,
  );
  const parts = [`${name ?? 'values'}${units === null ? '' : ` (${label(String(name), String(units))})`}`];
  if (typeof latitude === 'number' && typeof longitude === 'number')
    parts.push(`at ${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}`);
  const granularity = table.schema.metadata.get('granularity');
  const window = table.schema.metadata.get('window');
  if (granularity !== undefined) parts.push(windowWords(granularity, window));
  const reference = table.schema.metadata.get('reference_period');
  if (reference !== undefined) parts.push(`against ${reference}`);
  const years = table.schema.metadata.get('reference');
  if (years !== undefined) parts.push(`of ${years}`);
  const missing = countYears(table.schema.metadata.get('lacking_years') ?? '');
  if (missing > 0) parts.push(`${missing} ${missing === 1 ? 'year' : 'years'} missing`);
  return parts.join(', ');
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Number(Math.abs(value).toFixed(4))}° ${value < 0 ? negative : positive}`;
}

/** The label of a unit, if it is that of a known variable. */
function label(slug: string, units: string): string {
  const variable = variables.find((known) => known.slug === slug);
  return variable !== undefined && variable.units === units ? variable.label : units;
}

function textColumn(name: string, values: readonly Cell[], format: (value: Cell) => string): TextColumn {
  const text = typeof values.find((value) => value !== null) === 'string';
  if (text) return { name, align: 'left', cells: values.map((value) => String(value ?? '')) };
  return { name, align: 'right', cells: values.map((value) => (value === null ? '' : format(value))) };
}

function formatter(
  name: string,
  statistic: Statistic | undefined,
  cells: Map<string, Cell[]>,
): (value: Cell) => string {
  if (name === 'complete' || name === 'degenerate') return (value) => (value ? 'yes' : 'no');
  const measure = measureOf(statistic);
  if (name === 'n_days' || measure === 'number') return String;
  if (name === 'latitude' || name === 'longitude') return (value) => String(Number(Number(value).toFixed(4)));
  if (measure === 'share') return (value) => Number(value).toFixed(3);
  // A verification has labels and counts, which are whole numbers, and scores, which may be small.
  if (cells.has('score') && cells.has('cases')) {
    const isWhole = cells.get(name)?.every((value) => value === null || Number.isInteger(value));
    return isWhole ? String : (value) => Number(value).toFixed(4);
  }
  const [slug, ...others] = new Set(cells.get('variable'));
  const decimals = others.length === 0 ? variables.find((known) => known.slug === slug)?.decimals : undefined;
  const shown = (value: Cell) =>
    decimals === undefined ? String(Number(Number(value).toPrecision(6))) : Number(value).toFixed(decimals);
  return measure === 'difference' ? (value) => (Number(value) > 0 ? `+${shown(value)}` : shown(value)) : shown;
}

/** The fan of the quantiles; undefined for fewer than two quantiles, or rows in different units. */
function fanColumn(cells: Map<string, Cell[]>, columns: readonly { readonly name: string }[]): TextColumn | undefined {
  const quantiles = columns.map(({ name }) => cells.get(name) as (number | null)[]);
  const [units, ...others] = new Set(cells.get('units'));
  if (quantiles.length < 2 || others.length > 0) return undefined;
  const rows = quantiles[0].map((_, row) => quantiles.map((values) => values[row]));
  const scale = fanScale(rows);
  if (scale === undefined) return undefined;
  const [slug] = new Set(cells.get('variable'));
  const shown = units === null || units === undefined ? undefined : label(String(slug), String(units));
  return { name: fanAxis(scale, { units: shown }), align: 'left', cells: rows.map((row) => fan(row, scale)) };
}
