import type { ErrorParts } from '../errors.js';

/** What a CoreError says of a core that could not be made. */
export function loadFault(cause: unknown): ErrorParts {
  const subject = 'WebAssembly core';
  return (
    limitedMemory(subject, cause) ?? {
      subject,
      problem: `cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      allowed: 'plumecast.wasm as a module, bytes or a response, in a runtime with WebAssembly SIMD',
      cause,
    }
  );
}

/**
 * What a CoreError says of WebAssembly that could not start because the virtual memory of the process is limited, as by
 * `ulimit -v`; undefined if `cause` is another failure. V8 reserves 10 GiB for each memory, whatever is used of it.
 */
export function limitedMemory(subject: string, cause: unknown): ErrorParts | undefined {
  if (!/allocate (Wasm )?memory/.test(String(cause))) return undefined;
  const allowed = 'NODE_OPTIONS=--disable-wasm-trap-handler, or no `ulimit -v`';
  return { subject, problem: 'needs 10 GiB of virtual memory, more than is left', allowed, cause };
}

/** The fault of a response that is an error. */
export function responseFault(status: number): ErrorParts {
  return {
    subject: 'WebAssembly core',
    problem: 'the response has no module',
    received: `status ${status}`,
    allowed: 'a response of status 200 with the bytes of plumecast.wasm',
  };
}
