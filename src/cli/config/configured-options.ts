import { type Command, CommanderError, InvalidArgumentError, type Option } from 'commander';
import { OptionError } from '../../errors.js';
import { nearestName } from '../../variable/nearest-name.js';
import { EXIT_CODES } from '../exit-codes.js';
import { MAY_BE_EMPTY } from '../strict-options.js';
import { textTable } from '../text-table.js';
import { CONFIGURED, type ConfigValue, readConfig } from './config-file.js';

/*
 * Options that are not given as flags: from the environment, or else from a configuration file. What a flag gives is
 * never replaced.
 */

/** Variables of the environment that platforms set. */
const OF_PLATFORMS: Readonly<Record<string, string>> = { port: 'PORT', host: 'HOST' };
const PREFIX = 'PLUMECAST_';
/** Options that say where options come from. */
const OF_CONFIG = ['config', 'check-config', 'help'];

const OF_DATABASES = ['database', 'database-file'];

type Environment = Readonly<Record<string, string | undefined>>;

/** `rate-limit`; `explorer` for `--no-explorer`. */
function nameOf(option: Option): string {
  return option.name().replace(/^no-/, '');
}

/** `PLUMECAST_RATE_LIMIT` */
function variableOf(name: string): string {
  return PREFIX + name.toUpperCase().replaceAll('-', '_');
}

function configuredOptions({ options }: Command): Option[] {
  return options.filter((option) => !OF_CONFIG.includes(nameOf(option)));
}

/**
 * Sets the options of the command that `args` name from the environment and, of `serve` and `ingest`, from a configuration
 * file. Other commands take their store from PLUMECAST_STORE. Throws OptionError for values that an option does not take.
 */
export async function configure(program: Command, args: readonly string[], environment: Environment): Promise<void> {
  const command = commandOf(program, args);
  if (command === undefined) return;
  const isConfigured = isConfigurable(command);
  const options = configuredOptions(command).filter((option) => {
    return !isGiven(option, args) && (isConfigured || isOfPlace(command, option));
  });
  const path = configPath(args) ?? environment[variableOf('config')];
  if (isConfigured && path) {
    const names = new Map(
      program.commands.filter(isConfigurable).map((one) => [one.name(), configuredOptions(one).map(nameOf)] as const),
    );
    for (const [name, value] of await readConfig(path, command.name(), names)) {
      const option = options.find((one) => nameOf(one) === name);
      const field = name === 'store' ? name : `${command.name()}.${name}`;
      if (option !== undefined) set(command, option, value, { source: 'config', subject: `${path}, ${field}` });
    }
  }
  for (const option of options) {
    const name = nameOf(option);
    const platform = command.name() === 'serve' ? OF_PLATFORMS[name] : undefined;
    const variable = [variableOf(name), platform].find((one) => one !== undefined && environment[one] !== undefined);
    if (variable === undefined) continue;
    const text = environment[variable] as string;
    const value = option.variadic ? text.split(';').filter((part) => part !== '') : asSwitch(option, text, variable);
    set(command, option, value, { source: 'env', subject: variable });
  }
  if (isConfigured && args.includes('--check-config')) {
    command.hook('preAction', () => {
      process.stdout.write(listing(command, path));
      const unknown = unknownVariables(command, environment);
      for (const line of unknown) process.stderr.write(`error: ${line}\n`);
      const { code } = unknown.length === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
      throw new CommanderError(code, 'plumecast.checkConfig', '');
    });
  }
}

/** Whether an option of any command says where its store is, or its keys. */
function isOfPlace({ options }: Command, option: Option): boolean {
  const name = nameOf(option);
  if (OF_DATABASES.includes(name)) return true;
  return name === 'store' && (option.mandatory || options.some((other) => OF_DATABASES.includes(nameOf(other))));
}

function isConfigurable(command: Command): boolean {
  return CONFIGURED.some((name) => name === command.name());
}

/** The command that will run: `key create` runs `create`. */
function commandOf(program: Command, args: readonly string[]): Command | undefined {
  let found: Command | undefined;
  for (const arg of args) {
    const next = (found ?? program).commands.find((one) => one.name() === arg);
    if (next === undefined) break;
    found = next;
  }
  return found;
}

/** Whether a flag gives an option. */
function isGiven(option: Option, args: readonly string[]): boolean {
  const flags = [option.short, `--${nameOf(option)}`, `--no-${nameOf(option)}`];
  return args.some((arg) => flags.includes(arg) || arg.startsWith(`--${nameOf(option)}=`));
}

/** Whether an option has no value: it is on or off. */
function isSwitch({ required, optional }: Option): boolean {
  return !required && !optional;
}

/** The value of `--config`. */
function configPath(args: readonly string[]): string | undefined {
  const at = args.indexOf('--config');
  return at >= 0 ? args[at + 1] : args.find((arg) => arg.startsWith('--config='))?.slice('--config='.length);
}

/** True or false for an option without a value; the text for others. */
function asSwitch(option: Option, text: string, variable: string): string | boolean {
  if (!isSwitch(option)) return text;
  if (/^(true|1|yes|on)$/i.test(text)) return true;
  if (/^(false|0|no|off)$/i.test(text)) return false;
  throw new OptionError({ subject: variable, problem: 'cannot be used', received: text, allowed: 'true or false' });
}

interface Origin {
  readonly source: 'config' | 'env';
  readonly subject: string;
}

function set(command: Command, option: Option, value: ConfigValue, { source, subject }: Origin): void {
  const fail = (allowed: string, cause?: unknown) =>
    new OptionError({ subject, problem: 'cannot be used', received: value, allowed, cause });
  if (isSwitch(option)) {
    if (typeof value !== 'boolean') throw fail('true or false');
    command.setOptionValueWithSource(option.attributeName(), value, source);
    return;
  }
  if (value === false || (value === true && !option.optional)) throw fail('a text or a number');
  const texts = [value].flat().map(String);
  if (texts.length > 1 && !option.variadic) throw fail('one text or number');
  if (texts.some((text) => text.trim() === '' && !MAY_BE_EMPTY.includes(nameOf(option))))
    throw fail('a text that is not empty');
  try {
    let parsed: unknown = option.variadic && option.parseArg === undefined ? texts : undefined;
    if (value === true) parsed = true;
    else if (parsed === undefined) {
      for (const text of texts) parsed = option.parseArg === undefined ? text : option.parseArg(text, parsed);
    }
    command.setOptionValueWithSource(option.attributeName(), parsed, source);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw fail(error.message.replace(/^Expected /, '').replace(/\.$/, ''), error);
  }
}

const ORIGINS: Readonly<Record<string, string>> = { cli: 'flag', env: 'environment', default: 'default' };

/** Where each option that has a value comes from. */
function listing(command: Command, path: string | undefined): string {
  const rows = configuredOptions(command).flatMap((option) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value === undefined) return [];
    const source = command.getOptionValueSource(option.attributeName()) ?? 'default';
    const text =
      nameOf(option) === 'database' ? '(not shown)' : typeof value === 'string' ? value : JSON.stringify(value);
    return [[nameOf(option), text, source === 'config' ? (path ?? '') : (ORIGINS[source] ?? source)]];
  });
  const names = ['option', 'value', 'from'];
  const columns = names.map((name, k) => ({ name, align: 'left' as const, cells: rows.map((row) => row[k]) }));
  return `${textTable(columns)}\n`;
}

/** Variables that are near an option's, and are none: misspelled, most likely. */
function unknownVariables(command: Command, environment: Environment): string[] {
  const known = [...configuredOptions(command).map((option) => variableOf(nameOf(option))), variableOf('config')];
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name))
    .flatMap((name) => {
      const nearest = nearestName(
        name.slice(PREFIX.length),
        known.map((one) => one.slice(PREFIX.length)),
      );
      return nearest === undefined ? [] : [`${name} is not read; did you mean ${PREFIX}${nearest}?`];
    });
}
