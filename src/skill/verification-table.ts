import type { Table } from 'apache-arrow';
import { assertKnownKeys, assertOneOf, assertShape, type Choice } from '../check/option-checks.js';
import { createTable, flags, type NewColumn } from '../table/build/create-table.js';
import { falseDiscoveries } from './false-discovery.js';
import { type Cell, CountColumn, NumberColumn, type ScoreColumn, TextColumn } from './score-columns.js';
import { assertAbout, type StateAbout } from './state.js';
import { assertVerification, type Verification } from './verification.js';
import {
  eachGroupScores,
  type GroupScores,
  SCORES_KEYS,
  type Score,
  type ScoresOptions,
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
  assertVerification(verified.verification);
  assertAbout('verified.about', verified.about);
  assertKnownKeys(options, ['table', ...SCORES_KEYS]);
  const { verification, about } = verified;
  const { table = 'scores', ...others } = options;
  assertOneOf('table', table, VERIFICATION_TABLES);
  const groups = eachGroupScores(verification, others);
  const rowsOf = ROWS[table as keyof typeof ROWS];
  const names = statedNames(about);
  const stated = names.map(() => new TextColumn());
  const unit = about.lead_unit === undefined ? [] : [new TextColumn()];
  const labels = labelColumns(verification, others.by, about);
  const counts = COUNTS.map(() => new CountColumn());
  const own = new Map(
    Object.entries(columnsOf(table, verification, others)).map(([name, kind]) => [name, KINDS[kind]()]),
  );
  // Only the columns grow with the groups.
  for (const group of groups) {
    for (const values of rowsOf(group)) {
      stated.forEach((column, k) => {
        column.add(about[names[k]] as Cell);
      });
      unit[0]?.add(about.lead_unit as Cell);
      for (const [name, column] of labels) column.add(group.labels[name]);
      counts.forEach((column, k) => {
        column.add(group[COUNTS[k]]);
      });
      for (const [name, column] of own) column.add(values[name]);
    }
  }
  const made = (columns: Iterable<readonly [string, ScoreColumn]>) =>
    Array.from(columns, ([name, column]) => column.column(name));
  const ofLabels = made(labels);
  const at = ofLabels.findIndex(({ name }) => name === 'lead') + 1;
  const metadata = new Map(
    Object.entries(about).flatMap(([key, value]) => (key === 'scored' ? [] : [[key, String(value)] as const])),
  );
  const columns = [
    ...made(stated.map((column, k) => [names[k], column])),
    ...[...ofLabels.slice(0, at), ...made(unit.map((column) => ['lead_unit', column])), ...ofLabels.slice(at)],
    ...[...made(counts.map((column, k) => [COUNTS[k], column])), ...made(own)],
    ...significantColumn(own),
  ];
  return createTable(columns, metadata);
}

const ROWS = { scores: scoreRows, reliability: reliabilityRows, roc: rocRows, ranks: rankRows };

/** Values of a row by column. */
type Row = Readonly<Record<string, Cell>>;

const COUNTS = ['cases', 'missing', 'blocks'] as const;

const KINDS = {
  text: () => new TextColumn(),
  number: () => new NumberColumn(),
  count: () => new CountColumn(),
} satisfies Record<string, () => ScoreColumn>;

type Kind = keyof typeof KINDS;

/** What the data say of all rows. */
function statedNames(about: StateAbout): string[] {
  return [...(about.horizon === undefined ? [] : ['horizon']), 'variable', 'units', 'granularity'];
}

/** The columns of labels in the order in which they were requested: numbers where all are. */
function labelColumns(
  { groups }: Verification,
  by: readonly string[] | undefined,
  about: StateAbout,
): Map<string, NumberColumn | TextColumn> {
  const known = new Map<string, boolean>();
  for (const { labels } of groups) {
    for (const [name, value] of Object.entries(labels)) {
      if (by === undefined || by.includes(name))
        known.set(name, typeof value === 'number' && known.get(name) !== false);
    }
  }
  const requested = Array.isArray(about.by) ? (about.by as readonly string[]) : [];
  const wanted = requested.flatMap((label) => (label === 'place' ? ['id', 'latitude', 'longitude'] : [label]));
  const names = [
    ...wanted.filter((name) => known.has(name)),
    ...[...known.keys()].filter((name) => !wanted.includes(name)),
  ];
  return new Map(names.map((name) => [name, known.get(name) ? new NumberColumn() : new TextColumn()]));
}

/** The columns of a table, in order. */
function columnsOf(
  table: string,
  { hasReference }: Verification,
  { confidence }: ScoresOptions,
): Readonly<Record<string, Kind>> {
  if (table === 'ranks')
    return {
      ...({ members: 'count', rank: 'count', cases_of_rank: 'number' } as const),
      ...({ expected: 'number', chi_square: 'number', p_value: 'number' } as const),
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
    ...(hasReference && confidence !== undefined && { p_value: 'number' }),
  };
}

function* scoreRows(group: GroupScores): Generator<Row> {
  for (const { own, reference, skill } of comparedScores(group)) {
    const { score, of } = own;
    yield {
      ...{ score, of, ...ends('value', own), ...ends('reference', reference), ...ends('skill', skill) },
      p_value: skill?.pValue,
    };
  }
}

/** Each score of the forecast, with the same of the reference, and the skill. */
function comparedScores(group: GroupScores): { own: Score; reference?: Score; skill?: Score }[] {
  const compared: { own: Score; reference?: Score; skill?: Score }[] = group.scores
    .filter(({ forecast }) => forecast === 'forecast')
    .map((own) => ({ own }));
  // Scores of references are in the order of the forecast's, each followed by the skill, where there is one.
  let place = -1;
  for (const score of group.scores) {
    if (score.forecast === 'reference') compared[++place].reference = score;
    else if (score.forecast === 'skill') compared[place].skill = score;
  }
  return [...compared, ...decompositionScores(group).map((own) => ({ own }))];
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
function significantColumn(own: ReadonlyMap<string, ScoreColumn>): NewColumn[] {
  const [score, of, tests] = ['score', 'of', 'p_value'].map((name) => own.get(name));
  if (!(score instanceof TextColumn && of instanceof TextColumn && tests instanceof NumberColumn)) return [];
  const pValues = tests.values();
  const [scores, events] = [score.places(), of.places()];
  const families = new Map<number, number[]>();
  pValues.forEach((p, i) => {
    if (Number.isNaN(p)) return;
    const key = scores[i] * 65_536 + events[i];
    const family = families.get(key);
    if (family === undefined) families.set(key, [i]);
    else family.push(i);
  });
  const isFound = new Uint8Array(pValues.length);
  for (const family of families.values()) {
    const found = falseDiscoveries(
      family.map((i) => pValues[i]),
      FALSE_DISCOVERY_RATE,
    );
    family.forEach((i, k) => {
      isFound[i] = Number(found[k]);
    });
  }
  return [flags('significant', isFound)];
}

function* rankRows(group: GroupScores): Generator<Row> {
  for (const { members, counts, cases, chiSquare, pValue } of group.ranks) {
    const expected = cases / counts.length;
    for (const [rank, count] of counts.entries())
      yield { members, rank, cases_of_rank: count, expected, chi_square: chiSquare, p_value: pValue };
  }
}

function* reliabilityRows(group: GroupScores): Generator<Row> {
  for (const { event, reliability } of group.events) {
    for (const { probability, observed, cases } of reliability)
      yield { event, probability, observed, cases_of_probability: cases };
  }
}

function* rocRows(group: GroupScores): Generator<Row> {
  for (const { event, roc } of group.events) {
    // No warning at all, where the curve begins, has an infinite probability: it becomes none.
    for (const { probability, hitRate, falseAlarmRate } of roc)
      yield { event, probability, hit_rate: hitRate, false_alarm_rate: falseAlarmRate };
  }
}
