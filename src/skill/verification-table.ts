import type { Table } from 'apache-arrow';
import { assertKnownKeys, assertOneOf, assertShape, type Choice } from '../check/option-checks.js';
import { floatArray } from '../core/number-arrays.js';
import {
  createTable,
  flags,
  integers,
  type NewColumn,
  numbers,
  textDictionary,
  texts,
} from '../table/build/create-table.js';
import { falseDiscoveries } from './false-discovery.js';
import { assertAbout, type StateAbout } from './state.js';
import type { Verification } from './verification.js';
import {
  type GroupScores,
  SCORES_KEYS,
  type Score,
  type ScoresOptions,
  verificationScores,
} from './verification-scores.js';

/** What a table of a verification has in its rows. */
export const VERIFICATION_TABLES = ['scores', 'reliability', 'roc', 'ranks'] as const;

/** How tables are made of a verification. */
export interface TableOptions extends ScoresOptions {
  /**
   * Scores; the points of reliability diagrams or of ROC curves; or rank histograms. Default `scores`.
   */
  table?: Choice<(typeof VERIFICATION_TABLES)[number]>;
}

/** The share of false ones among scores that are marked as significant. */
export const FALSE_DISCOVERY_RATE = 0.1;

/**
 * A table of a verification. Of scores, a row for each group, score and event: the score of the forecast (`value`), of the reference and the skill,
 * and with `confidence` the ends of their intervals, the p-value of skill, and whether it is significant among all
 * groups (`significant`), so that at most a tenth of those is expected to be by chance. Throws as `verificationScores` does.
 */
export function verificationTable(
  verified: { readonly verification: Verification; readonly about: StateAbout },
  options: TableOptions = {},
): Table {
  assertShape('verified', verified, { verification: 'object', about: 'object' });
  assertAbout('verified.about', verified.about);
  assertKnownKeys(options, ['table', ...SCORES_KEYS]);
  const { verification, about } = verified;
  const { table = 'scores', ...others } = options;
  assertOneOf('table', table, VERIFICATION_TABLES);
  const groups = verificationScores(verification, others);
  const rows = ROWS[table as keyof typeof ROWS](groups);
  return tableOf(rows, groups, about, columnsOf(table, verification, others));
}

const ROWS = { scores: scoreRows, reliability: reliabilityRows, roc: rocRows, ranks: rankRows };

type Cell = string | number | boolean | undefined;

/** A row: its group, and values by column. */
interface Row {
  readonly group: GroupScores;
  readonly values: Readonly<Record<string, Cell>>;
}

type Kind = 'text' | 'number' | 'count' | 'flag';

/** The columns of a table, in order. */
function columnsOf(
  table: string,
  { hasReference }: Verification,
  { confidence }: ScoresOptions,
): Readonly<Record<string, Kind>> {
  if (table === 'ranks')
    return {
      members: 'count',
      rank: 'count',
      cases_of_rank: 'number',
      expected: 'number',
      chi_square: 'number',
      p_value: 'number',
    };
  if (table === 'reliability')
    return { event: 'text', probability: 'number', observed: 'number', cases_of_probability: 'number' };
  if (table === 'roc') return { event: 'text', probability: 'number', hit_rate: 'number', false_alarm_rate: 'number' };
  const withEnds = (name: string): Record<string, Kind> => ({
    [name]: 'number',
    ...(confidence !== undefined && { [`${name}_low`]: 'number', [`${name}_high`]: 'number' }),
  });
  return {
    ...{ score: 'text', of: 'text', ...withEnds('value') },
    ...(hasReference && { ...withEnds('reference'), ...withEnds('skill') }),
    ...(hasReference && confidence !== undefined && { p_value: 'number', significant: 'flag' }),
  };
}

function scoreRows(groups: readonly GroupScores[]): Row[] {
  const rows = groups.flatMap((group) => {
    const of = (forecast: string, name: string, event: string | undefined) =>
      group.scores.find((one) => one.forecast === forecast && one.score === name && one.of === event);
    const own = [...group.scores.filter(({ forecast }) => forecast === 'forecast'), ...decompositionScores(group)];
    return own.map((score) => {
      const { score: name, of: event } = score;
      const skill = of('skill', `${name}_skill`, event);
      const values = {
        ...{ score: name, of: event, ...ends('value', score), ...ends('reference', of('reference', name, event)) },
        ...{ ...ends('skill', skill), p_value: skill?.pValue },
      };
      return { group, values };
    });
  });
  return withDiscoveries(rows);
}

/** The parts of the CRPS as scores. */
function decompositionScores({ decomposition }: GroupScores): Score[] {
  if (decomposition === undefined) return [];
  const { reliability, potential } = decomposition;
  const part = (score: string, value: number): Score => ({ score, of: undefined, forecast: 'forecast', value });
  return [part('crps_reliability', reliability), part('crps_potential', potential)];
}

function ends(name: string, score: Score | undefined): Record<string, number | undefined> {
  return { [name]: score?.value, [`${name}_low`]: score?.low, [`${name}_high`]: score?.high };
}

/** Says of each row whether its skill is significant among the rows of all groups with the same score. */
function withDiscoveries(rows: readonly Row[]): Row[] {
  const families = new Map<string, number[]>();
  for (const [i, { values }] of rows.entries()) {
    if (!(Number(values.p_value) >= 0)) continue;
    const key = `${values.score} ${values.of}`;
    families.set(key, [...(families.get(key) ?? []), i]);
  }
  const isFound = new Set<number>();
  for (const family of families.values()) {
    const found = falseDiscoveries(
      family.map((i) => rows[i].values.p_value as number),
      FALSE_DISCOVERY_RATE,
    );
    family.forEach((i, k) => {
      if (found[k]) isFound.add(i);
    });
  }
  return rows.map((row, i) => ({ ...row, values: { ...row.values, significant: isFound.has(i) } }));
}

function rankRows(groups: readonly GroupScores[]): Row[] {
  return groups.flatMap((group) =>
    group.ranks.flatMap(({ members, counts, cases, chiSquare, pValue }) =>
      counts.map((count, rank) => ({
        group,
        values: {
          ...{ members, rank, cases_of_rank: count, expected: cases / counts.length },
          ...{ chi_square: chiSquare, p_value: pValue },
        },
      })),
    ),
  );
}

function reliabilityRows(groups: readonly GroupScores[]): Row[] {
  return groups.flatMap((group) =>
    group.events.flatMap(({ event, reliability }) =>
      reliability.map(({ probability, observed, cases }) => ({
        group,
        values: { event, probability, observed, cases_of_probability: cases },
      })),
    ),
  );
}

function rocRows(groups: readonly GroupScores[]): Row[] {
  return groups.flatMap((group) =>
    group.events.flatMap(({ event, roc }) =>
      roc.map(({ probability, hitRate, falseAlarmRate }) => ({
        group,
        // No warning at all, where the curve begins, has an infinite probability: it becomes none.
        values: { event, probability, hit_rate: hitRate, false_alarm_rate: falseAlarmRate },
      })),
    ),
  );
}

function tableOf(
  rows: readonly Row[],
  groups: readonly GroupScores[],
  about: StateAbout,
  columns: Readonly<Record<string, Kind>>,
): Table {
  const by = Array.isArray(about.by) ? (about.by as readonly string[]) : [];
  const names = [...(about.horizon === undefined ? [] : ['horizon']), 'variable', 'units', 'granularity'];
  const stated = names.map((name) => textColumn(name, rows, () => about[name] as Cell));
  const labels = labelNames(groups, by).map((name) => {
    const isNumber = groups.every(({ labels: own }) => typeof (own[name] ?? 0) === 'number');
    return isNumber
      ? numberColumn(name, rows, ({ group }) => group.labels[name])
      : textColumn(name, rows, ({ group }) => group.labels[name]);
  });
  const unit = about.lead_unit === undefined ? [] : [textColumn('lead_unit', rows, () => about.lead_unit as Cell)];
  const at = labels.findIndex(({ name }) => name === 'lead') + 1;
  const counts = (['cases', 'missing', 'blocks'] as const).map((name) =>
    integers(
      name,
      Int32Array.from(rows, ({ group }) => group[name]),
    ),
  );
  const own = Object.entries(columns).map(([name, kind]): NewColumn => {
    const value = ({ values }: Row) => values[name];
    if (kind === 'text') return textColumn(name, rows, value);
    if (kind === 'flag')
      return flags(
        name,
        Uint8Array.from(rows, (row) => Number(value(row) === true)),
      );
    if (kind === 'count')
      return integers(
        name,
        Int32Array.from(rows, (row) => Number(value(row))),
      );
    return numberColumn(name, rows, value);
  });
  const metadata = new Map(
    Object.entries(about).flatMap(([key, value]) => (key === 'scored' ? [] : [[key, String(value)] as const])),
  );
  return createTable([...stated, ...labels.slice(0, at), ...unit, ...labels.slice(at), ...counts, ...own], metadata);
}

/** The labels of groups in the order in which they were requested. */
function labelNames(groups: readonly GroupScores[], by: readonly string[]): string[] {
  const known = new Set(groups.flatMap(({ labels }) => Object.keys(labels)));
  const wanted = by.flatMap((label) => (label === 'place' ? ['id', 'latitude', 'longitude'] : [label]));
  return [...wanted.filter((name) => known.has(name)), ...[...known].filter((name) => !wanted.includes(name))];
}

function numberColumn(name: string, rows: readonly Row[], cellOf: (row: Row) => Cell): NewColumn {
  const values = floatArray('float64', rows.length);
  rows.forEach((row, i) => {
    const value = cellOf(row);
    values[i] = typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
  });
  return numbers(name, values);
}

function textColumn(name: string, rows: readonly Row[], cellOf: (row: Row) => Cell): NewColumn {
  const found = rows.map((row) => (cellOf(row) === undefined ? null : String(cellOf(row))));
  const distinct = [...new Set(found)];
  const places = new Map(distinct.map((text, i) => [text, i]));
  return texts(
    name,
    Int32Array.from(found, (text) => places.get(text) as number),
    textDictionary(distinct),
  );
}
