import { DataError } from '../../errors.js';
import { folded } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import { CONTROL_MEMBER, type ColumnName, MAX_NAME_LENGTH, type MemberMark, parseColumnName } from './column-name.js';

/** Columns that may be the values of one variable: its members, or one column. */
export interface ValueGroup {
  /** In the order of the table. */
  readonly names: readonly string[];
  /** Their names without members and units. */
  readonly named?: string;
  readonly variable?: Variable;
  /** Whether the names state members. */
  readonly hasMembers: boolean;
  /** The numbers that no member has, between others that members have, as texts: `7`, `9 to 11`. */
  readonly missing: readonly string[];
}

/** What a column holds: numbers, also as texts; nothing, by its type; or something else. */
export type ColumnContent = 'numbers' | 'nothing' | 'other';

/** A column of a group, and the parts of its name. */
interface NamedColumn extends ColumnName {
  readonly name: string;
  /** Its place among the columns. */
  readonly place: number;
}

/** Names that end with numbers for other reasons. */
const BESIDE_STEM =
  /^(lead|lead_?times?|lead_?days?|step|forecast_?(day|hour)|horizon|init|day|date|time|valid_?time|year|month|week|season|hour|minute|doy|elevation|elev|altitude|alt|height|depth|level|lat|latitude|lon|longitude)$/i;
/** Quantiles over members: `tp_q50`, `q0.5`, `tp_percentile_90`, `50%`. */
const QUANTILE =
  /(^|[\s_.:|/-])((q|pct|perc|percentile|quantile)[\s_.-]?\d+(\.\d+)?|p?0?\.\d*[1-9]\d*|p\d+\.\d+|\d+(\.\d+)?%)$/i;
/** Other statistics over members, or of the hours of a day. */
const STATISTIC_AT_END =
  /^(.+?)[\s_.:|/-]+\(?(?:ens(?:emble)?[\s_.-]?)?(?:mean|avg|average|median|stdev|stddev|std|sd|variance|var|spread|minimum|min|maximum|max|sum|total|iqr|range)\)?$/i;

/** How columns are grouped. */
export interface GroupingOptions {
  readonly contentOf: (name: string) => ColumnContent;
  readonly find: (name: string) => Variable | undefined;
  /** Whether columns may be members: not if each row is one member. */
  readonly mayBeMembers: boolean;
  readonly source?: string;
}

/**
 * Groups columns that may be values: columns with the same stem are members of one ensemble (`tp_member01`, `tp_p01`,
 * `tp_1`,
 * `tp.1`, `1_tp`, in upper or lower case), and the stem alone is member 0. Statistics over members (`tp_mean`,
 * `tp_p90`) are left out, and columns without numbers, unless they are members. Throws a DataError if two columns are
 * the same member.
 */
export function valueGroups(columns: readonly string[], options: GroupingOptions): ValueGroup[] {
  const { contentOf, find, source } = options;
  const { ensembles, alone } = partByMembers(columns, options);
  const isStatistic = statisticTest(ensembles, alone, find);
  const groups: (ValueGroup & { readonly place: number })[] = [];
  const add = (members: readonly NamedColumn[], hasMembers: boolean) => {
    const names = members.map(({ name }) => name);
    const [{ stem, whole, place }] = members;
    const own = find(whole);
    const variable = own ?? find(stem);
    const named = !hasMembers || (own !== undefined && names.length === 1) ? whole : stem;
    const missing = numbersBetween(members);
    groups.push({ names, variable, hasMembers, missing, place, ...(named !== '' && { named }) });
  };
  for (const members of ensembles.values()) {
    const contents = members.map(({ name }) => contentOf(name));
    const isEmpty = members.length > 1 && contents.every((content) => content === 'nothing');
    if (!contents.includes('numbers') && !isEmpty) continue;
    assertNoTwins(members, source);
    add(members, true);
  }
  for (const column of alone) {
    if (contentOf(column.name) === 'numbers' && !isStatistic(column)) add([column], false);
  }
  return groups.sort(byPlace);
}

/** Columns by ensemble, as their names state it, and those that are not members. */
function partByMembers(
  columns: readonly string[],
  { contentOf, find, mayBeMembers }: GroupingOptions,
): { ensembles: Map<string, NamedColumn[]>; alone: NamedColumn[] } {
  const marked = new Map<string, NamedColumn[]>();
  const bare: NamedColumn[] = [];
  for (const [place, name] of columns.entries()) {
    const column = { name, place, ...parseColumnName(name) };
    const { member, stem, whole } = column;
    const isLong = whole.length > MAX_NAME_LENGTH;
    if (!isLong && QUANTILE.test(whole)) continue;
    if (member === undefined || !mayBeMembers) bare.push({ ...column, stem: member === undefined ? stem : whole });
    else if (!BESIDE_STEM.test(stem)) group(marked, folded(stem)).push(column);
  }
  const stems = new Set(bare.map(({ stem }) => folded(stem)));
  for (const [key, members] of marked) {
    const kept = withoutPercentiles(members);
    // `ws10` alone, or next to `ws2m`, is not a member but a name that ends with a number.
    const isName = kept.every(({ member }) => member?.kind === 'plain');
    const isOnly = kept.length === 1 && !(key !== '' && stems.has(key));
    if (isName && (isOnly || kept.every(({ whole }) => find(whole) !== undefined))) {
      for (const { name, place, whole, units } of kept) bare.push({ name, place, whole, units, stem: whole });
      marked.delete(key);
    } else marked.set(key, kept);
  }
  const alone: NamedColumn[] = [];
  for (const column of bare) {
    const members = column.stem === '' ? undefined : marked.get(folded(column.stem));
    if (members === undefined || contentOf(column.name) === 'other') alone.push(column);
    else members.push({ ...column, member: CONTROL_MEMBER });
  }
  for (const members of marked.values()) members.sort(byPlace);
  return { ensembles: marked, alone };
}

function byPlace(a: { readonly place: number }, b: { readonly place: number }): number {
  return a.place - b.place;
}

function group<T>(groups: Map<string, T[]>, key: string): T[] {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const added: T[] = [];
  groups.set(key, added);
  return added;
}

/** Percentiles that are often used, besides multiples of 5. */
const PERCENTILES = [1, 2, 3, 33, 34, 66, 67, 97, 98, 99];

/** Removes percentiles: `p01`, `p02`, ... are members, but `p10`, `p50`, `p90` are percentiles. */
function withoutPercentiles(members: NamedColumn[]): NamedColumn[] {
  const numbers = members.flatMap(({ member }) => (member?.kind === 'letter-p' ? [member.number as number] : []));
  numbers.sort((a, b) => a - b);
  if (numbers.length === 0) return members;
  const next = numbers.filter((number, i) => i > 0 && number === numbers[i - 1] + 1).length;
  const isRun = 2 * next > numbers.length - 1 && numbers.length > 1 && !(numbers.length === 99 && numbers[98] === 99);
  const hasControl = members.some(({ member }) => member?.kind === 'control') && numbers[numbers.length - 1] < 10;
  const isUsual = numbers.every((number) => number % 5 === 0 || PERCENTILES.includes(number));
  if (isRun || hasControl || !isUsual) return members;
  return members.filter(({ member }) => member?.kind !== 'letter-p');
}

/**
 * Returns a test for columns of statistics: those of an ensemble or a column of the table, or several with the same
 * stem.
 */
function statisticTest(
  ensembles: ReadonlyMap<string, readonly NamedColumn[]>,
  alone: readonly NamedColumn[],
  find: (name: string) => Variable | undefined,
): (column: NamedColumn) => boolean {
  const base = ({ whole }: NamedColumn) => {
    const match = whole.length > MAX_NAME_LENGTH ? null : STATISTIC_AT_END.exec(whole);
    return match === null ? undefined : folded(match[1]);
  };
  const stems = new Set(alone.map(({ whole }) => folded(whole)));
  const counts = new Map<string, number>();
  for (const column of alone) {
    const key = base(column);
    if (key !== undefined && find(column.whole) === undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (column) => {
    const key = base(column);
    if (key === undefined) return false;
    const own = find(column.whole);
    const [first] = ensembles.get(key) ?? [];
    if (first !== undefined) return own === undefined || own.slug === find(first.stem)?.slug;
    return own === undefined && (stems.has(key) || (counts.get(key) ?? 0) > 1);
  };
}

/** Throws a DataError for a second column of the same member. */
function assertNoTwins(members: readonly NamedColumn[], source?: string): void {
  const known = new Map<string, string>();
  for (const { name, member } of members) {
    const key = memberKey(member as MemberMark);
    const twin = known.get(key);
    if (twin !== undefined) {
      throw new DataError({
        source,
        column: name,
        problem: `the same member as column ${twin}`,
        received: name,
        allowed: 'one column for each member; the name without a number is member 0',
      });
    }
    known.set(key, name);
  }
}

/** The key of a member within its ensemble: a control is not the same as perturbed member 0. */
export function memberKey({ kind, number, label }: MemberMark): string {
  if (label !== undefined) return label;
  return (kind === 'perturbed' || kind === 'letter-p') && number === 0 ? 'perturbed 0' : String(number);
}

function numbersBetween(members: readonly NamedColumn[]): string[] {
  const numbers = members.flatMap(({ member }) => member?.number ?? []).sort((a, b) => a - b);
  const missing: string[] = [];
  let [before] = numbers;
  for (const number of numbers) {
    if (number === before + 2) missing.push(`${before + 1}`);
    else if (number > before + 2) missing.push(`${before + 1} to ${number - 1}`);
    before = number;
  }
  return missing;
}
