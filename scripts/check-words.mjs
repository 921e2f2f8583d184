/**
 * Fails where an identifier or the name of a file uses a word that this project has left behind for a common one. `npm
 * run check:words`. Only names are checked: prose may tell a story.
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

const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs'], { encoding: 'utf8' }).trim().split('\n');
const faults = files.flatMap((file) => [
  ...FILES.filter(([pattern]) => pattern.test(file)).map(([, instead]) => `${file}: name of the file; use ${instead}`),
  ...namesIn(file).flatMap(({ name, line }) =>
    NAMES.filter(([pattern]) => pattern.test(name)).map(([, instead]) => `${file}:${line}: ${name}; use ${instead}`),
  ),
]);

for (const fault of faults) console.log(fault);
console.log(`${faults.length} names to change in ${files.length} files`);
process.exitCode = faults.length === 0 ? 0 : 1;

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
