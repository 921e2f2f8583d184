import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { FILE_COMMANDS } from '../../src/cli/file-command-names.js';
import { fileCommands } from '../../src/cli/file-commands.js';
import { USUAL } from '../../src/cli/help-groups.js';
import { allCommands } from '../../src/cli/run-all.js';
import { plumecast } from './run-command.js';

/** The names of commands and of their own commands: `store`, `store list`. */
function pathsOf(commands: readonly Command[], before = ''): string[] {
  return commands.flatMap((command) => {
    const path = `${before}${command.name()}`;
    return [path, ...pathsOf(command.commands, `${path} `)];
  });
}

describe('help', () => {
  const files = [
    '',
    'stats',
    'blend',
    'climatology',
    'convert',
    'verify',
    'inspect',
    'plot',
    'explore',
    'demo',
    'worker',
  ];
  const service = ['ingest', 'preload', 'serve', 'location', 'location add', 'location list', 'location remove'];
  const keys = ['key', 'key create', 'key list', 'key revoke'];
  for (const command of [...files, ...service, ...keys]) {
    it(`plumecast ${`${command} --help`.trim()} is as printed here, with exit code 0`, () => {
      const { code, out, err } = plumecast([...command.split(' ').filter(Boolean), '--help']);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatchSnapshot();
    });
  }
});

describe('help that is read', () => {
  it.each(['', ...pathsOf(allCommands())])('of plumecast %s has at most 45 lines', (path) => {
    const { out } = plumecast([...path.split(' ').filter(Boolean), '--help']);
    expect(out).toContain(`Usage: plumecast ${path}`.trimEnd());
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(45);
  });

  it.each(Object.keys(USUAL))('of %s shows its usual options, and with all every option once', (name) => {
    const options = allCommands().find((command) => command.name() === name)?.options ?? [];
    const flags = options.map(({ long }) => long as string);
    const shown = (out: string) => [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
    const usual = (USUAL[name] ?? []).flatMap(([, ...of]) => of);
    expect(flags).toEqual(expect.arrayContaining(usual));
    const short = plumecast([name, '--help']).out;
    expect(shown(short).toSorted()).toEqual(usual.toSorted());
    expect(short).toContain(`plumecast ${name} --help all`);
    expect(shown(plumecast([name, '--help', 'all']).out).toSorted()).toEqual(flags.toSorted());
    expect(plumecast(['help', name, 'all']).out).toBe(plumecast([name, '--help', 'all']).out);
  });

  it('takes all for a file where help is not asked for', () => {
    expect(plumecast(['stats', 'all']).err).toContain('all');
  });
});

it('the commands that are looked for first are those of files', () => {
  expect(fileCommands().map((command) => command.name())).toEqual(FILE_COMMANDS);
});
