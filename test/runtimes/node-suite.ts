import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runChecks } from './core-suite.js';

const bytes = new Uint8Array(await readFile(fileURLToPath(import.meta.resolve('plumecast/plumecast.wasm'))));
const results = await runChecks({ bytes, module: await WebAssembly.compile(bytes), compiles: true });
console.log(JSON.stringify({ version: process.version, results }));
