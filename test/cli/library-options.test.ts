import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { PLAN_OPTIONS } from '../../src/batch/check-plan.js';
import { BLEND_OPTIONS } from '../../src/blend/options.js';
import { attributeOf, flagOf, type OptionRow, takeOptions } from '../../src/cli/library-options.js';
import { BATCH, BLEND, CLIMATOLOGY, COMPARISON, STATISTICS } from '../../src/cli/option-rows.js';
import { program } from '../../src/cli/program.js';
import { allCommands } from '../../src/cli/run-all.js';
import { PLACES, VALUES } from '../../src/cli/value-rows.js';
import { VERIFY } from '../../src/cli/verify-rows.js';
import { AGAINST_OPTIONS } from '../../src/climate/against-options.js';
import { CLIMATOLOGY_OPTIONS } from '../../src/climate/options.js';
import { VALUE_OPTIONS } from '../../src/input/input-request.js';
import { PLACE_OPTIONS, withoutPlaces } from '../../src/input/place-options.js';
import { VERIFY_OPTIONS } from '../../src/skill/pairing/options.js';

/** Options of the library that no flag sets: objects of programs, and names that the command knows. */
const WITHOUT_FLAGS = ['variables', 'window', 'source', 'sources', 'also', 'pairing', 'inputs', 'verify'];

interface Group {
  readonly title: string;
  readonly command: string;
  readonly schema: object;
  readonly rows: Readonly<Record<string, OptionRow>>;
}

const groups: readonly Group[] = [
  {
    title: 'Statistics',
    command: 'stats',
    schema: AGAINST_OPTIONS,
    rows: { ...STATISTICS, ...COMPARISON, calendar: VALUES.calendar },
  },
  {
    title: 'Climatologies',
    command: 'climatology',
    schema: CLIMATOLOGY_OPTIONS,
    rows: { ...CLIMATOLOGY, calendar: VALUES.calendar },
  },
  { title: 'Verification', command: 'verify', schema: VERIFY_OPTIONS, rows: { ...VERIFY, calendar: VALUES.calendar } },
  { title: 'Timelines', command: 'blend', schema: BLEND_OPTIONS, rows: BLEND },
  { title: 'Values', command: 'convert', schema: withoutPlaces(VALUE_OPTIONS as object), rows: VALUES },
  { title: 'Points', command: 'convert', schema: PLACE_OPTIONS, rows: PLACES },
  { title: 'Plans of batches', command: 'batch', schema: PLAN_OPTIONS, rows: BATCH },
];

const command = (name: string) => program(allCommands()).commands.find((each) => each.name() === name) as Command;
const page = readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8');

/** The cells of the table below a title of the page. */
function tableOf(title: string): string[][] {
  const [section] = page.split(`\n## ${title}\n`)[1].split('\n## ');
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

describe.each(groups)('$title', ({ title, command: name, schema, rows }) => {
  const names = Object.keys(schema);

  it('have a flag for each option of the schema, named in kebab-case', () => {
    const attributes = command(name).options.map((option) => option.attributeName());
    const missing = names.filter((each) => !attributes.includes(attributeOf(each)));
    expect(missing.filter((each) => !WITHOUT_FLAGS.includes(each))).toEqual([]);
    for (const option of command(name).options) {
      const own = names.find((each) => each in rows && attributeOf(each) === option.attributeName());
      if (own !== undefined) expect(option.long).toBe(flagOf(own));
    }
  });

  it('are on the page of options, with their flags and texts', () => {
    const table = tableOf(title);
    expect(table.map(([cell]) => cell)).toEqual(Object.keys(schema).map((each) => `\`${each}\``));
    for (const [cell, flag, text, example] of table) {
      const option = cell.slice(1, -1);
      const row = rows[option];
      if (row === undefined) {
        expect([WITHOUT_FLAGS.includes(option), flag, text === '', example]).toEqual([true, '', false, '']);
        continue;
      }
      const flags = [flagOf(option), row.value].filter(Boolean).join(' ');
      expect([flag, text, example]).toEqual([`\`${flags}\``, row.text, `\`${row.example}\``]);
    }
  });

  it('have examples that the command takes', () => {
    for (const [option, { example, value }] of Object.entries(rows)) {
      const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
      expect(words.length, example).toBe(value === undefined ? 1 : 2);
      expect(words[0]).toBe(flagOf(option));
      const given = command(name);
      expect(given.parseOptions(words), example).toEqual({ operands: [], unknown: [] });
      expect(given.getOptionValue(attributeOf(option)), example).toBeDefined();
    }
  });
});

describe('takeOptions', () => {
  it('takes the options that are given, by their names in the library', () => {
    const flags = { threshold: ['>20'], variable: ['precipitation'], workers: 2, resume: true };
    expect(takeOptions(BATCH, flags)).toEqual({ thresholds: ['>20'], variables: ['precipitation'], workers: 2 });
    expect(takeOptions(STATISTICS, { threshold: [], quiet: true })).toEqual({ thresholds: [] });
  });
});

describe('Flags of the commands alone', () => {
  const pathsOf = (commands: readonly Command[], before = ''): [string, Command][] =>
    commands.flatMap((one) => {
      const path = `${before}${one.name()}`;
      return [[path, one] as [string, Command], ...pathsOf(one.commands, `${path} `)];
    });
  /** The commands of each flag that no other table has. */
  const alone = () => {
    const shared = new Set(groups.flatMap(({ rows }) => Object.keys(rows).map(flagOf)));
    const found = new Map<string, [path: string, command: Command][]>();
    for (const each of pathsOf(allCommands())) {
      for (const { long, hidden } of each[1].options) {
        if (hidden || long == null || long === '--help' || shared.has(long)) continue;
        found.set(long, [...(found.get(long) ?? []), each]);
      }
    }
    return found;
  };

  it('are all on the page, each once, with the text of the first command that has it', () => {
    const rows = [...alone()].map(([flag, [[, first]]]) => {
      const option = first.options.find(({ long }) => long === flag);
      return [`\`${option?.flags.split(', ').at(-1)}\``, option?.description];
    });
    expect(tableOf('Flags of the commands alone').map(([flag, , text]) => [flag, text])).toEqual(rows);
  });

  it('have examples that the first of the commands takes', () => {
    for (const [cell, of, , example] of tableOf('Flags of the commands alone')) {
      const flag = cell.slice(1, -1).split(' ')[0];
      const [path] = of.split(/, | and /);
      const [, given] = pathsOf(allCommands()).find(([name]) => name === path) as [string, Command];
      const words = [...example.slice(1, -1).matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
      expect(words[0], example).toBe(flag);
      expect(given.parseOptions(words), example).toEqual({ operands: [], unknown: [] });
      const option = given.options.find(({ long }) => long === flag);
      expect(given.getOptionValue(option?.attributeName() as string), example).toBeDefined();
    }
  });
});
