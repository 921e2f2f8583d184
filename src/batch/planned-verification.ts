import { assertKnownKeys, assertObject, assertOneOf, type Choice, namesOf } from '../check/option-checks.js';
import { AGAINST_OPTIONS } from '../climate/against-options.js';
import { OptionError, unusable } from '../errors.js';
import { VALUE_OPTIONS, type ValueOptions } from '../input/input-request.js';
import { checkVerify, REFERENCES, VERIFY_OPTIONS, type VerifyOptions } from '../skill/pairing/options.js';
import { type TableOptions, VERIFICATION_TABLES } from '../skill/verification-table.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { isArrayFormat, type OutputFormat } from './output-format.js';

/** The options of `verify` that a plan states by output, or with its other options. */
const OF_PLAN = [
  ...['granularity', 'startDate', 'endDate', 'window', 'minMemberShare', 'point', 'variable', 'variables'],
  ...['columns', 'calendar', 'against'],
] as const satisfies (keyof VerifyOptions)[];

/** What outputs hold: a table of scores, or the sums that `plumecast verify` merges. */
const RESULTS = [...VERIFICATION_TABLES, 'state'] as const;

/** How a plan verifies its inputs, each by itself, in place of statistics of them. */
export interface PlannedVerification
  extends Omit<VerifyOptions, (typeof OF_PLAN)[number]>,
    Omit<TableOptions, 'table' | 'by'> {
  /** Files of observations: one history; several tables are its pieces. */
  observed: readonly string[];
  /** `climatology`, `persistence`, `none`, or files of another forecast. */
  against?: Choice<(typeof REFERENCES)[number]> | readonly string[];
  /** How values of a grid are taken at other places. Default `nearest`. */
  match?: Choice<'nearest' | 'bilinear'>;
  /** The units of observations that do not state them, and their array, where they have several. */
  observedUnits?: string;
  observedArray?: string;
  /** The columns of observations by role. */
  observedColumns?: ColumnRoles;
  /** Scores; points of reliability diagrams or of ROC curves; rank histograms; or `state`, the sums of all of these. Default `scores`. */
  result?: Choice<(typeof RESULTS)[number]>;
}

/** A checked one. */
export interface CheckedVerification {
  readonly options: VerifyOptions;
  readonly table: TableOptions;
  readonly isState: boolean;
  readonly observed: readonly string[];
  readonly against: readonly string[];
  readonly match?: 'nearest' | 'bilinear';
  readonly ofObserved: Pick<ValueOptions, 'units' | 'array'> & { readonly columns?: ColumnRoles };
}

const OWN_KEYS = ['observed', 'against', 'match', 'observedUnits', 'observedArray', 'observedColumns', 'result'];
const TABLE_KEYS = ['confidence', 'samples', 'seed'];
const VERIFY_KEYS: readonly string[] = namesOf(VERIFY_OPTIONS).filter(
  (name) => !(OF_PLAN as readonly string[]).includes(name),
);

/** Checks how a plan verifies its inputs, before any file is read. Throws OptionError. */
export function checkPlannedVerification(given: PlannedVerification): CheckedVerification {
  assertObject('verify', given, '{"observed": ["era5.nc"], "by": ["lead"]}');
  assertKnownKeys(given, [...OWN_KEYS, ...VERIFY_KEYS, ...TABLE_KEYS], 'verify');
  const { observed, against, match, observedUnits: units, observedArray: array, observedColumns: columns } = given;
  const { result = 'scores' } = given;
  assertFiles('verify.observed', observed);
  if (Array.isArray(against)) assertFiles('verify.against', against);
  else if (against !== undefined) assertOneOf('verify.against', against as string, REFERENCES);
  if (match !== undefined) assertOneOf('verify.match', match, ['nearest', 'bilinear']);
  assertOneOf('verify.result', result, RESULTS);
  for (const [name, text] of Object.entries({ observedUnits: units, observedArray: array }))
    if (text !== undefined && typeof text !== 'string') throw unusable(`verify.${name}`, text, 'a text');
  const select = (keys: readonly string[]) =>
    Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key)));
  const isState = result === 'state';
  assertIntervals(given, isState);
  const table: TableOptions = { ...select(TABLE_KEYS), ...(!isState && { table: result as TableOptions['table'] }) };
  const options: VerifyOptions = {
    ...select(VERIFY_KEYS),
    ...(typeof against === 'string' && { against: against as VerifyOptions['against'] }),
  };
  checkVerify(options);
  return {
    ...{ options, table, isState, observed },
    against: Array.isArray(against) ? against : [],
    ...(match !== undefined && { match: match as 'nearest' | 'bilinear' }),
    ofObserved: Object.fromEntries(
      Object.entries({ units, array, columns }).filter(([, value]) => value !== undefined),
    ),
  };
}

/** The files that inputs are compared with. */
export function filesOfVerification({ observed, against }: PlannedVerification): readonly string[] {
  return [...observed, ...(Array.isArray(against) ? against : [])];
}

/** Throws OptionError for options of intervals where there are none. */
function assertIntervals({ confidence, samples, seed }: PlannedVerification, isState: boolean): void {
  const lone = { ...(isState && { confidence }), ...((isState || confidence === undefined) && { samples, seed }) };
  for (const [name, received] of Object.entries(lone)) {
    if (received === undefined) continue;
    const problem = isState ? 'is for tables, and a state has no intervals' : 'is for intervals';
    const allowed = isState ? 'a table, or plumecast verify of the states' : 'confidence beside it, such as 0.9';
    throw new OptionError({ subject: `verify.${name}`, problem, received, allowed });
  }
}

function assertFiles(subject: string, files: unknown): asserts files is readonly string[] {
  const areFiles =
    Array.isArray(files) && files.length > 0 && files.every((file) => typeof file === 'string' && file !== '');
  if (!areFiles) throw unusable(subject, files, 'a list of files, such as ["era5.nc"]');
}

/** Options of statistics that say what is verified, too. */
const KEPT: readonly string[] = [
  ...['columns', 'startDate', 'endDate', 'window', 'minMemberShare', 'point'],
  ...['variables', 'granularities', 'verify'],
];

/** Throws OptionError for options of a plan that its verification does not use, and for a format that it is not written in. */
export function assertVerifiable(plan: object, { result }: PlannedVerification, format: OutputFormat): void {
  const isState = result === 'state';
  const ofStatistics = [...namesOf(AGAINST_OPTIONS), 'thresholds', 'bands', 'climatologies'];
  for (const name of ofStatistics) {
    const received = (plan as Record<string, unknown>)[name];
    const isGiven = received !== undefined && !(Array.isArray(received) && received.length === 0);
    if (!isGiven || KEPT.includes(name) || namesOf(VALUE_OPTIONS).includes(name as keyof ValueOptions)) continue;
    const problem = 'is of statistics, and verify makes scores';
    throw new OptionError({
      subject: name,
      problem,
      received,
      allowed: 'to leave it out, or what verify has of its own',
    });
  }
  if (isState ? format === 'json' : !isArrayFormat(format)) return;
  const problem = isState ? 'cannot hold a state' : 'keeps grids, and scores are tables';
  throw new OptionError({
    ...{ subject: 'format', problem, received: format },
    allowed: isState ? 'json' : 'a format of tables, such as csv',
  });
}
