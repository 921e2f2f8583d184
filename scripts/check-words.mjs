/**
 * Fails where an identifier or the name of a file uses a word that this project has left behind for a common one, where
 * comments have more of some phrases that are hard to read aloud than before, and where a file of a trial was committed
 * beside the folders. `npm run check:words`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** Each pattern, and what to write instead. */
const NAMES = [
  [/^refuse|Refuse/, 'assert* where it throws and narrows, reject* for callbacks'],
  [/^tell(?=[A-Z]|$)|^told(?=[A-Z]|$)|Tell$|Told$/, 'report*, Reporter, Notice'],
  [/^lacking|Lacking/, 'missing*'],
  [/^asked(?=[A-Z]|$)|Asked(?=[A-Z]|$)/, 'requested*'],
  [/^(MOST|LONGEST|LARGEST)_/, 'MAX_*'],
  [/^(FEWEST|SHORTEST|SMALLEST)_/, 'MIN_*'],
  [/^rooms?$|(?<![Hh]ead)Rooms?$/, 'buffer, scratch'],
];
const FILES = [
  [/-face\b/, 'index.ts or node.ts'],
  [/(^|\/)(utils?|helpers?|common|misc)\.(ts|mjs)$/, 'the noun that the file is about'],
  [/(^|\/)refuse-/, 'assert-*'],
];

/** Phrases in comments of src/ and assembly/, how often they may be there still, and what to write instead. */
const PHRASES = [
  [/\bthose of\b/gi, 226, 'the noun'],
  [/\bthat of\b/gi, 124, 'the noun'],
  [/^(?:As|as) `/g, 0, 'Like `x`, or say what it does'],
];

/** The files that may stand beside the folders: texts, and what tools need. A file of a trial was committed here. */
const BESIDE_FOLDERS = /^(\.|LICENSE$)|\.(json|md|mjs|ts)$/;

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const files = tracked.filter((file) => /\.m?ts$|\.mjs$/.test(file));
const faults = files.flatMap((file) => [
  ...FILES.filter(([pattern]) => pattern.test(file)).map(([, instead]) => `${file}: name of the file; use ${instead}`),
  ...namesIn(file).flatMap(({ name, line }) =>
    NAMES.filter(([pattern]) => pattern.test(name)).map(([, instead]) => `${file}:${line}: ${name}; use ${instead}`),
  ),
]);

for (const file of tracked)
  if (!file.includes('/') && !BESIDE_FOLDERS.test(file)) faults.push(`${file}: no file of the top level; remove it`);

const comments = files.filter((file) => /^(src|assembly)\//.test(file)).flatMap(commentLines);
for (const [pattern, limit, instead] of PHRASES) {
  const found = comments.flatMap(({ place, text }) => Array.from(text.matchAll(pattern), () => place));
  if (found.length > limit)
    faults.push(`${pattern}: ${found.length} times instead of ${limit}; use ${instead}: ${found}`);
  if (found.length < limit - 10) console.log(`${pattern}: only ${found.length} of ${limit} are left: lower the limit`);
}

for (const fault of faults) console.log(fault);
console.log(`${faults.length} names and phrases to change in ${files.length} files`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The lines of a file that are comments, without their marks. */
function commentLines(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    const [, text] = /^\s*(?:\/\/|\/?\*+)\s?(.*)$/.exec(line) ?? [];
    return text === undefined ? [] : [{ place: `${file}:${i + 1}`, text }];
  });
}

/** The identifiers of a file, each with the line that it is first in. */
function namesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const lines = new Map();
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const name = node.text.replace(/^#/, '');
      if (!lines.has(name)) lines.set(name, source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...lines].map(([name, line]) => ({ name, line }));
}
