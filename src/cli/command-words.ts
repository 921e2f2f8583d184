import type { Command } from 'commander';
import { shellWord } from '../check/shell-word.js';
import { errorMessage, type PlumecastError } from '../errors.js';
import { attributeOf } from './library-options.js';

/*
 * Translates texts of the library for a command: options, which messages mention with `mentionOption`, become flags of
 * the command, and functions become commands.
 */

const TEXT = String.raw`'[^']*'|"(?:[^"\\]|\\.)*"`;
const LIST = String.raw`\[(?:${TEXT}|[^\]'"])*\]|\{(?:${TEXT}|[^}'"])*\}`;
const VALUE = String.raw`(?:${TEXT}|-?\d+(?:\.\d+)?(?!\w)|true|${LIST})`;
const WITH_VALUES = new RegExp(String.raw`(?<![-\w.])([a-z]\w*): (${VALUE}(?: \| ${VALUE})*)`, 'gi');
const ALONE = /\b(?:the )?option (\w+)/g;

/** What a command calls functions of the library that messages recommend, and options without a flag of their own. */
const FUNCTIONS: Readonly<Record<string, string | undefined>> = {
  dailyTable: 'plumecast stats with --variable',
  'defineVariable in variables': 'a definition in the plan of a batch',
  'native: true': 'plumecast stats --granularity native',
  'the option native': 'plumecast stats --granularity native',
};
const FUNCTION = new RegExp(String.raw`\b(${Object.keys(FUNCTIONS).join('|')})\b`, 'g');

/** Translates a text of the library for a command. Options that no command has stay as they are. */
export function translateText(command: Command, text: string): string {
  return text
    .replace(WITH_VALUES, (mention, name: string, values: string) => {
      const flag = findFlag(command, name);
      if (flag === undefined) return mention;
      return values === 'true' ? flag : `${flag} ${joinValues(values.match(new RegExp(VALUE, 'g')) ?? [])}`;
    })
    .replace(ALONE, (mention, name: string) => findFlag(command, name) ?? mention)
    .replace(FUNCTION, (name) => FUNCTIONS[name] ?? name);
}

/** Translates the message of an error, and the option that it is about. */
export function translateMessage(command: Command, message: string): string {
  const [, before, name, rest] = /^((?:[^:]*, )?)(\w+)(: .*)$/s.exec(message) ?? [];
  const flag = name === undefined ? undefined : findFlag(command, name);
  return flag === undefined ? translateText(command, message) : `${before}${flag}${translateText(command, rest)}`;
}

/** Creates the message of an error for a command; the received value stays as it is. */
export function translateError(command: Command, error: PlumecastError): string {
  const { tag, subject, problem, received, allowed } = error;
  const said = translateText(command, problem);
  const file = windowFile(command);
  return errorMessage({
    subject: tag === 'option' ? translateSubject(command, subject) : subject,
    problem: file === undefined ? said : said.replace('of the list (', () => `of ${file} (`),
    received: file !== undefined && received === 'list' ? file : received,
    allowed: allowed === undefined ? undefined : translateText(command, allowed),
  });
}

/** The file of windows that is given, which is a list for the library; undefined where there are none or several. */
function windowFile(command: Command): string | undefined {
  const given: readonly string[] = [command.getOptionValue('windows') ?? []].flat();
  const files = given.filter(isWindowFile);
  return files.length === 1 ? files[0] : undefined;
}

/** Whether windows are a file: neither months nor other words have a dot, and lists begin with a bracket. */
export function isWindowFile(windows: string): boolean {
  return windows.includes('.') && !windows.trim().startsWith('[');
}

/** An error about an option has the option as its subject, alone or after the name of a file. */
function translateSubject(command: Command, subject: string): string {
  const [, before, name] = /^((?:.*, )?)([^,]+)$/s.exec(subject) ?? ['', '', subject];
  return `${before}${findFlag(command, name) ?? name}`;
}

/** The flag for an option of the library: of the command, or else of another command that has it. */
function findFlag(command: Command, name: string): string | undefined {
  // Windows are a granularity for the library.
  const isWindows = name === 'granularity' && command.getOptionValue('windows') !== undefined;
  const attribute = isWindows ? 'windows' : attributeOf(name);
  for (const { options } of [command, ...(command.parent?.commands ?? [])]) {
    const found = options.find((option) => !option.negate && option.attributeName() === attribute);
    if (found?.long) return found.long;
  }
  return undefined;
}

/** Joins values for a command line: `a`, `a or b`, `a, b or c`. */
function joinValues(values: readonly string[]): string {
  const words = values.map(asWord);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** `'K'` as `K`, `[0.9, 0.95]` as `0.9,0.95`, `{ member: 'run' }` as `member=run`; quoted for a shell. */
function asWord(value: string): string {
  const items = value
    .replace(/^[[{] ?| ?[\]}]$/g, '')
    .replace(new RegExp(`${TEXT}|: |, `, 'g'), (part) => SEPARATORS[part] ?? plainText(part));
  // People rather read double quotes: a shell finds nothing to run in these.
  const word = shellWord(items);
  return word.startsWith("'") && /^[\w %+=:,./<>°-]+$/.test(items) ? `"${items}"` : word;
}

const SEPARATORS: Readonly<Record<string, string | undefined>> = { ': ': '=', ', ': ',' };

/** A text in code as the text itself. */
function plainText(code: string): string {
  try {
    if (code.startsWith('"')) return JSON.parse(code);
  } catch {}
  return code.slice(1, -1);
}

/** A command `plumecast ...` as the user can type it: after `npx` if that started this one, or `npm run demo` in a clone. */
export function asInvoked(command: string): string {
  const { npm_command: npm, npm_lifecycle_script: script = '', npm_lifecycle_event: event } = process.env;
  const isByNpx = npm === 'exec' && /^['"]?plumecast\b/.test(script);
  return isByNpx || event === 'demo' ? `npx ${command}` : command;
}
