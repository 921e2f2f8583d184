import type { Command } from 'commander';
import { errorMessage, type PlumecastError } from '../errors.js';
import { READABLE_FORMATS, TABLE_FORMATS } from '../files/format-names.js';

/*
 * What the library says, in words of a command: options of the library, as `mentionOption` has messages mention them, become the flags
 * of the command. A flag's name is the option's in kebab-case, as commander has it.
 */

/** Options of the library that flags have another name for. */
const RENAMED: Readonly<Record<string, string>> = {
  'quantile type': 'quantileType',
  thresholds: 'threshold',
  variables: 'variable',
  granularities: 'granularity',
  climatologies: 'climatology',
  nextInitTime: 'nextRun',
  initDate: 'date',
};

/** What is said of files of arrays where only tables are read. */
const ARRAYS = 'holds arrays';
const VALUE = String.raw`(?:'[^']*'|"[^"]*"|-?\d+(?:\.\d+)?(?!\w)|true|\[[^\]]*\]|\{[^}]*\})`;
const WITH_VALUES = new RegExp(String.raw`(?<![-\w.])([a-z]\w*): (${VALUE}(?: \| ${VALUE})*)`, 'gi');
const ALONE = /\b(?:the )?option (\w+)/g;

/** A text of the library in words of a command. Options that no command has stay as they are. */
export function translateText(command: Command, text: string): string {
  return text
    .replace(WITH_VALUES, (mention, name: string, values: string) => {
      const flag = findFlag(command, name);
      if (flag === undefined) return mention;
      return values === 'true' ? flag : `${flag} ${joinValues(values.match(new RegExp(VALUE, 'g')) ?? [])}`;
    })
    .replace(ALONE, (mention, name: string) => findFlag(command, name) ?? mention);
}

/** The message of an error, as `translateText` says it, and the option that it is about. */
export function translateMessage(command: Command, given: string): string {
  const message = given.includes(ARRAYS) ? given : given.replace(TABLE_FORMATS, READABLE_FORMATS);
  const [, before, name, rest] = /^((?:[^:]*, )?)(\w+)(: .*)$/s.exec(message) ?? [];
  const flag = name === undefined ? undefined : findFlag(command, name);
  return flag === undefined ? translateText(command, message) : `${before}${flag}${translateText(command, rest)}`;
}

/** The message of an error in words of a command; what was received stays as it is. */
export function translateError(command: Command, error: PlumecastError): string {
  const { tag, subject, problem, received, allowed } = error;
  // Functions of the library read tables or arrays, the command both.
  const isOfTables = allowed === TABLE_FORMATS && !problem.includes(ARRAYS);
  return errorMessage({
    subject: tag === 'option' ? translateSubject(command, subject) : subject,
    problem: translateText(command, problem),
    received,
    allowed: allowed === undefined ? undefined : translateText(command, isOfTables ? READABLE_FORMATS : allowed),
  });
}

/** Options are subjects of errors by themselves, or behind the name of a file. */
function translateSubject(command: Command, subject: string): string {
  const [, before, name] = /^((?:.*, )?)([^,]+)$/s.exec(subject) ?? ['', '', subject];
  return `${before}${findFlag(command, name) ?? name}`;
}

/** The flag of an option of the library: the command's, else that of another command that has it. */
function findFlag(command: Command, name: string): string | undefined {
  const attribute = RENAMED[name] ?? name;
  for (const { options } of [command, ...(command.parent?.commands ?? [])]) {
    const found = options.find((option) => !option.negate && option.attributeName() === attribute);
    if (found?.long) return found.long;
  }
  return undefined;
}

/** Values as a command line has them: `a`, `a or b`, `a, b or c`. */
function joinValues(values: readonly string[]): string {
  const words = values.map(asWord);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
}

/** `'K'` as `K`, `[0.9, 0.95]` as `0.9,0.95`, `{ member: 'run' }` as `member=run`. */
function asWord(value: string): string {
  const bare = value.replace(/^[[{'"] ?| ?[\]}'"]$/g, '');
  const items = /^[[{]/.test(value) ? bare.replace(/'/g, '').replace(/: /g, '=').replace(/, /g, ',') : bare;
  return /^[\w@%+=:,./-]+$/.test(items) ? items : `"${items}"`;
}

/** A command `plumecast ...` as it can be typed where this one was: behind `npx` where that started it. */
export function asInvoked(command: string): string {
  const { npm_command: npm, npm_lifecycle_script: script = '' } = process.env;
  return npm === 'exec' && /^['"]?plumecast\b/.test(script) ? `npx ${command}` : command;
}
