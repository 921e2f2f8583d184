import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertKnownKeys } from '../../../check/option-checks.js';
import { beginWork } from '../../../check/work.js';
import { ObjectKeeper } from '../../store/object-keeper.js';
import { openKeeper } from '../../store/open-keeper.node.js';
import type { StorePlace } from '../../store/store-access.js';
import { UPDATES_FOLDER, type UpdateClaim } from '../../store/store-keeper.js';
import { trialAccess } from '../../store/trial-access.node.js';
import { findState, findStoppedWork, removeUnnamed } from './generations.node.js';
import type { StoreCallOptions } from './maintain-store.node.js';
import { emptyManifest, newUpdateId } from './manifest.js';
import { StoppedWork } from './stopped-work.node.js';
import { StoreUpdate } from './store-update.node.js';

/**
 * Begins an update of a store, or of a new store where there is none. Of what an interrupted update has left, values that it
 * had finished stay for some time, and are used where the same are written; the rest is removed. Rejects with FileError where
 * it cannot be written to, also where a bucket does not obey conditions of writes; FormatError where the store's root is wrong; and
 * with the reason of `signal`, which ends the beginning alone. What writes to an update has a signal of its own.
 */
export async function beginUpdate(store: StorePlace, options: StoreCallOptions = {}): Promise<StoreUpdate> {
  assertKnownKeys(options, ['signal']);
  const { work } = beginWork(options, 'files');
  const access = openKeeper(store);
  const undo = await access.prepare();
  const id = newUpdateId();
  let claim: UpdateClaim | undefined;
  try {
    await removeUnnamed(access, { work }).catch(() => undefined);
    work.check();
    const before = (await findState(access))?.manifest ?? emptyManifest();
    const stopped = new StoppedWork(access, await findStoppedWork(access).catch(() => []));
    work.check();
    claim = await access.claim(`${UPDATES_FOLDER}/${id}`);
    work.check();
    return new StoreUpdate(access, id, before, { claim, undo, stopped });
  } catch (error) {
    await claim?.release();
    await access.removeFolder(`${UPDATES_FOLDER}/${id}`, new Set()).catch(() => undefined);
    await undo();
    throw error;
  }
}

/**
 * Begins an update that is only tried, to know what would change: its objects are written to a temporary folder, which
 * `abandon` removes, and the store is only read. It cannot be published. Rejects as `beginUpdate`.
 */
export async function tryUpdate(store: StorePlace): Promise<StoreUpdate> {
  const id = newUpdateId();
  const folder = `${UPDATES_FOLDER}/${id}`;
  const elsewhere = await mkdtemp(join(tmpdir(), 'plumecast-dry-run-'));
  const access = new ObjectKeeper(trialAccess(openKeeper(store), folder, elsewhere));
  try {
    const before = (await findState(access))?.manifest ?? emptyManifest();
    return new StoreUpdate(access, id, before, { claim: await access.claim(folder), undo: async () => {}, elsewhere });
  } catch (error) {
    await rm(elsewhere, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}
