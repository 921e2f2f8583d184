import { formatBytes } from '../batch/byte-count.js';
import { printable } from '../check/printable.js';
import type { InspectedColumn, InspectedVariable, Inspection } from '../input/inspect/inspection.js';
import { formatDays, formatLabels, formatPlaces, formatReading, formatValues } from './format-inspection.js';
import { labelledLines } from './labelled-lines.js';
import { type TextColumn, textTable } from './text-table.js';

/** How to format an inspection. */
export interface ShowInspectionOptions {
  /** In characters. */
  readonly width: number;
  /** Styles a heading without changing its width. */
  readonly heading: (text: string) => string;
}

const HOLDS: Record<Inspection['holds'], string> = {
  values: 'values over time',
  statistics: 'statistics by windows, as plumecast computes them',
  climatology: 'a climatology, as plumecast computes it',
  'no values': 'no values: its arrays are empty',
  'nothing understood': 'nothing that is understood',
};

/** Of a file whose values need an option. */
const UNDECIDED = 'values that cannot be used as they are: see the problem below';

/** Of a table of which no model is chosen. */
const OF_MODELS = 'members of several models: --model chooses one';

/** Metadata that are shown elsewhere, or are only for programs. */
const NOT_FOR_PEOPLE = ['member_names', 'pandas', 'ARROW:schema', 'plumecast_metadata'];

/**
 * An inspection as text for people: what the file is, its columns or arrays, and each variable with what can be done
 * with it.
 */
export function showInspection(inspection: Inspection, { width, heading }: ShowInspectionOptions): string {
  const { source, format, bytes, holds, dimensions, rows, metadata, columns, notices, variables } = inspection;
  const isUndecided = holds === 'nothing understood' && variables.length > 0;
  const head = labelledLines(
    [
      ['format', `${format}${bytes === undefined ? '' : `, ${formatBytes(bytes)}`}`],
      ['holds', metadata.models?.includes(',') ? OF_MODELS : isUndecided ? UNDECIDED : HOLDS[holds]],
      ['dimensions', dimensions?.map(({ name, length }) => `${name} ${length}`).join(', ')],
      ['rows', rows === undefined ? undefined : grouped(rows)],
      ...Object.entries(metadata)
        .filter(([name]) => !NOT_FOR_PEOPLE.includes(name))
        .map(([name, text]) => [name, shortened(text)] as const),
      ...(notices ?? []).map((text, i) => [i === 0 ? 'notices' : '', text] as const),
    ],
    width,
  );
  const table = textTable(toTextColumns(columns, dimensions !== undefined), { maxWidth: width, header: heading });
  const parts = variables.map(
    (variable) =>
      `${heading(printable(titleOf(variable)))}\n${formatVariable(variable, dimensions === undefined, width)}`,
  );
  return `${[`${heading(printable(source))}\n${head}`, table, ...parts].filter((part) => part !== '').join('\n\n')}\n`;
}

/** Consecutive columns of members are shown as one line. */
function toTextColumns(columns: readonly InspectedColumn[], areArrays: boolean): TextColumn[] {
  const shown = areArrays ? columns.map((column) => ({ ...column, label: column.name })) : inRuns(columns);
  const all = (name: string, cell: (column: InspectedColumn) => string, align: TextColumn['align'] = 'left') => {
    const cells = shown.map((column) => printable(cell(column)));
    return cells.some((text) => text !== '') ? [{ name, align, cells }] : [];
  };
  return [
    { name: areArrays ? 'array' : 'column', align: 'left', cells: shown.map(({ label }) => printable(label)) },
    ...all('type', ({ type }) => type),
    ...all('shape', ({ dimensions, shape }) => (dimensions ?? []).map((name, d) => `${name} ${shape?.[d]}`).join(', ')),
    ...all('units', ({ units }) => units ?? ''),
    ...all('used as', ({ role }) => role ?? ''),
    ...all('missing', ({ missing }) => (missing === undefined ? '' : grouped(missing)), 'right'),
    ...all('chunks', ({ chunk, filters = [] }) => (chunk ? [chunk.join(' x '), ...filters].join(', ') : '')),
  ];
}

/** Columns with their labels: `member_00 to member_30`. */
function inRuns(columns: readonly InspectedColumn[]): (InspectedColumn & { label: string })[] {
  const runs: InspectedColumn[][] = [];
  for (const column of columns) {
    const run = runs[runs.length - 1];
    if (run !== undefined && isLike(run[0], column)) run.push(column);
    else runs.push([column]);
  }
  return runs.map((run) => {
    const [first, last] = [run[0], run[run.length - 1]];
    const missing = run.reduce((sum, column) => sum + (column.missing ?? 0), 0);
    const label = run.length === 1 ? first.name : `${first.name} to ${last.name}`;
    return { ...first, label, ...(first.missing !== undefined && { missing }) };
  });
}

function isLike(one: InspectedColumn, other: InspectedColumn): boolean {
  return one.role === 'member' && other.role === 'member' && one.type === other.type && one.units === other.units;
}

function titleOf({ name, variable, units, problem }: InspectedVariable): string {
  if (variable === undefined) return problem === undefined ? `${name}: unknown variable` : name;
  const unit = units === undefined ? '' : ` (${units})`;
  return variable === name ? `${variable}${unit}` : `${variable}${unit}, from ${name}`;
}

function formatVariable(inspected: InspectedVariable, isOfTable: boolean, width: number): string {
  const { problem, members, days, places, windows, values, conversions = [], reading, command } = inspected;
  const { warnings = [], needed, times, taken } = inspected;
  const option = (ofArrays: string) => (isOfTable ? '--columns' : ofArrays);
  return labelledLines(
    [
      ['problem', problem],
      ['members', members && otherwise(formatMembers(members), taken?.members, option('--member-dimension'))],
      ['days', days && formatDays(days)],
      ['times', times && otherwise(TIMES[times.stamps], times.by, '--stamps')],
      ['dates', taken?.dates && otherwise('as they are written', taken.dates, '--columns')],
      ['units', taken?.units],
      ['run', taken && otherwise(taken.run.start ?? 'not stated', severalRuns(taken.run.along), '--init')],
      ['places', places && otherwise(formatPlaces(places), taken?.places, option('--coordinates'))],
      ['labels', places && formatLabels(places)],
      ['notes', conversions.join('; ')],
      ['warning', warnings.length === 0 ? undefined : warnings.join('; ')],
      ...(values === undefined ? [] : formatValues(values, inspected)),
      [
        'windows',
        windows && `${counted(windows.weekly, 'complete week')}, ${counted(windows.monthly, 'complete month')}`,
      ],
      ['reading', reading && formatReading(reading)],
      ['command', command, ' \\'],
      ['needed', needed],
    ],
    width,
  );
}

/** What times stand for. */
const TIMES = {
  start: 'the start of their step',
  middle: 'the middle of their step',
  end: 'the end of their step',
  instant: 'instants',
} as const;

/** What was taken and by what, with the option that decides otherwise. */
function otherwise(taken: string, by: string | undefined, option: string): string {
  return by === undefined ? taken : `${taken}, ${by}; ${option} decides otherwise`;
}

function severalRuns(dimension: string | undefined): string | undefined {
  return dimension === undefined ? undefined : `one of several along ${dimension}`;
}

function formatMembers({ count, first, last }: NonNullable<InspectedVariable['members']>): string {
  return count > 1 ? `${count}: ${first} to ${last}` : `${count}`;
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Shortens metadata, which may be long documents. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 117)}...` : line;
}
