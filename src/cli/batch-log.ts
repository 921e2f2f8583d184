import pc from 'picocolors';
import type { BatchEvent } from '../batch/batch-event.js';
import { formatBytes } from '../batch/byte-count.js';
import type { BatchReport } from '../batch/run-batch.js';
import type { Progress } from '../check/work.js';
import { duration, timeLeft } from './progress-text.js';
import type { Reporter } from './reporter.js';
import { colours } from './terminal.js';

/** Reports the progress of a batch to people or programs. */
export interface BatchLog {
  report(event: BatchEvent): void;
  /** Reports how many bytes of the inputs are read. */
  progress(bytes: Progress): void;
  /** Reports how the batch ended. */
  end(report: BatchReport, out: string): void;
  /** Clears the progress bar on a terminal. */
  clear(): void;
}

/** A bar on a terminal, elsewhere a line per minute, on standard error; or events as JSON on standard output. */
export function createBatchLog(options: BatchLogOptions): BatchLog {
  if (options.json) return new JsonLog(options);
  return process.stderr.isTTY && !options.quiet ? new BarLog(options) : new LineLog(options);
}

export interface BatchLogOptions {
  readonly json?: boolean;
  /** Whether to report only failures, warnings, and the end of an incomplete batch. */
  readonly quiet?: boolean;
  /** Translates messages of the library for the command. */
  readonly reporter: Pick<Reporter, 'translate'>;
}

/** The minimum time between two lines of progress, in milliseconds. */
const LINE_PAUSE = 60_000;

type Notice = Extract<BatchEvent, { event: 'note' | 'warning' }>;

/** What of a batch is done. */
interface DoneWork {
  readonly done: number;
  readonly outputs: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Counts the outputs that are complete or have failed. */
class OutputCount {
  #done = 0;
  #outputs = 0;

  add(event: BatchEvent): void {
    if (event.event === 'planned') this.#outputs = event.outputs - event.kept;
    else if (event.event === 'finished' || (event.event === 'failed' && event.output !== undefined)) this.#done++;
  }

  with({ done: bytes, total: totalBytes = 0 }: Progress): DoneWork {
    return { done: this.#done, outputs: this.#outputs, bytes: Math.round(bytes), totalBytes: Math.round(totalBytes) };
  }
}

class JsonLog implements BatchLog {
  readonly #count = new OutputCount();
  readonly #reporter: BatchLogOptions['reporter'];

  constructor({ reporter }: BatchLogOptions) {
    this.#reporter = reporter;
  }

  report(event: BatchEvent): void {
    this.#count.add(event);
    const translated = 'message' in event ? { ...event, message: this.#reporter.translate(event.message) } : event;
    process.stdout.write(`${JSON.stringify(translated)}\n`);
  }

  progress(bytes: Progress): void {
    process.stdout.write(`${JSON.stringify({ event: 'progress', ...this.#count.with(bytes) })}\n`);
  }

  end(): void {}

  clear(): void {}
}

/** Lines on standard error: failures, notes and, once in a while, progress. */
class LineLog implements BatchLog {
  readonly started = Date.now();
  readonly #count = new OutputCount();
  #nextLine = this.started + LINE_PAUSE;
  readonly #isQuiet: boolean;
  readonly #reporter: BatchLogOptions['reporter'];
  #notices = new Map<string, number>();

  constructor({ quiet = false, reporter }: BatchLogOptions) {
    this.#isQuiet = quiet;
    this.#reporter = reporter;
  }

  report(event: BatchEvent): void {
    this.#count.add(event);
    if (this.#isQuiet && ['note', 'planned'].includes(event.event)) return;
    if (event.event === 'failed') this.#fail(event.output, event.message);
    else if (event.event === 'note' || event.event === 'warning') this.#notice(event);
    else if (event.event === 'planned' && event.kept > 0)
      this.#print(`${event.kept} of ${event.outputs} outputs are complete and stay`);
  }

  end({ status, finished, kept, failed, left, pruned }: BatchReport, out: string): void {
    this.clear();
    if (this.#isQuiet && status === 'done') return;
    const notBegun = left - failed.filter(({ output }) => output !== undefined).length;
    const parts = [
      `${finished} made`,
      kept > 0 ? `${kept} kept` : '',
      failed.length > 0 ? `${failed.length} failed` : '',
      notBegun > 0 ? `${notBegun} not made` : '',
      pruned === undefined ? '' : `${pruned} pruned`,
    ];
    const what = parts.filter((part) => part !== '').join(', ');
    const remedy = status === 'interrupted' || status === 'stopped' ? '; continue with --resume' : '';
    this.#print(`${out}: ${what} in ${duration(Date.now() - this.started)}${remedy}`);
  }

  clear(): void {}

  progress(bytes: Progress): void {
    if (!this.#isQuiet) this.show(this.#count.with(bytes));
  }

  protected show(done: DoneWork): void {
    if (Date.now() < this.#nextLine) return;
    this.#nextLine = Date.now() + LINE_PAUSE;
    this.#print(describe(done, Date.now() - this.started));
  }

  #fail(output: string | undefined, message: string): void {
    const about = output === undefined ? '' : `${output}: `;
    this.#print(`${this.#red('error:')} ${about}${this.#reporter.translate(message)}`);
  }

  /** Prints a message that several files have for the first file, and once for the others. */
  #notice({ event, input, message }: Notice): void {
    const times = (this.#notices.get(message) ?? 0) + 1;
    this.#notices.set(message, times);
    if (times === 1) this.#print(`${event}: ${input}: ${this.#reporter.translate(message)}`);
    else if (times === 2) this.#print(`${event}: and others: ${this.#reporter.translate(message)}`);
  }

  #print(line: string): void {
    this.clear();
    process.stderr.write(`${line}\n`);
  }

  #red(text: string): string {
    return pc.createColors(colours(process.stderr)).red(text);
  }
}

const BAR_WIDTH = 24;

/** Lines as in LineLog, with a progress bar below. */
class BarLog extends LineLog {
  #shown = false;

  override clear(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }

  protected override show(done: DoneWork): void {
    const filled = Math.round(shareOf(done) * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    const line = `${bar} ${describe(done, Date.now() - this.started)}`;
    process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    this.#shown = true;
  }
}

function shareOf({ bytes, totalBytes, done, outputs }: DoneWork): number {
  return totalBytes > 0 ? bytes / totalBytes : done / Math.max(1, outputs);
}

/** `42 %, 12 of 30 outputs, 1.20 of 2.86 GB, 310 MB/s, 0:05 left` */
function describe(work: DoneWork, milliseconds: number): string {
  const { done, outputs, bytes, totalBytes } = work;
  const share = shareOf(work);
  const parts = [
    `${Math.floor(share * 100)} %`,
    `${done} of ${outputs} outputs`,
    `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`,
    `${formatBytes((bytes / Math.max(1, milliseconds)) * 1000)}/s`,
  ];
  const left = timeLeft(share, milliseconds);
  return [...parts, ...(left === undefined ? [] : [left])].join(', ');
}
