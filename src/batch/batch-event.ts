/** What happens in a batch while it runs; `onProgress` receives how much of it is done. */
export type BatchEvent =
  | {
      readonly event: 'planned';
      readonly inputs: number;
      readonly outputs: number;
      /** Complete outputs of an earlier batch, which stay as they are. */
      readonly kept: number;
      /** The size of the inputs of all outputs to make. */
      readonly bytes: number;
      readonly workers: number;
    }
  | { readonly event: 'note' | 'warning'; readonly input: string; readonly message: string }
  | { readonly event: 'finished'; readonly output: string; readonly rows: number; readonly bytes: number }
  /** An output of an earlier batch, whose inputs are gone, was removed. */
  | { readonly event: 'pruned'; readonly output: string; readonly bytes: number }
  | {
      readonly event: 'failed';
      /** Undefined for an input that was not found: its outputs are not known. */
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
      /** Outputs of earlier batches that were removed, if `prune` was requested. */
      readonly pruned?: number;
    };

/** How a batch ended: complete, complete except for failed outputs, stopped by a failure, or stopped by the caller. */
export type BatchStatus = 'done' | 'incomplete' | 'stopped' | 'interrupted';
