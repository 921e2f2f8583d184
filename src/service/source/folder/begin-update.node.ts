import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertKind } from '../../../check/option-checks.js';
import type { FileLock } from '../../../disk/file-lock.node.js';
import { makeFolder } from '../../../disk/make-folder.node.js';
import { FolderAccess } from '../../store/folder-access.node.js';
import { findState, findStoppedWork, removeUnnamed } from './generations.node.js';
import { removeMade } from './made-folder.node.js';
import { emptyManifest, newUpdateId, UPDATES_FOLDER } from './manifest.js';
import { StoppedWork } from './stopped-work.node.js';
import { StoreUpdate } from './store-update.node.js';

/**
 * Begins an update of the store in a folder, or of a new store where there is none. Of what an interrupted update has left,
 * values that it had finished stay for some time, and are used where the same are written; the rest is removed. Rejects with FileError where the folder cannot be written to; FormatError where the store's root is wrong.
 */
export async function beginUpdate(dir: string): Promise<StoreUpdate> {
  assertKind('dir', dir, 'text');
  const made = await makeFolder(dir);
  const access = new FolderAccess(dir);
  const id = newUpdateId();
  let claim: FileLock | undefined;
  try {
    await removeUnnamed(access).catch(() => undefined);
    const before = (await findState(access))?.manifest ?? emptyManifest();
    const stopped = new StoppedWork(access, await findStoppedWork(access).catch(() => []));
    claim = await access.claim(`${UPDATES_FOLDER}/${id}`);
    return new StoreUpdate(access, id, before, { claim, made, stopped });
  } catch (error) {
    await claim?.release();
    await rm(access.describe(`${UPDATES_FOLDER}/${id}`), { recursive: true, force: true }).catch(() => undefined);
    await removeMade(dir, made);
    throw error;
  }
}

/** A store whose objects of one update are in a folder elsewhere. */
class TrialAccess extends FolderAccess {
  readonly #folder: string;
  readonly #elsewhere: string;

  constructor(dir: string, folder: string, elsewhere: string) {
    super(dir);
    this.#folder = folder;
    this.#elsewhere = elsewhere;
  }

  override describe(name = ''): string {
    return name.startsWith(this.#folder) ? join(this.#elsewhere, name) : super.describe(name);
  }
}

/**
 * Begins an update that is only tried, to know what would change: its objects are written to a temporary folder, which
 * `abandon` removes, and the store's folder is only read. It cannot be published. Rejects as `beginUpdate`.
 */
export async function tryUpdate(dir: string): Promise<StoreUpdate> {
  const id = newUpdateId();
  const folder = `${UPDATES_FOLDER}/${id}`;
  const elsewhere = await mkdtemp(join(tmpdir(), 'plumecast-dry-run-'));
  const access = new TrialAccess(dir, folder, elsewhere);
  try {
    const before = (await findState(access))?.manifest ?? emptyManifest();
    return new StoreUpdate(access, id, before, { claim: await access.claim(folder), made: undefined, elsewhere });
  } catch (error) {
    await rm(elsewhere, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}
