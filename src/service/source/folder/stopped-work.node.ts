import { JsonFields } from '../../../check/json-fields.js';
import { isPlumecastError } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import { type StoreKeeper, UPDATES_FOLDER } from '../../store/store-keeper.js';
import type { ObjectEntry } from '../../store/write-blocks.node.js';

/*
 * What an update has finished is in a journal in its folder, a line for each file of values, by a key of all that the file
 * was made from. Where the update is stopped, the next one that writes the same takes the file. A journal is removed when
 * its update ends.
 */

/** So long what a stopped update has finished is kept. */
const KEPT_SECONDS = 2 * DAY_SECONDS;

/** A file of values that was finished. */
export interface FinishedFile {
  readonly key: string;
  readonly part: string;
  readonly slug: string;
  /** Its name, below the folder of its update, and what a manifest states of it. */
  readonly object: Required<ObjectEntry>;
}

/** Adds a file to the journal of an update. Rejects with what the system says. */
export async function addFinished(access: StoreKeeper, folder: string, finished: FinishedFile): Promise<void> {
  const { file } = finished.object;
  const own = { ...finished, object: { ...finished.object, file: file.slice(folder.length + 1) } };
  await access.addWork(folder, JSON.stringify(own));
}

/** Removes the journal of an update that has ended. */
export async function removeWork(access: StoreKeeper, folder: string): Promise<void> {
  const { objects } = await access.readWork(folder).catch(() => ({ objects: [] }));
  for (const name of objects) await access.delete(name).catch(() => undefined);
}

/**
 * The files that an update has finished, where it was stopped not long ago, but for some, and the objects that say so; damaged
 * lines count as none.
 */
export async function finishedWork(
  access: StoreKeeper,
  folder: string,
  named: ReadonlySet<string>,
): Promise<{ readonly files: readonly FinishedFile[]; readonly objects: readonly string[] }> {
  const { objects, lines, ageSeconds } = await access.readWork(folder);
  const files: FinishedFile[] = [];
  if (ageSeconds > KEPT_SECONDS) return { files, objects };
  for (const line of lines) {
    const finished = parseLine(line, access.describe(folder), folder);
    if (finished === undefined || named.has(finished.object.file)) continue;
    const [file] = await access.list(finished.object.file).catch(() => []);
    if (file?.bytes === finished.object.bytes) files.push(finished);
  }
  return { files, objects };
}

/** The name of a file of values below the folder of its update. */
const FILE_NAME = /^[a-z-]+\/[\w-]+\.blocks$/;

function parseLine(line: string, path: string, folder: string): FinishedFile | undefined {
  try {
    const fields = JsonFields.parse(line, path, 'a line of the journal of an update');
    const object = fields.object('object');
    const file = object.text('file');
    if (!FILE_NAME.test(file)) return undefined;
    return {
      ...{ key: fields.text('key'), part: fields.text('part'), slug: fields.text('slug') },
      object: { file: `${folder}/${file}`, bytes: object.count('bytes'), sha256: object.text('sha256') },
    };
  } catch (error) {
    if (isPlumecastError(error)) return undefined;
    throw error;
  }
}

/** Gives what updates that were stopped have finished. */
export interface TakesFinished {
  /**
   * Moves the file of a key to the folder of another update, which removes it from what was stopped; undefined where there
   * is none. `isOther` says whether there was one of the same part and variable that was made from something else: that is
   * removed.
   */
  take(
    wanted: Omit<FinishedFile, 'object'>,
    folder: string,
  ): Promise<{ readonly object?: Required<ObjectEntry>; readonly isOther: boolean }>;
}

/** What updates that were stopped have finished. */
export class StoppedWork implements TakesFinished {
  readonly #access: StoreKeeper;
  #files: readonly FinishedFile[];

  constructor(access: StoreKeeper, files: readonly FinishedFile[]) {
    this.#access = access;
    this.#files = files;
  }

  async take(
    { key, part, slug }: Omit<FinishedFile, 'object'>,
    folder: string,
  ): Promise<{ readonly object?: Required<ObjectEntry>; readonly isOther: boolean }> {
    const same = this.#files.filter((each) => each.part === part && each.slug === slug);
    this.#files = this.#files.filter((each) => !same.includes(each));
    let isOther = false;
    for (const { key: own, object } of same) {
      const from = object.file;
      const update = from.slice(0, from.indexOf('/', UPDATES_FOLDER.length + 1));
      const lock = await this.#access.claim(update).catch(() => undefined);
      // Another process takes it, or it is gone.
      if (lock === undefined) continue;
      try {
        if (own !== key) {
          isOther = true;
          await this.#access.delete(from);
          continue;
        }
        const to = `${folder}${from.slice(update.length)}`;
        await this.#access.move(from, to);
        return { object: { ...object, file: to }, isOther: false };
      } catch {
        // It is written once more.
      } finally {
        await lock.release();
      }
    }
    return { isOther };
  }
}
