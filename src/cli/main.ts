#!/usr/bin/env node
import module from 'node:module';
import { tooManyFiles } from '../disk/file-fault.js';
import { startPartsThread } from '../files/parts-thread.node.js';
import { EXIT_CODES } from './exit-codes.js';
import { FILE_COMMANDS } from './file-command-names.js';
import { readsInThreads } from './thread-ahead.js';

// From Node 22.8 on, compiled modules are kept among the system's temporary files: NODE_DISABLE_COMPILE_CACHE=1 stops it.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

/** Commands of files are a bundle of their own, and so are `stats`, batches and `blend`: they start faster than that of all commands. */
function load(command: string) {
  if (command === 'stats') return import('./run-stats.js');
  if (command === 'batch' || command === 'merge') return import('./run-batch.js');
  if (command === 'blend') return import('./run-blend.js');
  return FILE_COMMANDS.includes(command) ? import('./run-files.js') : import('./run-all.js');
}

const args = process.argv.slice(2);
const thread = readsInThreads(args) ? startPartsThread() : undefined;

try {
  const { run } = await load(args[0]);
  process.exitCode = await run(args, thread);
} catch (error) {
  // The modules of a command are opened before anything of it runs.
  const known = tooManyFiles(error);
  if (known === error) throw error;
  process.stderr.write(`error: ${(known as Error).message}\n`);
  process.exitCode = EXIT_CODES.failed.code;
}
