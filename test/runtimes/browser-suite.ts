import { type CheckResult, runChecks } from './core-suite.js';

/** Called by the page. */
export async function run(): Promise<CheckResult[]> {
  const bytes = new Uint8Array(await (await fetch('/plumecast.wasm')).arrayBuffer());
  return runChecks({ bytes, module: await WebAssembly.compile(bytes), compiles: true });
}
