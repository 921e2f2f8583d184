import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Work } from '../../check/work.js';
import { isAddress } from '../../disk/local-path.js';
import {
  CoreError,
  DataError,
  FileError,
  FormatError,
  OptionError,
  PackageError,
  type PlumecastError,
} from '../../errors.js';
import { isArchiveAddress } from '../../input/archive-address.js';
import type { Report } from '../../input/notice.js';
import type { CatalogEntry } from '../../service/ingest/forecast-catalog.js';
import type { TimelineOfVariable, VariableThreads } from '../../service/ingest/variable-threads.js';
import type { RunOfVariable } from '../../service/ingest/write-variable.js';
import type { StoreUpdate } from '../../service/source/folder/index.node.js';
import { HORIZONS } from '../../variable/availability.js';
import type { TakenReply, ThreadFault, ThreadReply, ThreadSettings, ThreadTask } from './thread-messages.js';

/** The path is relative to the bundled script that contains this module. */
const SCRIPT = new URL('./ingest-worker.js', import.meta.url);

/** More threads than that are used where their number is requested. */
const MAX_USUAL_THREADS = 8;
/** A thread takes half of it by itself, the rest for values. */
const THREAD_BYTES = 300e6;
/** A variable of fewer values is written in less time than a thread needs to start. */
const MIN_VALUES = 16_777_216;

/** The number of threads for an ingest of some memory: the requested one, or one for each processor as far as memory suffices. */
export function ingestThreads(memory: number, requested?: number): number {
  const most = Math.min(MAX_USUAL_THREADS, availableParallelism(), Math.floor(memory / THREAD_BYTES));
  return requested ?? Math.max(1, most);
}

/** What an ingest gives its threads. */
export interface ThreadsOptions {
  /** How many there may be. */
  readonly threads: number;
  /** Whether their number was requested: small variables are written by threads then, too. */
  readonly isRequested: boolean;
  readonly settings: Omit<ThreadSettings, 'update'>;
  /** The paths that a file was given with. */
  readonly givenOf: (source: string) => readonly string[];
  readonly report: Report;
  readonly onNotice: (text: string) => void;
}

interface Waiting {
  readonly task: ThreadTask;
  readonly values: number;
  readonly work: Work;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Threads of an ingest, each of which writes one variable of the update at a time. */
export class IngestThreads implements VariableThreads {
  readonly #update: StoreUpdate;
  readonly #options: ThreadsOptions;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #waiting: Waiting[] = [];
  readonly #running = new Map<Worker, Waiting>();
  #isStopped = false;

  constructor(update: StoreUpdate, options: ThreadsOptions) {
    this.#update = update;
    this.#options = options;
  }

  writeVariable(run: RunOfVariable, entry: CatalogEntry, work: Work): Promise<void> | undefined {
    const { file, variable, axis, isOpened } = entry;
    const { source, of, state, at, fine } = file;
    const given = this.#options.givenOf(source);
    const isElsewhere = given.some((path) => isAddress(path) || isArchiveAddress(path));
    const values = axis.days * axis.members * run.places.latitude.length;
    if (!isOpened || at !== undefined || isElsewhere || !this.#isLong(values)) return undefined;
    return this.#perform({ kind: 'variable', given, source, of, state, fine, run, variable }, values, work);
  }

  writeTimeline(timeline: TimelineOfVariable, work: Work): Promise<void> | undefined {
    const { axis, part } = timeline;
    const partOf = (horizon: (typeof HORIZONS)[number]) =>
      part === 'timeline' ? horizon : (`fine-${horizon}` as const);
    const horizons = HORIZONS.flatMap((horizon) => {
      const entry = this.#update.entryOf(partOf(horizon));
      return entry === undefined ? [] : [[horizon, entry] as const];
    });
    const values = axis.days * axis.members * horizons[0][1].places.count;
    if (!this.#isLong(values)) return undefined;
    return this.#perform({ kind: 'timeline', timeline, horizons }, 0, work);
  }

  stop(): void {
    this.#isStopped = true;
    void this.release();
    for (const { reject } of this.#waiting.splice(0)) reject(stopped());
  }

  async release(): Promise<void> {
    this.#idle.length = 0;
    await Promise.all(Array.from(this.#all, (worker) => worker.terminate()));
  }

  /** Ends the threads for good. */
  async end(): Promise<void> {
    this.#isStopped = true;
    await this.release();
  }

  #isLong(values: number): boolean {
    return this.#options.isRequested || values >= MIN_VALUES;
  }

  #perform(task: ThreadTask, values: number, work: Work): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, values, work, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#isStopped) return;
    const worker = this.#idle.pop() ?? (this.#all.size < this.#options.threads ? this.#start() : undefined);
    if (worker === undefined) return;
    const waiting = this.#waiting.shift() as Waiting;
    this.#running.set(worker, waiting);
    worker.postMessage(waiting.task);
  }

  #start(): Worker {
    const { settings } = this.#options;
    const worker = new Worker(SCRIPT, { workerData: { ...settings, update: this.#update.handover } });
    let done = 0;
    const ended = (error: unknown) => {
      this.#all.delete(worker);
      if (this.#idle.includes(worker)) this.#idle.splice(this.#idle.indexOf(worker), 1);
      this.#running.get(worker)?.reject(error);
      this.#running.delete(worker);
    };
    worker.on('error', (error) => ended(failed(error)));
    worker.on('exit', () => ended(stopped()));
    worker.on('message', (reply: ThreadReply) => {
      const running = this.#running.get(worker);
      if (running === undefined) return;
      const advance = (to: number) => {
        running.work.advance(Math.max(0, to - done));
        done = to;
      };
      if (reply.kind === 'notice') this.#options.report(reply.notice);
      else if (reply.kind === 'note') this.#options.onNotice(reply.text);
      else if (reply.kind === 'values') advance(Math.min(running.values, reply.done));
      else if (reply.kind === 'take') void this.#take(worker, reply);
      else {
        this.#running.delete(worker);
        this.#idle.push(worker);
        if (reply.kind === 'failed') running.reject(errorOf(reply.fault));
        else this.#update.adopt(reply.written).then(running.resolve, running.reject);
        advance(running.values);
        done = 0;
        this.#next();
      }
    });
    this.#all.add(worker);
    return worker;
  }

  async #take(worker: Worker, { wanted, folder }: Extract<ThreadReply, { kind: 'take' }>): Promise<void> {
    const taken = await this.#update.stopped?.take(wanted, folder).catch(() => undefined);
    worker.postMessage({ kind: 'taken', isOther: false, ...taken } satisfies TakenReply);
  }
}

/** The error for a thread that ended by itself, such as without memory. */
function failed(cause: Error): OptionError {
  const allowed = 'fewer threads, or --threads 1';
  return new OptionError({ subject: '--threads', problem: `a thread ended: ${cause.message}`, allowed, cause });
}

function stopped(): Error {
  return new Error('a thread of the ingest was ended');
}

const CLASSES = {
  ...{ option: OptionError, data: DataError, format: FormatError },
  ...{ file: FileError, package: PackageError, core: CoreError },
} as const;

/** The error of a thread. */
function errorOf({ known, message, stack, code }: ThreadFault): Error {
  const Class = known && CLASSES[known.tag];
  if (Class === undefined) return Object.assign(new Error(message), { stack });
  const { subject, problem, received, allowed } = known as PlumecastError;
  const cause = code === undefined ? undefined : Object.assign(new Error(code), { code });
  return new Class({ subject, problem, received, allowed, cause });
}
