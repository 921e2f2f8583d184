/**
 * The checks of the core, and of GRIB, that run in every runtime. They import the package by its name, so that its own
 * `exports` and `imports` conditions choose what is loaded; there is no test framework and no Node API in them.
 */
import { computationChecks } from './computation-checks.js';
import { gribChecks } from './grib-checks.js';
import { loadingChecks } from './loading-checks.js';

/** What a runtime provides for the checks. */
export interface Runtime {
  /** The content of `plumecast.wasm`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same, compiled. */
  readonly module: WebAssembly.Module;
  /** Whether the runtime compiles modules from bytes. */
  readonly compiles: boolean;
}

export interface Check {
  readonly name: string;
  /** Throws where the check fails. */
  readonly run: (runtime: Runtime) => void | Promise<void>;
}

/** The result of a check: without an `error` it passed. */
export interface CheckResult {
  readonly name: string;
  readonly error?: string;
}

export const coreChecks: readonly Check[] = [...loadingChecks, ...computationChecks, ...gribChecks];

/** Runs every check, one after the other, also after failures. */
export async function runChecks(runtime: Runtime): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, run } of coreChecks) {
    try {
      await run(runtime);
      results.push({ name });
    } catch (error) {
      results.push({ name, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
    }
  }
  return results;
}
