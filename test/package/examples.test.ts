import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runScript } from '../cli/run-command.js';

/* The examples of docstrings, which editors show beside a name: each prints what it says. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const types = join(root, 'dist/types');
const folder = mkdtempSync(join(tmpdir(), 'plumecast-examples-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/plumecast'), 'junction');
symlinkSync(join(root, 'node_modules/apache-arrow'), join(folder, 'node_modules/apache-arrow'), 'junction');
afterAll(() => rmSync(folder, { recursive: true }));

const EXAMPLE = /@example\n \* ```js\n((?: \*.*\n)*?) \* ```\n \*\n \* ```text\n((?: \*.*\n)*?) \* ```\n/;
const NAME = /^\s*export (?:declare )?(?:async )?(?:function\*? ?)(\w+)/;

/** The lines of a comment as they are without its asterisks. */
const plain = (lines: string) => lines.replace(/^ \* ?/gm, '');

/** Each example of the declarations, by the function that stands below its comment. */
const examples = readdirSync(types, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.d.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(types, file), 'utf8');
    return [...text.matchAll(/^\/\*\*\n(?: \*.*\n)*? \*\/\n/gm)].flatMap(({ 0: comment, index }) => {
      if (!comment.includes('@example')) return [];
      const [, name = ''] = NAME.exec(text.slice(index + comment.length)) ?? [];
      const [, code = '', output = ''] = EXAMPLE.exec(comment) ?? [];
      return [{ file, name, code: plain(code), output: plain(output) }];
    });
  });

/** What is looked up first. */
const FIRST = [
  ...[
    'arrayStatistics',
    'blend',
    'climatology',
    'climatologyTable',
    'conditionShares',
    'createClient',
    'createHandler',
  ],
  ...['createPool', 'dailyTable', 'daysThat', 'defineVariable', 'demoTable', 'encodeTable', 'ensemble', 'loadCore'],
  ...['memberWindows', 'meteogram', 'openArrays', 'openStore', 'parseCondition', 'readTable', 'readTables', 'runBatch'],
  ...['samplingBands', 'statistics', 'streamStatistics', 'tableAtPoint', 'verify', 'windowsOf', 'writeNetcdf'],
];

describe('examples of docstrings', () => {
  it('are there for the functions that people use first', () => {
    expect([...new Set(examples.map(({ name }) => name))].sort()).toEqual(FIRST.sort());
  });

  it.each(examples)('$name of $file prints what its example says', ({ code, output }) => {
    expect(code.split('\n').length).toBeLessThanOrEqual(17);
    const script = join(folder, 'example.mjs');
    writeFileSync(script, code);
    const { out, err } = runScript(script, [], { cwd: folder });
    expect(`${err}${out}`).toBe(output);
  });
});
