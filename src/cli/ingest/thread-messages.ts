import type { PlumecastError } from '../../errors.js';
import type { ValueOptions } from '../../input/input-request.js';
import type { Notice } from '../../input/notice.js';
import type { TimelineOfVariable } from '../../service/ingest/variable-threads.js';
import type { RunOfVariable, WritingOptions } from '../../service/ingest/write-variable.js';
import type { PartEntry } from '../../service/source/folder/manifest.js';
import type { FinishedFile } from '../../service/source/folder/stopped-work.node.js';
import type { UpdateHandover, WrittenSeries } from '../../service/source/folder/thread-update.node.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';

/** What a thread of an ingest knows from its start. */
export interface ThreadSettings {
  readonly store: string;
  readonly update: UpdateHandover;
  readonly reading: {
    readonly columns: ColumnRoles | undefined;
    readonly values: ValueOptions;
    /** What the names of files state that are one input together. */
    readonly pattern: string | undefined;
  };
  readonly writing: Omit<WritingOptions, 'onNotice' | 'variables'>;
}

/** A file of the update that a thread is to write. */
export type ThreadTask = VariableTask | TimelineTask;

export interface VariableTask {
  readonly kind: 'variable';
  /** The paths that the file was given with. */
  readonly given: readonly string[];
  readonly source: string;
  readonly of: string | undefined;
  readonly state: string | undefined;
  readonly fine: boolean;
  readonly run: RunOfVariable;
  readonly variable: Variable;
}

export interface TimelineTask {
  readonly kind: 'timeline';
  readonly timeline: TimelineOfVariable;
  /** What the update has of the horizons, from the shortest. */
  readonly horizons: readonly (readonly [HorizonName, PartEntry])[];
}

/** Messages of a thread about its task; the last one is `done` or `failed`. */
export type ThreadReply =
  /** So many values are written. */
  | { readonly kind: 'values'; readonly done: number }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'note'; readonly text: string }
  /** Asks for what an update that was stopped has finished. */
  | { readonly kind: 'take'; readonly wanted: Omit<FinishedFile, 'object'>; readonly folder: string }
  | { readonly kind: 'done'; readonly written: WrittenSeries }
  | { readonly kind: 'failed'; readonly fault: ThreadFault };

/** The answer to `take`. */
export interface TakenReply {
  readonly kind: 'taken';
  readonly object?: Required<WrittenObject>;
  readonly isOther: boolean;
}
type WrittenObject = FinishedFile['object'];

/** An error, as it is sent between threads. */
export interface ThreadFault extends Pick<Error, 'message' | 'stack'> {
  /** What an error of plumecast says; undefined for others. */
  readonly known: Pick<PlumecastError, 'tag' | 'subject' | 'problem' | 'received' | 'allowed'> | undefined;
  /** The code that the system gave. */
  readonly code: string | undefined;
}
