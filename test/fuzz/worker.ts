/**
 * Runs cases one after the other and reports what came of each: see `Task`. A process of its own, as a case may hang or
 * end it.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HeldBlocks } from '../../src/core/held-blocks.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { isPlumecastError } from '../../src/errors.js';
import { FOREIGN } from './digest.js';
import { type Door, OTHER_DOORS, type Result, TABLE_DOORS } from './doors.js';
import { type Mutation, mutate } from './mutate.js';
import { type Finding, MAX_BYTES, type Outcome, REPORT_FD, type Task } from './outcome.js';
import { isPlace, undoChanges, writeChanges } from './places.js';
import { type Reader, readSeeds, type Seed } from './seeds.js';

type Answer = Result | { readonly error: unknown };

const task: Task = JSON.parse(process.argv[2]);
const reader = task.reader as Reader;
const isTable = !['netcdf3', 'netcdf4', 'zarr', 'grib'].includes(reader);
/** Streams say nothing of how many batches they have, and text nothing of how many rows. */
const statesRows = reader === 'parquet' || reader === 'arrow-file';
const rejections: unknown[] = [];
process.on('unhandledRejection', (error) => rejections.push(error));
process.on('uncaughtException', (error) => rejections.push(error));

const report = (line: string) => writeSync(REPORT_FD, `${line}\n`);

class Cases {
  readonly #seeds: readonly Seed[];
  readonly #written = new Map<Seed, string>();
  readonly #usual = new Map<string, Answer>();
  readonly #counts = new Set<number>();
  #core: Core;

  constructor(core: Core, seeds: readonly Seed[]) {
    this.#core = core;
    this.#seeds = seeds;
  }

  async run(index: number): Promise<void> {
    const mutation = mutate(reader, this.#seeds, task.key, index);
    const { seed, changes } = mutation;
    const doors = chooseDoors(mutation);
    const path = await this.#write(seed);
    if (statesRows) await this.#countRows();
    if (mutation.isChecked) for (const [name, door] of doors) await this.#usualAnswer(seed, name, door);
    const before = process.resourceUsage().maxRSS;
    await writeChanges(path, changes, seed.files);
    const found: Omit<Finding, 'index' | 'seed'>[] = [];
    let outcome: Outcome = 'typed';
    const answers = new Map<string, Answer>();
    if (task.verbose) console.log(`seed ${seed.name}, changed ${[...changes.keys()].join(', ')}; left in ${path}`);
    for (const [name, door] of doors) {
      if (task.verbose) console.log(`- ${name}`);
      const answer = await this.#answer(door, path);
      answers.set(name, answer);
      if (!('error' in answer)) outcome = 'result';
      const fault = await this.#fault(mutation, name, answer);
      if (fault !== undefined) found.push({ ...fault, door: name });
      if (task.verbose) console.log(`  ${described(answer)}`);
    }
    const differing = differingDoors(answers);
    if (differing !== undefined) found.push({ outcome: 'doors', door: 'both', detail: differing });
    for (const error of rejections.splice(0)) found.push({ outcome: 'rejection', door: '', detail: stackOf(error) });
    const grown = (process.resourceUsage().maxRSS - before) * 1024;
    if (grown > MAX_BYTES) found.push({ outcome: 'flood', door: '', detail: `${Math.round(grown / 1e6)} MB` });
    if (!task.verbose) {
      await undoChanges(path, changes, seed.files);
    }
    for (const each of found) report(`b${JSON.stringify({ ...each, index, seed: seed.name })}`);
    report(found.length > 0 ? 'x' : outcome === 'result' ? 'f' : 't');
  }

  async #fault({ seed, isChecked, isHiding }: Mutation, door: string, answer: Answer) {
    await nextTurn();
    const mark = topOf(this.#core);
    if (mark !== this.#mark) {
      this.#core = await loadCore();
      const detail = 'error' in answer ? stackOf(answer.error) : 'after a result';
      this.#mark = topOf(this.#core);
      return { outcome: 'memory' as const, detail };
    }
    if ('error' in answer) {
      const { error } = answer;
      if (isPlumecastError(error) && error.tag !== 'core') return undefined;
      return { outcome: 'untyped' as const, detail: stackOf(error) };
    }
    if (answer.digest.endsWith(FOREIGN)) return { outcome: 'foreign' as const, detail: `${answer.count} values` };
    if (isHiding) return { outcome: 'hidden' as const, detail: `${answer.count} values` };
    if (isChecked) {
      const usual = this.#usual.get(`${seed.name} ${door}`);
      if (usual === undefined || 'error' in usual || usual.digest === answer.digest) return undefined;
      return { outcome: 'numbers' as const, detail: `${answer.count} for ${usual.count}` };
    }
    if (!statesRows || !(door in TABLE_DOORS) || this.#counts.has(answer.count)) return undefined;
    return { outcome: 'rows' as const, detail: `${answer.count} rows` };
  }

  #mark = -1;

  async #answer(door: Door, path: string): Promise<Answer> {
    if (this.#mark < 0) this.#mark = topOf(this.#core);
    try {
      return await door(this.#core, path);
    } catch (error) {
      return { error };
    }
  }

  async #usualAnswer(seed: Seed, name: string, door: Door): Promise<Answer> {
    const key = `${seed.name} ${name}`;
    const known = this.#usual.get(key);
    if (known !== undefined) return known;
    const answer = await this.#answer(door, await this.#write(seed));
    this.#usual.set(key, answer);
    return answer;
  }

  /** The rows of all seeds: files that were spliced may have those of either. */
  async #countRows(): Promise<void> {
    if (this.#counts.size > 0) return;
    for (const seed of this.#seeds) {
      if (seed.name.startsWith('bomb')) continue;
      const answer = await this.#usualAnswer(seed, 'readTable', TABLE_DOORS.readTable);
      if (!('error' in answer)) this.#counts.add(answer.count);
    }
  }

  async #write(seed: Seed): Promise<string> {
    const known = this.#written.get(seed);
    if (known !== undefined) return known;
    const path = join(task.work, seed.name);
    await writeChanges(path, seed.files, seed.files);
    this.#written.set(seed, path);
    return path;
  }
}

function chooseDoors({ dice, changes }: Mutation): [string, Door][] {
  const others = Object.entries(OTHER_DOORS[reader]);
  // Values of other files are seen where they are not computed with.
  if ([...changes.values()].some((change) => isPlace(change) && change.kind === 'outside'))
    return others.filter(([name]) => name === 'arrays');
  if (task.verbose) return [...(isTable ? Object.entries(TABLE_DOORS) : []), ...others];
  return [...(isTable ? Object.entries(TABLE_DOORS) : []), dice.pick(others)];
}

/** What is wrong where a table read whole is not the one read part by part. */
function differingDoors(answers: ReadonlyMap<string, Answer>): string | undefined {
  const [whole, parts] = Object.keys(TABLE_DOORS).map((name) => answers.get(name));
  if (whole === undefined || parts === undefined) return undefined;
  if ('error' in whole !== 'error' in parts) {
    const [name, error] = 'error' in whole ? ['whole', whole.error] : ['parts', (parts as { error: unknown }).error];
    return `only ${name}: ${stackOf(error)}`;
  }
  if ('error' in whole || 'error' in parts || whole.digest === parts.digest) return undefined;
  return whole.count === parts.count ? 'other values' : `${whole.count} and ${parts.count} rows`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` <- ${stackOf(error.cause)}` : '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const places = frames.slice(0, 4).map((line) =>
    line
      .trim()
      .replace(/^at /, '')
      .replace(/\(?(file:\/\/)?\/[^ ]*\/(?=src|node_modules)/, '('),
  );
  return `${error.name}: ${error.message.slice(0, 200)} @ ${places.join(' < ')}${cause}`;
}

function described(answer: Answer): string {
  return 'error' in answer ? stackOf(answer.error) : `${answer.count} rows or elements, ${answer.digest}`;
}

async function runAll(): Promise<void> {
  const cases = new Cases(await loadCore(), await readSeeds(task.seeds, reader));
  const until = performance.now() + task.milliseconds;
  for (let index = task.from; index < task.to && performance.now() < until; index++) {
    report(`s${index}`);
    await cases.run(index);
  }
  report('d');
}

// What fails here, and not in a reader, is a fault of these tests.
runAll().then(
  () => process.exit(),
  (error) => {
    console.error(error);
    process.exit(70);
  },
);

/** Where the stack of a core's memory ends, after what was released has been given back: it is when there is another buffer. */
function topOf({ memory }: Core): number {
  memory.wasm.grow(0);
  const held = HeldBlocks.of(memory);
  held.release(held.hold(1));
  return memory.mark();
}
