import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, normalize, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { isAddress } from '../disk/local-path.js';
import { isElsewhere, isGlob } from './batch-input.js';
import type { CheckedPlan } from './check-plan.js';
import { sameState } from './fingerprint.js';
import type { InputFingerprints } from './input-fingerprints.js';
import { filesOf } from './join-inputs.js';
import type { FinishedOutput } from './journal.js';
import { filesOfPlan } from './known-outputs.js';
import type { OutputFolder } from './output-folder.js';
import type { PlannedWork } from './planned-work.js';

/** Outputs of earlier batches whose inputs are gone. */
export interface StaleOutputs {
  /** Those that may be removed: they are as a batch wrote them. */
  readonly intact: readonly FinishedOutput[];
  /** What stays although its inputs are gone, or may be, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

/** What earlier batches made. */
export interface EarlierWork {
  readonly folder: OutputFolder;
  readonly known: ReadonlyMap<string, FinishedOutput>;
  /** Their outputs that are not outputs of this plan. */
  readonly others: readonly FinishedOutput[];
}

/**
 * Finds the outputs of earlier batches, none of this plan, whose data inputs are all gone. An input is gone if it does
 * not exist, but the folder or glob of the plan that it lay in does, or else its own folder. So that nothing is removed
 * by mistake, nothing is gone where the plan names inputs that were not found, as a disk may not be there, and no
 * relative path where the batch may run in another folder than the earlier ones: neither are the outputs below this
 * folder, nor does the plan read an input that is as it was then.
 */
export async function findStaleOutputs(
  plan: CheckedPlan,
  { inputs, foundAll }: Pick<PlannedWork, 'inputs' | 'foundAll'>,
  files: InputFingerprints,
  { folder, known, others }: EarlierWork,
): Promise<StaleOutputs> {
  if (others.length === 0) return { intact: [], left: [] };
  if (!foundAll)
    return { intact: [], left: [{ path: plan.out, reason: 'nothing is removed, as some inputs were not found' }] };
  const paths = inputs.flatMap(filesOf);
  const ofPlan = filesOfPlan(plan);
  const read = new Set([...paths, ...ofPlan].map((path) => resolve(path)));
  const search = {
    roots: plan.inputs.map(rootOf),
    isSameFolder: (!isAddress(plan.out) && isBelow(plan.out)) || (await readsTheSame(paths, files, known)),
    gone: new Map<string, Promise<boolean>>(),
  };
  const intact: FinishedOutput[] = [];
  const left: StaleOutputs['left'][number][] = [];
  for (const other of others) {
    const data = other.inputs.map(({ path }) => path).filter((path) => !ofPlan.includes(path));
    const path = folder.pathOf(other.output);
    if (data.length === 0 || read.has(resolve(path)) || !(await areGone(data, search))) continue;
    if (await isAsWritten(folder, other)) intact.push(other);
    else left.push({ path, reason: 'stays, as it was changed since a batch made it' });
  }
  if (search.isSameFolder) return { intact, left };
  const reason = 'outputs of inputs with relative paths stay, as the earlier batch may have run in another folder';
  return { intact, left: [...left, { path: plan.out, reason }] };
}

interface Search {
  /** The folders that the inputs of the plan lie in. */
  readonly roots: readonly string[];
  /** Whether relative paths mean the same files as for the earlier batches. */
  readonly isSameFolder: boolean;
  /** What is known of inputs of earlier batches. */
  readonly gone: Map<string, Promise<boolean>>;
}

/** Whether a path lies below the working directory. */
function isBelow(path: string): boolean {
  return isWithin(process.cwd(), path);
}

function isWithin(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return !isAbsolute(steps) && !/^\.\.(?:[\\/]|$)/.test(steps);
}

/** Whether a plan reads a file of a relative path that earlier batches read, and that did not change since. */
async function readsTheSame(
  paths: readonly string[],
  files: InputFingerprints,
  known: ReadonlyMap<string, FinishedOutput>,
): Promise<boolean> {
  const before = new Map([...known.values()].flatMap(({ inputs }) => inputs.map((input) => [input.path, input])));
  for (const path of paths) {
    const input = before.get(path);
    if (input === undefined || isAbsolute(path)) continue;
    const state = await files.state(path).catch(() => undefined);
    if (state !== undefined && sameState(state, input)) return true;
  }
  return false;
}

/** The folder that a given input stands for, or the one that a glob searches. */
function rootOf(given: string): string {
  return isGlob(given) ? picomatch.scan(given).base || '.' : given;
}

async function areGone(paths: readonly string[], search: Search): Promise<boolean> {
  for (const path of paths) {
    const gone = search.gone.get(path) ?? isGone(path, search);
    search.gone.set(path, gone);
    if (!(await gone)) return false;
  }
  return true;
}

async function isGone(path: string, { roots, isSameFolder }: Search): Promise<boolean> {
  // A server that does not answer is no proof.
  if (isElsewhere(path) || !(isSameFolder || isAbsolute(path)) || !(await isMissing(path))) return false;
  return roots.some((root) => isWithin(root, normalize(path))) || !(await isMissing(dirname(path)));
}

function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  );
}

/** Whether a file, or a folder of them, is the one that a batch wrote: by its size and checksum, and no link to another one. */
async function isAsWritten(folder: OutputFolder, { output, bytes, sha256 }: FinishedOutput): Promise<boolean> {
  if ((await folder.isLink(output)) || (await folder.sizeOf(output)) !== bytes) return false;
  return (await folder.hashOf(output)) === sha256;
}
