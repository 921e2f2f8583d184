import { convertibleUnit } from '../../variable/unit-conversion.js';

/** The parts of a column's name: what its values are, of which member, and in which units. */
export interface ColumnName {
  /** The name without member and units: `precipitation_sum` of `precipitation_sum_member01 (mm)`. */
  readonly stem: string;
  /** The name without units: a number at its end may be part of it, as in `ws10`. */
  readonly whole: string;
  /** Undefined if the name says nothing of a member. */
  readonly member?: MemberMark;
  /** The units in brackets at the end, or after the member: `tp_member01_mm`. */
  readonly units?: string;
}

/** The member that a name states. */
export interface MemberMark {
  /**
   * `marked`: by a word such as `member`, a letter, or brackets; `perturbed`: counted from 1 if there is a control;
   * `letter-p`: may also be a percentile; `plain`: a number that may be part of the name; `control`: the control
   * forecast.
   */
  readonly kind: 'marked' | 'perturbed' | 'letter-p' | 'plain' | 'control';
  /** 0 for the control. Undefined for labels, such as `r1i1p1f1`. */
  readonly number?: number;
  readonly label?: string;
}

const SEPARATOR = String.raw`[\s_.:|/-]`;
const WORDS = [
  'ensemble[ _.-]?member|ens[ _.-]?mem(?:ber)?|member|mem|mbr|ensemble|ens|eps|reali[sz]ation|real|number|num|nr',
  'perturbation|perturbed(?:[ _.-]?(?:forecast|member|run))?|pert|pf|scenario|sample|run|draw|trace|trajectory|parameter',
].join('|');
const CONTROL = 'control(?:[ _.-]?(?:forecast|member|run))?|ctrl|ctl|cntl|cntrl';

const pattern = (source: string) => new RegExp(source.replaceAll('SEP', SEPARATOR), 'i');
/** `pr_r1i1p1f1`, as CMIP labels its runs. */
const RUN_LABEL = /* @__PURE__ */ pattern('^(?:(.*?)SEP+)?(r\\d+i\\d+p\\d+(?:f\\d+)?)(?:SEP+(.+))?$');
/** `tp_member01`, `member 1`, `tpMember01`, `t2m_member01_icon`. */
const MARKED = /* @__PURE__ */ pattern(`^(.*?)(?:^|SEP+|(?=member))(${WORDS})SEP*(\\d+)(?:\\.0+)?(?:SEP+(.+))?$`);
/** `tp_control`, `control_tp`, `tp_member_ctrl`. */
const CONTROL_FORECAST = /* @__PURE__ */ pattern(
  `^(?:(.*?)SEP+)?(?:(?:${WORDS})SEP+)?(?:${CONTROL}|cf$)(?:SEP+(.+))?$`,
);
/** `tp_m1`, `tp_p01`, `tp_c00`, `m01`. */
const LETTER_AT_END = /* @__PURE__ */ pattern('^(?:(.*?)SEP+)?([mepcrns])SEP*(\\d+)(?:\\.0+)?()$');
/** `m01_tp`, `c00_tp`. */
const LETTER_AT_START = /* @__PURE__ */ pattern('^()([mepcr])(\\d+)SEP+(.+)$');
/** `tp_1`, `tp.1`, `tp1`, `1`, `1.0`. */
const NUMBER_AT_END = /* @__PURE__ */ pattern('^(.*?)SEP*(\\d+)(?:\\.0+)?()$');
/** `1_tp`; but `10_m_wind`. */
const NUMBER_AT_START = /* @__PURE__ */ pattern(
  '^()(\\d+)SEP+((?!(?:k?m|met(?:er|re)s?|cm|h?pa|mb|ft|day|hour)(?:SEP|$)).+)$',
);
/** `q_0.5`, `tp_2.5`. */
const FRACTION_AT_END = /(^|\D)\d+\.\d*[1-9]\d*$/;
/** `(mm)` or `[mm]` after a name. */
const IN_BRACKETS = /^(.*?)\s*[([]\s*([^()[\]]+?)\s*[)\]]$/;
/** `('tp', 0)`: columns of several levels, as pandas writes them. */
const LEVELS = /^\((.*,.*)\)$/;
/** Units at the end of a name that states a member by a word. */
const UNIT_WORD = /^(.*\d)[\s_.-]([a-z%]+(?:[_ ][a-z]\d?)?)$/i;

/** Longer names are not parsed. */
export const MAX_NAME_LENGTH = 256;
/** The same for names of several levels, before their quotes and types are removed. */
const MAX_LEVELS_LENGTH = 1_024;

/** Names that were read: files of a batch have the same ones, and each is read several times. */
const known = /* @__PURE__ */ new Map<string, ColumnName>();
const MAX_KNOWN = 4096;

/** Reads the name of a column. */
export function parseColumnName(column: string): ColumnName {
  const found = known.get(column) ?? readName(column);
  if (known.size > MAX_KNOWN) known.clear();
  if (column.length <= MAX_NAME_LENGTH) known.set(column, found);
  return found;
}

function readName(column: string): ColumnName {
  const name = plainLevels(column.trim());
  if (name.length > MAX_NAME_LENGTH) return { stem: name, whole: name };
  const brackets = IN_BRACKETS.exec(name);
  if (brackets === null) return withUnitWord(name) ?? { ...stemAndMember(name), whole: name };
  const [, before, inside] = brackets;
  const own = stemAndMember(before);
  const units = /^(\d+|min)$/i.test(inside) ? undefined : convertibleUnit(inside);
  if (units !== undefined) return { ...own, whole: before, units };
  // `rh_member01 (1)` is a fraction.
  if (own.member !== undefined && inside === '1') return { ...own, whole: before, units: '1' };
  if (own.member !== undefined) return { ...own, stem: `${own.stem} (${inside})`, whole: name };
  // `tp[0]`, `tp (member 1)`.
  const behind = stemAndMember(inside);
  if (behind.member === undefined || behind.stem !== '') return { stem: name, whole: name };
  const { kind, ...member } = behind.member;
  return { stem: before, whole: name, member: { ...member, kind: kind === 'plain' ? 'marked' : kind } };
}

/**
 * The units in the name of a column; undefined if it has no known units. `isAlone` says that the column is not a
 * member.
 */
export function unitsInColumnName(column: string, isAlone: boolean): string | undefined {
  // By itself, `humidity (1)` is a fraction, not the second member.
  return parseColumnName(column).units ?? (isAlone && /\(1\)$/.test(column.trim()) ? '1' : undefined);
}

function plainLevels(name: string): string {
  const levels = name.length > MAX_LEVELS_LENGTH ? null : LEVELS.exec(name);
  if (levels === null) return name;
  return levels[1]
    .split(',')
    .map((level) => level.replace(/np\.\w+\((.*)\)/, '$1').replace(/^[\s'"]+|[\s'"]+$/g, ''))
    .filter((level) => level !== '')
    .join('_');
}

/** `tp_member01_mm`. */
function withUnitWord(name: string): ColumnName | undefined {
  const match = UNIT_WORD.exec(name);
  const units = match === null ? undefined : convertibleUnit(match[2].replace('_', '/'));
  if (match === null || units === undefined) return undefined;
  const own = stemAndMember(match[1]);
  return own.member === undefined || own.member.kind === 'plain' ? undefined : { ...own, whole: match[1], units };
}

function stemAndMember(name: string): Pick<ColumnName, 'stem' | 'member'> {
  const labelled = RUN_LABEL.exec(name);
  if (labelled !== null) {
    const label = labelled[2].toLowerCase();
    return { stem: joined(labelled[1], labelled[3]), member: { kind: 'marked', label } };
  }
  if (FRACTION_AT_END.test(name)) return { stem: name };
  const marked = MARKED.exec(name);
  if (marked !== null) {
    const kind = /^(pert|pf)/i.test(marked[2]) ? 'perturbed' : 'marked';
    return { stem: joined(marked[1], marked[4]), member: { kind, number: Number(marked[3]) } };
  }
  const control = CONTROL_FORECAST.exec(name);
  if (control !== null) return { stem: joined(control[1], control[2]), member: CONTROL_MEMBER };
  const letter = LETTER_AT_END.exec(name) ?? LETTER_AT_START.exec(name);
  if (letter !== null) return { stem: joined(letter[1], letter[4]), member: byLetter(letter[2], Number(letter[3])) };
  const plain = NUMBER_AT_END.exec(name) ?? NUMBER_AT_START.exec(name);
  if (plain === null) return { stem: name };
  return { stem: joined(plain[1], plain[3]), member: { kind: 'plain', number: Number(plain[2]) } };
}

/** The control forecast, which is member 0. */
export const CONTROL_MEMBER: MemberMark = /* @__PURE__ */ Object.freeze({ kind: 'control', number: 0 } as const);

function byLetter(letter: string, number: number): MemberMark {
  if (/c/i.test(letter) && number === 0) return CONTROL_MEMBER;
  return { kind: /p/i.test(letter) ? 'letter-p' : 'marked', number };
}

function joined(before = '', behind = ''): string {
  return before === '' || behind === '' ? before + behind : `${before}_${behind}`;
}

/** The longest text in `known` that ends a name, after an underscore; undefined if there is none. */
export function longestEnding(name: string, known: ReadonlySet<string>): string | undefined {
  for (let at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1)) {
    const ending = name.slice(at + 1);
    if (known.has(ending)) return ending;
  }
  return undefined;
}

/** The longest text in `known` that begins a name, before an underscore; undefined if there is none. */
export function longestBeginning(name: string, known: ReadonlySet<string>): string | undefined {
  for (let at = name.lastIndexOf('_'); at >= 0; at = at === 0 ? -1 : name.lastIndexOf('_', at - 1)) {
    const beginning = name.slice(0, at);
    if (known.has(beginning)) return beginning;
  }
  return undefined;
}

/** A name, split before the units in brackets at its end. */
interface NameWithUnits {
  readonly plain: string;
  /** The brackets with the units, and the blanks before them. */
  readonly suffix: string;
  readonly units: string;
}

/**
 * Splits `precipitation (mm)` into name and units; undefined if a name does not end with brackets, or has several
 * lines. Not by a regular expression, whose time grows with the square of the length if a name is thousands of blanks.
 */
export function splitUnits(name: string): NameWithUnits | undefined {
  const open = name.lastIndexOf('(');
  if (open < 0 || name.indexOf(')', open) !== name.length - 1) return undefined;
  const plain = name.slice(0, open).trimEnd();
  if (/[\n\r\u2028\u2029]/.test(plain)) return undefined;
  return { plain, suffix: name.slice(plain.length), units: name.slice(open + 1, -1) };
}

/**
 * The names of members before they became columns, if the metadata of their table has them (`member_names`, a JSON
 * array), else the names of the columns.
 */
export function originalNames(metadata: ReadonlyMap<string, string>, columns: readonly string[]): readonly string[] {
  const text = metadata.get('member_names');
  if (text === undefined) return columns;
  try {
    const stated: unknown = JSON.parse(text);
    return Array.isArray(stated) && stated.length === columns.length ? stated.map(String) : columns;
  } catch {
    return columns;
  }
}
