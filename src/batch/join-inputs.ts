import { basename, dirname, resolve } from 'node:path';
import { OptionError } from '../errors.js';
import { labelPlaces } from '../files/cf/join/name-labels.js';
import type { BatchInput } from './batch-input.js';
import type { OnFault } from './find-inputs.js';
import { APART, BY_FOLDER } from './join-option.js';

/**
 * Inputs of the files that are one together: all of a folder, or all whose names differ in what a pattern says alone. A
 * name that the pattern does not match goes to `fault`, as an OptionError.
 */
export function joinInputs(inputs: readonly BatchInput[], join: string | undefined, fault: OnFault): BatchInput[] {
  if (join === undefined || join === APART) return [...inputs];
  const groups = new Map<string, { readonly first: BatchInput; readonly name: string; readonly files: string[] }>();
  for (const input of inputs) {
    const { path, name } = join === BY_FOLDER ? folderOf(input) : withoutLabels(input, join);
    if (path === undefined) {
      fault(unmatched(input.path, join));
      continue;
    }
    const group = groups.get(path) ?? { first: input, name, files: [] };
    group.files.push(input.path);
    groups.set(path, group);
  }
  return Array.from(groups, ([path, { first, name, files }]) => ({ ...first, path, name, files }));
}

/** The paths of the files of an input. */
export function filesOf({ path, files }: Pick<BatchInput, 'path' | 'files'>): readonly string[] {
  return files ?? [path];
}

function folderOf({ path, name }: BatchInput): { path: string; name: string } {
  const folder = dirname(path);
  const below = dirname(name.replaceAll('\\', '/'));
  return { path: folder, name: below === '.' ? basename(resolve(folder)) : below };
}

/** A path in which labels are the names of what they say, and the name of an input without them. */
function withoutLabels({ path, name, ending }: BatchInput, pattern: string): { path?: string; name: string } {
  const places = labelPlaces(path, pattern);
  if (places === undefined) return { name };
  const tail = path.endsWith(`.${ending}`) ? ending.length + 1 : 0;
  const nameAt = path.length - tail - name.length;
  let [joined, rest, at] = ['', '', 0];
  const keep = (from: number, to: number) => {
    joined += path.slice(from, to);
    rest += path.slice(Math.max(from, nameAt), Math.max(Math.min(to, path.length - tail), nameAt));
  };
  for (const { kind, start, end } of places) {
    keep(at, start);
    joined += `{${kind}}`;
    at = end;
  }
  keep(at, path.length);
  return { path: joined, name: plainName(rest) };
}

/** What joined files are called that have nothing else in their names. */
const NAMELESS = 'joined';

/** A name without the separators that stood beside labels. */
function plainName(text: string): string {
  const steps = text.replaceAll('\\', '/').split('/');
  const plain = steps.map((step) => step.replace(/([-_.])[-_.]+/g, '$1').replace(/^[-_.]|[-_.]$/g, ''));
  return plain.filter((step) => step !== '').join('/') || NAMELESS;
}

function unmatched(path: string, pattern: string): OptionError {
  return new OptionError({
    ...{ subject: `${path}, join`, problem: 'the pattern does not match the name of this file', received: pattern },
    allowed: 'a pattern for all inputs, such as "mem{member}" or "{init}/*_{lead}.nc"',
  });
}
