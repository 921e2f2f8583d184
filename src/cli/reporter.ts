import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';
import pc from 'picocolors';
import { printable } from '../check/printable.js';
import type { PlumecastError } from '../errors.js';
import type { Notice } from '../input/notice.js';
import { translateError, translateMessage } from './command-words.js';
import { colours } from './terminal.js';

/**
 * Writes the messages of a command to standard error; with --quiet neither notes nor progress, but warnings and errors.
 */
export class Reporter {
  readonly #command: Command;
  readonly #isQuiet: boolean;
  /** What is said of inputs, by its words, and of which; undefined where lines are written as they come. */
  #gathered: Map<string, { readonly notice: Notice; readonly sources: Set<string> }> | undefined;

  constructor(command: Command) {
    this.#command = command;
    this.#isQuiet = command.opts().quiet === true;
  }

  error(error: PlumecastError): void {
    const { red } = pc.createColors(colours(process.stderr));
    process.stderr.write(`${red('error:')} ${printable(translateError(this.#command, error))}\n`);
  }

  /** A note or a warning about an input. */
  readonly notice = (notice: Notice): void => {
    if (this.#isQuiet && notice.kind === 'note') return;
    const key = `${notice.kind} ${notice.text}`;
    const sources = this.#gathered?.get(key)?.sources ?? new Set();
    if (this.#gathered === undefined) this.#write(notice, notice.source);
    else this.#gathered.set(key, { notice, sources: sources.add(notice.source) });
  };

  /**
   * From here on what is said of several inputs in the same words is one line, when the command ends: `60 files, the
   * first a.nc: K to degC`. Of a few inputs lines are written as they come.
   */
  gather(inputs: number): void {
    if (inputs < MIN_GATHERED || this.#gathered !== undefined) return;
    this.#gathered = new Map();
    this.#command.on(ENDED, () => {
      for (const { notice, sources } of this.#gathered?.values() ?? []) {
        const [first] = sources;
        this.#write(notice, sources.size === 1 ? first : `${sources.size} files, the first ${first}`);
      }
      this.#gathered = undefined;
    });
  }

  #write({ kind, text }: Notice, source: string): void {
    process.stderr.write(`${printable(`${kind}: ${source}: ${this.translate(text)}`)}\n`);
  }

  /** A note whose text names its subject, and no option. */
  note(text: string): void {
    if (!this.#isQuiet) process.stderr.write(`note: ${printable(text)}\n`);
  }

  /** Translates a note, a warning or the message of an error for the command. */
  translate(text: string): string {
    return translateMessage(this.#command, text);
  }

  progress(): Progress {
    return new Progress(this.#isQuiet);
  }
}

/** The event of a command that has ended, or failed. */
const ENDED = 'ended';

/** Writes what the reporters of a command have gathered. */
export function endReports(command: Command): void {
  // A command of commander is an emitter of events, of which its types only have `on`.
  (command as unknown as EventEmitter).emit(ENDED);
}

/** The least number of inputs of which lines are gathered. */
const MIN_GATHERED = 4;

/** How long work takes before its progress is shown, in milliseconds. */
const DELAY = 1000;

/** Shows the progress of long work on standard error; only on a terminal, and only after a second. */
export class Progress {
  readonly #started = Date.now();
  readonly #isQuiet: boolean;
  #shown = false;

  constructor(isQuiet = false) {
    this.#isQuiet = isQuiet;
  }

  report(text: string): void {
    if (this.#isQuiet || !process.stderr.isTTY || Date.now() - this.#started < DELAY) return;
    process.stderr.write(`\r\u001b[K${text}`);
    this.#shown = true;
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
