/** What a batch tells while it is at work. */
export type BatchEvent =
  | {
      readonly event: 'planned';
      readonly inputs: number;
      readonly outputs: number;
      /** Outputs that are whole already and stay. */
      readonly kept: number;
      /** Of the inputs of all that is to be done. */
      readonly bytes: number;
      readonly workers: number;
    }
  | {
      readonly event: 'progress';
      readonly done: number;
      readonly outputs: number;
      readonly bytes: number;
      readonly totalBytes: number;
    }
  | { readonly event: 'note' | 'warning'; readonly input: string; readonly message: string }
  | { readonly event: 'finished'; readonly output: string; readonly rows: number; readonly bytes: number }
  | {
      readonly event: 'failed';
      /** Undefined where an input was not found, so that its outputs are not known. */
      readonly output?: string;
      readonly message: string;
    }
  | {
      readonly event: 'ended';
      readonly status: BatchStatus;
      readonly finished: number;
      readonly kept: number;
      readonly failed: number;
      readonly left: number;
    };

/** How a batch ended: all done, done but for what failed, stopped by a failure, or by the caller. */
export type BatchStatus = 'done' | 'incomplete' | 'stopped' | 'interrupted';
