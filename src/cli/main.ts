#!/usr/bin/env node
import module from 'node:module';
import { FILE_COMMANDS } from './file-command-names.js';

// From Node 22.8 on, compiled modules are kept among the system's temporary files: NODE_DISABLE_COMPILE_CACHE=1 stops it.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

// Commands of files are a bundle of their own, which starts faster than that of all commands.
const args = process.argv.slice(2);
const { run } = await (FILE_COMMANDS.includes(args[0]) ? import('./run-files.js') : import('./run-all.js'));

process.exitCode = await run(args);
