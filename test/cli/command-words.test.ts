import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { translateError, translateMessage, translateText } from '../../src/cli/command-words.js';
import { program } from '../../src/cli/program.js';
import { allCommands } from '../../src/cli/run-all.js';
import { DataError, mentionOption, OptionError } from '../../src/errors.js';

const sources = fileURLToPath(new URL('../../src', import.meta.url));
const commands = program(allCommands()).commands;
const command = (name: string) => commands.find((each) => each.name() === name) as Command;

describe('mentionOption', () => {
  it.each([
    [[], 'the option units'],
    [['K'], "units: 'K'"],
    [['K', 'degC'], "units: 'K' | 'degC'"],
    [[true], 'units: true'],
    [[[0.9, 0.95]], 'units: [0.9, 0.95]'],
    [[{ member: 'run' }], "units: { member: 'run' }"],
  ])('mentions values %j as %s', (values, text) => {
    expect(mentionOption('units', ...values)).toBe(text);
  });
});

describe('translateText and translateError', () => {
  it.each([
    [mentionOption('units'), '--units'],
    [`by ${mentionOption('accumulation')} and their values`, 'by --accumulation and their values'],
    [mentionOption('units', 'K'), '--units K'],
    [mentionOption('units', 'kg m-2 s-1'), '--units "kg m-2 s-1"'],
    [mentionOption('accumulation', 'per-step', 'since-start'), '--accumulation per-step or since-start'],
    [mentionOption('stamps', 'a', 'b', 'c'), '--stamps a, b or c'],
    [mentionOption('partial', true), '--partial'],
    [mentionOption('minMemberShare', 0.5), '--min-member-share 0.5'],
    [mentionOption('quantiles', [0.9, 0.95]), '--quantiles 0.9,0.95'],
    [mentionOption('thresholds', ['>20']), '--threshold ">20"'],
    [mentionOption('columns', { member: 'run', value: 'mm' }), '--columns member=run,value=mm'],
    [mentionOption('reference', '1993-2022'), '--reference 1993-2022'],
    [mentionOption('array', '$(touch hit)'), "--array '$(touch hit)'"],
    [mentionOption('array', "a' $(touch hit) '"), `--array 'a'"'"' $(touch hit) '"'"''`],
    [mentionOption('array', '"`touch hit`\\'), `--array '"\`touch hit\`'"\\\\"''`],
    [mentionOption('array', 'a\nb'), "--array $'a\\012b'"],
    [mentionOption('columns', { value: "}'; touch hit #" }), `--columns 'value=}'"'"'; touch hit #'`],
    [mentionOption('columns', { value: 'a: b, c' }), '--columns "value=a: b, c"'],
  ])('translate %s to %s', (text, said) => {
    expect(translateText(command('stats'), text)).toBe(said);
  });

  it('keep names that are not options of any command, and texts that only look like options', () => {
    const texts = ['the option arrays', "variable precipitation: 'rain'", 'a file, point 3: units', '--units: 3 of 4'];
    for (const text of texts) expect(translateText(command('stats'), text)).toBe(text);
  });

  it('name the option that an error is about, also after a file, and keep the received value', () => {
    const error = new OptionError({
      subject: 'a, b.csv, variable',
      problem: 'unknown',
      received: "units: 'K'",
      allowed: mentionOption('units', 'K'),
    });
    const said = 'a, b.csv, --variable: unknown; received "units: \'K\'"; allowed: --units K';
    expect(translateError(command('stats'), error)).toBe(said);
    expect(translateMessage(command('batch'), "b.csv, variable: unknown; allowed: units: 'K'")).toBe(
      'b.csv, --variable: unknown; allowed: --units K',
    );
    const data = new DataError({ source: 'a.csv', column: 'units', problem: 'mixed' });
    expect(translateError(command('stats'), data)).toBe('a.csv, column units: mixed');
  });
});

/** Where commands are written: the command itself, and what the explorer copies. */
const OF_COMMANDS = /^cli[\\/]|[\\/](shell-command|python-code)\.ts$/;

/** The code of each file of the library, without comments. */
const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !OF_COMMANDS.test(path))
  .map((path) => ({
    path,
    text: readFileSync(join(sources, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ''),
  }));

describe('texts of the library', () => {
  it('do not name flags or commands', () => {
    // Variables of style sheets begin like flags.
    const flags = /['"`\s(]--(?!plume-)[a-z][a-z-]+|\b[a-z]+=NAME\b|on the command\b/;
    const found = code.flatMap(({ path, text }) => {
      const line = text
        .split('\n')
        .find((each) => flags.test(each) && !/^\s*while|const .* = -|`h5repack --/.test(each));
      return line === undefined ? [] : [`${path}: ${line.trim()}`];
    });
    expect(found).toEqual([]);
  });

  it('name functions only where one is called with something else, or a command has a name for them', () => {
    const names = code.flatMap(({ path, text }) =>
      /(^|[\\/])index(\.node)?\.ts$/.test(path) ? (text.match(/\b[a-z]+[A-Z]\w*(?=,| *\})/g) ?? []) : [],
    );
    const named = new RegExp(String.raw`\b(${[...new Set(names)].join('|')})\b`);
    const texts = code
      .filter(({ path }) => !/^(explorer|threads)[\\/]/.test(path))
      .flatMap(({ text }) => text.match(/'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`\n]*`/g) ?? [])
      .map((text) => translateText(command('stats'), text.replace(/\$\{[^}]*\}?|\bwhat .* (returns|gives)\b.*/g, '')))
      .filter((text) => text.includes(' ') && named.test(text));
    expect(names).toContain('dailyTable');
    expect(texts).toEqual(["'an Arrow stream; readTables reads all formats'"]);
    expect(translateText(command('inspect'), 'dailyTable reads numbers')).toBe(
      'plumecast stats with --variable reads numbers',
    );
  });

  it('mention only options that a command has a flag for', () => {
    const names = code.flatMap(({ text }) =>
      [...text.matchAll(/(?:mentionOption\(\s*'|the option )(\w+)/g)].map(([, name]) => name),
    );
    const others = [...new Set(names)].filter((name) =>
      /the option/.test(translateText(command('stats'), mentionOption(name))),
    );
    expect(others).toEqual([]);
  });
});
