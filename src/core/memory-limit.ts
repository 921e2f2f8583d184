import { CoreError } from '../errors.js';

/**
 * The CoreError for WebAssembly that could not start because the virtual memory of the process is limited, as by
 * `ulimit -v`; undefined if `cause` is another failure. V8 reserves 10 GiB for each memory, whatever is used of it.
 */
export function limitedMemory(subject: string, cause: unknown): CoreError | undefined {
  if (!/allocate (Wasm )?memory/.test(String(cause))) return undefined;
  const allowed = 'NODE_OPTIONS=--disable-wasm-trap-handler, or no `ulimit -v`';
  return new CoreError({ subject, problem: 'needs 10 GiB of virtual memory, more than is left', allowed, cause });
}
