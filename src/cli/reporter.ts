import type { Command } from 'commander';
import pc from 'picocolors';
import type { Notice } from '../batch/run/notice.js';
import type { PlumecastError } from '../errors.js';
import { translateError, translateMessage } from './command-words.js';
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
    process.stderr.write(`${red('error:')} ${translateError(this.#command, error)}\n`);
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
    return translateMessage(this.#command, text);
  }

  progress(): Progress {
    return new Progress(this.#isQuiet);
  }
}

/** How long work goes on before it is worth talking about, in milliseconds. */
const PATIENCE = 1000;

/** Tells on standard error how far long work is; only on a terminal, and only once it has taken a second. */
export class Progress {
  readonly #started = Date.now();
  readonly #isQuiet: boolean;
  #shown = false;

  constructor(isQuiet = false) {
    this.#isQuiet = isQuiet;
  }

  report(text: string): void {
    if (this.#isQuiet || !process.stderr.isTTY || Date.now() - this.#started < PATIENCE) return;
    process.stderr.write(`\r\u001b[K${text}`);
    this.#shown = true;
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
