/**
 * Runs every `check:` script of package.json except the full one, as many at a time as there are processors, even after
 * a failure. Prints what each printed when it has ended, and how long each took.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runStep, summarize } from './steps.mjs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const names = Object.keys(scripts).filter((name) => name.startsWith('check:') && name !== 'check:full');

/** Those that take longest are last in package.json, and begin first. */
const waiting = names.toReversed();
const results = new Map();

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const result = await runStep(`npm run --silent ${name}`);
    console.log(`\n--- ${name}: ${scripts[name]}\n${result.output}`);
    results.set(name, result);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
summarize(names.map((name) => [name, results.get(name)]));
