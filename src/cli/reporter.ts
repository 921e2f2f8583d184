import type { Command } from 'commander';
import pc from 'picocolors';
import type { Notice } from '../batch/run/notice.js';
import type { PlumecastError } from '../errors.js';
import { wordError, wordMessage } from './command-words.js';
import { Progress } from './progress.js';
import { colours } from './terminal.js';

/** What a command says on standard error, in its own words; with --quiet neither notes nor progress, but warnings and errors. */
export class Reporter {
  readonly #command: Command;
  readonly #isQuiet: boolean;

  constructor(command: Command) {
    this.#command = command;
    this.#isQuiet = command.opts().quiet === true;
  }

  error(error: PlumecastError): void {
    const { red } = pc.createColors(colours(process.stderr));
    process.stderr.write(`${red('error:')} ${wordError(this.#command, error)}\n`);
  }

  /** A note or a warning about an input. */
  readonly notice = ({ kind, source, text }: Notice): void => {
    if (this.#isQuiet && kind === 'note') return;
    process.stderr.write(`${kind}: ${source}: ${this.words(text)}\n`);
  };

  /** A note that names itself what it is about, and no option. */
  note(text: string): void {
    if (!this.#isQuiet) process.stderr.write(`note: ${text}\n`);
  }

  /** A note, a warning or the message of an error in words of the command. */
  words(text: string): string {
    return wordMessage(this.#command, text);
  }

  progress(): Progress {
    return new Progress(this.#isQuiet);
  }
}
