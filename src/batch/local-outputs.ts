import { lstat, mkdir, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unreadable, unwritable } from '../disk/file-fault.js';
import { type FileLock, lockFolder } from '../disk/file-lock.node.js';
import { readRegularFile } from '../disk/regular-file.node.js';
import { replaceFile } from '../disk/replace-file.node.js';
import { hashFile, readFileState } from './fingerprint.js';
import { addToJournal, type FinishedOutput, type Journal, readJournal } from './journal.js';
import type { OutputFolder } from './output-folder.js';
import { replaceYears } from './replace-years.js';

/** The name of the work folder within the folder of the outputs. */
export const WORK = '.plumecast-batch';
const JOURNAL = 'journal.jsonl';
/** The size of a file that is written to see whether the disk is full. */
const PROBE_BYTES = 4096;

/** Outputs in a folder of a disk. */
export class LocalOutputs implements OutputFolder {
  readonly out: string;

  constructor(out: string) {
    this.out = out;
  }

  get workPath(): string {
    return join(this.out, WORK);
  }

  get journalPath(): string {
    return join(this.out, WORK, JOURNAL);
  }

  pathOf(name: string): string {
    return join(this.out, name);
  }

  async look(): Promise<void> {}

  sizeOf(name: string): Promise<number | undefined> {
    return readFileState(this.pathOf(name)).then(
      ({ bytes }) => bytes,
      () => undefined,
    );
  }

  hashOf(name: string, signal?: AbortSignal): Promise<string | undefined> {
    return hashFile(this.pathOf(name), signal).catch(() => undefined);
  }

  isLink(name: string): Promise<boolean> {
    return lstat(this.pathOf(name)).then(
      (status) => status.isSymbolicLink(),
      () => false,
    );
  }

  realPathOf(name: string): Promise<string | undefined> {
    return realpath(this.pathOf(name)).catch(() => undefined);
  }

  lock(problem: string): Promise<FileLock> {
    return lockFolder(this.workPath, problem);
  }

  readJournal(): Promise<Journal> {
    return readJournal(this.journalPath);
  }

  addToJournal(finished: FinishedOutput): Promise<void> {
    return addToJournal(this.journalPath, finished);
  }

  async removeJournal(): Promise<void> {
    await rm(this.journalPath, { force: true });
  }

  async put(from: string, { output }: FinishedOutput, aside: string): Promise<void> {
    const path = this.pathOf(output);
    try {
      await mkdir(dirname(path), { recursive: true });
      if ((await stat(from)).isDirectory()) {
        if (path.endsWith('.zarr')) {
          const { replaceStore } = await import('../files/zarr/replace-store.node.js');
          await replaceStore(from, path, aside);
        } else await replaceYears(from, path, aside);
      } else await rename(from, path);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  async remove(name: string): Promise<void> {
    const path = this.pathOf(name);
    await rm(path, { recursive: true, force: true }).catch((cause) => {
      throw unwritable(path, cause);
    });
    for (let step = dirname(name); step !== '.'; step = dirname(step)) {
      const isEmpty = await rmdir(this.pathOf(step)).then(
        () => true,
        () => false,
      );
      if (!isEmpty) return;
    }
  }

  async assertWritable(probe: string): Promise<void> {
    try {
      await writeFile(probe, new Uint8Array(PROBE_BYTES), { flush: true });
    } finally {
      await rm(probe, { force: true }).catch(() => {});
    }
  }

  async readText(name: string, allowed: string): Promise<string | undefined> {
    const path = this.pathOf(name);
    const bytes = await readRegularFile(path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return undefined;
      throw unreadable(path, cause, allowed);
    });
    return bytes?.toString('utf8');
  }

  /** Under another name first. */
  async writeText(name: string, text: string): Promise<void> {
    const temporary = this.pathOf(`.${name}.part`);
    await replaceFile(this.pathOf(name), () => writeFile(temporary, text), temporary);
  }
}
