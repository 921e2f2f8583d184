import type { Pairing } from '../../blend/pairing/pairing.js';
import type { Work } from '../../check/work.js';
import type { Axis } from '../source/dataset.js';
import type { CatalogEntry } from './forecast-catalog.js';
import type { RunOfVariable } from './write-variable.js';

/** The timeline of a variable that is to be blended. */
export interface TimelineOfVariable {
  readonly part: 'timeline' | 'fine-timeline';
  readonly slug: string;
  readonly units: string;
  readonly axis: Axis;
  readonly pairing: Pairing;
}

/** Threads that write files of an update, a variable at a time, with the same bytes as the thread that has them. */
export interface VariableThreads {
  /** Writes a variable of a run; undefined where the calling thread has to, such as a table's. */
  writeVariable(run: RunOfVariable, entry: CatalogEntry, work: Work): Promise<void> | undefined;
  /** Blends a variable, and writes its timeline; undefined likewise. */
  writeTimeline(timeline: TimelineOfVariable, work: Work): Promise<void> | undefined;
  /** Ends the threads, which takes their memory back: later work starts others. */
  release(): Promise<void>;
  /** Ends what the threads do, after a failure: it rejects then, and nothing is begun any more. */
  stop(): void;
}

/** What the command gives besides a `ForecastInput`. */
export interface InThreads {
  /** What writes files of arrays, and timelines, in several threads. */
  readonly threads?: VariableThreads | undefined;
}

/** Work that threads do, or that is done here, one after the other. */
export class SharedWork {
  readonly #threads: VariableThreads | undefined;
  readonly #apart: Promise<void>[] = [];
  readonly #own: (() => Promise<void>)[] = [];

  constructor(threads: VariableThreads | undefined) {
    this.#threads = threads;
  }

  /** Adds work that threads have begun, or else is done here. */
  add(begun: Promise<void> | undefined, own: () => Promise<void>): void {
    if (begun === undefined) this.#own.push(own);
    else this.#apart.push(begun);
  }

  /** Waits for all of it. Where some fails, the rest is ended, and the first failure is thrown. */
  async end(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    const here = async () => {
      for (const work of this.#own) if (failure === undefined) await work();
    };
    const all = [here(), ...this.#apart].map((each) =>
      each.catch((error) => {
        failure ??= { error };
        this.#threads?.stop();
      }),
    );
    await Promise.all(all);
    if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
  }
}
