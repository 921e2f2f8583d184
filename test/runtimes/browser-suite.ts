import { type CheckResult, runChecks } from './core-suite.js';

/** Called by the page. The script of OpenJPEG is for images of JPEG 2000 in GRIB. */
export async function run(): Promise<CheckResult[]> {
  await new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: '/openjpegwasm_decode.js' });
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  const bytes = new Uint8Array(await (await fetch('/plumecast.wasm')).arrayBuffer());
  return runChecks({ bytes, module: await WebAssembly.compile(bytes), compiles: true });
}
