#!/usr/bin/env node
// A module of its own, so that tests can run the command again and again without evaluating all of it anew.
const { run } = await import('./run.js');

process.exitCode = await run(process.argv.slice(2));

export {};
