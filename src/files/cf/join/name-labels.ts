import { OptionError } from '../../../errors.js';
import { DAY_SECONDS, dayNumber } from '../../../period/day.js';
import type { AxisKind, Label } from './file-content.js';

/** What the parts of a pattern in braces stand for. */
const PARTS = ['member', 'init', 'time', 'lead'] as const satisfies readonly AxisKind[];

/** The labels of each file by a pattern of its path. */
export type NameLabels = ReadonlyMap<AxisKind, readonly Label[]>;

/**
 * What a pattern such as `mem{member}` or `{init}/*_{lead}.nc` says of files by their paths: `{member}` is any word,
 * `{init}` and `{time}` are dates such as 2026030206 or 2026-03-02, `{lead}` is a number of hours; a star is anything
 * within a name. Throws OptionError for another pattern, and for a path that it does not match.
 */
export function labelsOfNames(paths: readonly string[], pattern: string): NameLabels {
  const { kinds, expression } = parsePattern(pattern);
  const rows = paths.map((path) => {
    const found = expression.exec(path.replaceAll('\\', '/'));
    if (found !== null) return found.slice(1);
    throw new OptionError({
      ...{ subject: `${path}, join`, problem: 'the pattern does not match the name of this file', received: pattern },
      allowed: 'a pattern for all of them, such as "mem{member}" or "{init}/*_{lead}.nc"',
    });
  });
  return new Map(kinds.map((kind, k) => [kind, rows.map((row, i) => labelOf(kind, row[k], paths[i], pattern))]));
}

/** Throws OptionError for a text that is no pattern of names; `other` is what else is allowed. */
export function checkPattern(pattern: string, other?: string): void {
  parsePattern(pattern, other);
}

/** Where a label is in a path. */
interface LabelPlace {
  readonly kind: AxisKind;
  readonly start: number;
  readonly end: number;
}

/** Where the labels of a pattern are in a path, from the first on; undefined where it does not match. */
export function labelPlaces(path: string, pattern: string): readonly LabelPlace[] | undefined {
  const { kinds, expression } = parsePattern(pattern);
  const found = expression.exec(path.replaceAll('\\', '/'));
  if (found === null) return undefined;
  return kinds.flatMap((kind, k) => {
    const place = found.indices?.[k + 1];
    return place === undefined ? [] : [{ kind, start: place[0], end: place[1] }];
  });
}

function parsePattern(pattern: string, other?: string): { kinds: readonly AxisKind[]; expression: RegExp } {
  const kinds: AxisKind[] = [];
  const text = pattern.replaceAll(/\{([^}]*)\}|\*|[^{*]+/g, (part, name: string | undefined) => {
    if (part === '*') return '[^/]*';
    if (name === undefined) return part.replaceAll(/[.+?^$()[\]\\|]/g, '\\$&');
    const kind = PARTS.find((each) => each === name);
    if (kind === undefined || kinds.includes(kind)) throw wrongPattern(pattern, other);
    kinds.push(kind);
    return kind === 'member'
      ? '([A-Za-z0-9+-]+)'
      : kind === 'lead'
        ? '[fh]?(\\d+)h?'
        : '(\\d{4}-?\\d{2}-?\\d{2}T?(?:\\d{2}){0,2})';
  });
  if (kinds.length === 0) throw wrongPattern(pattern, other);
  return { kinds, expression: new RegExp(text, 'd') };
}

function wrongPattern(received: string, other?: string): OptionError {
  const others = [...(other === undefined ? [] : [other]), 'none, each file by itself'].join('; ');
  return new OptionError({
    ...{ subject: 'join', problem: 'is no pattern of names', received },
    allowed: `names of files with ${PARTS.map((part) => `{${part}}`).join(', ')}, each once; ${others}`,
  });
}

function labelOf(kind: AxisKind, text: string, path: string, pattern: string): Label {
  if (kind === 'member') return text;
  if (kind === 'lead') return Number(text);
  const digits = text.replaceAll(/\D/g, '');
  const part = (from: number, to: number) => Number(digits.slice(from, to));
  try {
    return dayNumber(part(0, 4), part(4, 6), part(6, 8)) * DAY_SECONDS + part(8, 10) * 3600 + part(10, 12) * 60;
  } catch (cause) {
    throw new OptionError({
      ...{ subject: `${path}, join`, problem: `{${kind}} of the pattern ${pattern} is no date`, received: text, cause },
      allowed: 'dates such as 20260302, 2026030206 or 2026-03-02',
    });
  }
}

/**
 * The labels of files whose names differ by one number alone, as of `mem01.nc` and `mem02.nc`; undefined for others, and
 * where a number occurs twice.
 */
export function numbersOfNames(paths: readonly string[]): readonly string[] | undefined {
  const names = paths.map((path) => path.slice(path.replaceAll('\\', '/').lastIndexOf('/') + 1).split(/(\d+)/));
  const [first] = names;
  if (names.some((parts) => parts.length !== first.length)) return undefined;
  const differing = first.flatMap((part, p) => (names.some((parts) => parts[p] !== part) ? [p] : []));
  if (differing.length !== 1 || differing[0] % 2 === 0) return undefined;
  const numbers = names.map((parts) => parts[differing[0]]);
  // Eight digits and more are dates.
  if (new Set(numbers.map(Number)).size < numbers.length || numbers.some(({ length }) => length > 4)) return undefined;
  return numbers.map((number) => String(Number(number)));
}
