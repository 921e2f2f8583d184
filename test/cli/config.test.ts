import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { CONFIG_VERSION } from '../../src/cli/config/config-file.js';
import { configure } from '../../src/cli/config/configured-options.js';
import { ingestCommand } from '../../src/cli/ingest/ingest-command.js';
import { program } from '../../src/cli/program.js';
import { serveCommand } from '../../src/cli/serve-command.js';
import { CLI } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-config-'));

function config(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const PATH = config({
  ...{ version: 1, store: 'data' },
  serve: { port: 8099, 'rate-limit': '600/min', explorer: false, log: true },
  ingest: { 'min-members': 21, 'short-term': ['a.nc', 'b.nc'] },
});

/** Runs the command with these variables and no other settings. */
function plumecast(args: readonly string[], env: Record<string, string>) {
  return spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
}

/** The options that a command has, with their origins, by name. */
function options(args: string[], env: Record<string, string> = {}) {
  const { stdout, stderr, status: code } = plumecast([...args, '--check-config'], env);
  const rows = stdout.trim().split('\n').slice(1);
  const found = Object.fromEntries(rows.map((line) => [line.split(/ {2,}/)[0], line.split(/ {2,}/).slice(1)]));
  return { found, stderr, code };
}

describe('options of serve and ingest', () => {
  it('come from a file', () => {
    const { found, code } = options(['serve', '--config', PATH]);
    expect(code).toBe(0);
    expect(found.store).toEqual(['data', PATH]);
    expect(found.port).toEqual(['8099', PATH]);
    expect(found['rate-limit']).toEqual(['{"requests":600,"windowSeconds":60}', PATH]);
    expect(found.explorer).toEqual(['false', PATH]);
    expect(found.log).toEqual(['true', PATH]);
    expect(found.host).toEqual(['127.0.0.1', 'default']);
    expect(options(['ingest', '--config', PATH]).found['short-term']).toEqual(['["a.nc","b.nc"]', PATH]);
  });

  it('come from the environment before the file, and from flags before both', () => {
    const env = { PLUMECAST_CONFIG: PATH, PLUMECAST_PORT: '81', PORT: '82', HOST: '0.0.0.0', PLUMECAST_LOG: 'false' };
    const { found } = options(['serve', '--store', 'mine'], env);
    expect(found.store).toEqual(['mine', 'flag']);
    expect(found.port).toEqual(['81', 'environment']);
    expect(found.host).toEqual(['0.0.0.0', 'environment']);
    expect(found.log).toEqual(['false', 'environment']);
  });

  it('with several values are replaced by flags, not added to', () => {
    const args = ['ingest', '--config', PATH, '--short-term', 'c.nc'];
    expect(options(args).found['short-term']).toEqual(['["c.nc"]', 'flag']);
    const env = { PLUMECAST_SHORT_TERM: 'd.nc;e f.nc' };
    expect(options(['ingest', '--config', PATH], env).found['short-term'][0]).toBe('["d.nc","e f.nc"]');
  });

  it('that are misspelled in the environment fail the check', () => {
    const { stderr, code } = options(['serve', '--config', PATH], { PLUMECAST_RATELIMIT: '3/s' });
    expect(stderr).toContain('PLUMECAST_RATELIMIT is not read; did you mean PLUMECAST_RATE_LIMIT?');
    expect(code).toBe(2);
  });

  it.each([
    [{ version: 1, serve: { prot: 1 } }, 'serve.prot: is no option; allowed: serve.port?'],
    [{ version: 1, ingest: { nothing: 1 } }, 'ingest.nothing: is no option'],
    [{ version: 1, sevre: {} }, 'sevre: is no option; allowed: serve?'],
    [{ version: 2 }, 'has another version; received 2; allowed: "version": 1'],
    [{ serve: {} }, 'has no version'],
    [{ version: 1, serve: { workers: 0 } }, 'serve.workers: cannot be used; received 0'],
    [{ version: 1, serve: { log: 'yes' } }, 'serve.log: cannot be used; received "yes"; allowed: true or false'],
    [{ version: 1, serve: { host: '' } }, 'serve.host: cannot be used'],
    [{ version: 1, serve: { host: ['a', 'b'] } }, 'allowed: one text or number'],
    [{ version: 1, serve: { host: {} } }, 'serve.host: cannot be used'],
    [{ version: 1, serve: [] }, 'serve is wrong'],
    [[], 'is wrong'],
  ])('that a file has wrong are errors: %j', async (content, message) => {
    const commands = program([serveCommand(), ingestCommand()]);
    await expect(configure(commands, ['serve', '--config', config(content)], {})).rejects.toThrow(message);
  });

  it('are all in the published schema', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...{ title: 'Configuration of plumecast serve and plumecast ingest', type: 'object' },
      required: ['version'],
      properties: {
        ...{ $schema: { type: 'string' }, version: { const: CONFIG_VERSION } },
        ...{ store: { type: 'string', description: 'folder of the store' } },
        ...{ serve: sectionOf(serveCommand()), ingest: sectionOf(ingestCommand()) },
      },
      additionalProperties: false,
    };
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../docs/config.schema.json');
  });
});

it('other commands take their store from the environment', () => {
  const { stderr } = plumecast(['store', 'list'], { PLUMECAST_STORE: join(folder, 'nowhere') });
  expect(stderr).toContain('nowhere: holds no store');
});

function sectionOf(command: Command) {
  const options = command.options.filter(({ long }) => !['--config', '--check-config', '--help'].includes(long ?? ''));
  const properties = Object.fromEntries(options.map((option) => [option.name().replace(/^no-/, ''), typeOf(option)]));
  return { type: 'object', properties, additionalProperties: false };
}

function typeOf(option: Option) {
  const { description, required, optional, variadic, argChoices } = option;
  if (!required && !optional) return { type: 'boolean', description };
  const one = argChoices === undefined ? { type: ['string', 'number'] } : { enum: argChoices };
  const several = variadic ? { anyOf: [one, { type: 'array', items: one }] } : one;
  return { ...(optional ? { anyOf: [several, { type: 'boolean' }] } : several), description };
}
