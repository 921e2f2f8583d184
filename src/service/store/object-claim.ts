import { FileError } from '../../errors.js';
import { DAY_SECONDS } from '../../period/day.js';
import type { ListedObject, StoreAccess } from './store-access.js';
import type { UpdateClaim } from './store-keeper.js';

/*
 * Who writes to the folder of an update, where there are no locks: objects in the folder, whose age the store says by a clock
 * of its own. A process renews its claim by an object of a new name; after a quarter of an hour without one it counts as ended.
 * Then, or before it publishes, one object says who ended the update, the process itself or another one that removes it: it is
 * put if it is absent, so there is one answer. From there on, the process has an hour to publish.
 *
 *   updates/<update>/claim/<number>    the claim
 *   updates/<update>/claim/end         P where it is being published, R where it may be removed
 */

const CLAIMS = 'claim';
const END = 'end';
const PUBLISHED = 'P'.charCodeAt(0);
const REMOVED = 'R'.charCodeAt(0);

/** How often a claim is renewed, and after how long without that it is over. */
const BEAT_MS = 60_000;
const SILENCE_SECONDS = 900;
const PUBLISH_SECONDS = 3600;
const END_SECONDS = DAY_SECONDS;

/** Takes the folder of a new update. Rejects with FileError. */
export async function claimFolder(access: StoreAccess, folder: string): Promise<UpdateClaim> {
  const claim = new ObjectClaim(access, folder);
  await claim.renew();
  return claim;
}

class ObjectClaim implements UpdateClaim {
  readonly #access: StoreAccess;
  readonly #folder: string;
  readonly #beat: NodeJS.Timeout;
  #count = 0;
  #hasEnded = false;
  #isOver = false;
  #renewing: Promise<void> | undefined;

  constructor(access: StoreAccess, folder: string) {
    this.#access = access;
    this.#folder = folder;
    this.#beat = setInterval(() => {
      // Where it cannot be renewed, it is noticed before publishing.
      this.#renewing = this.renew().catch(() => undefined);
    }, BEAT_MS).unref();
  }

  async renew(): Promise<void> {
    const name = (count: number) => `${this.#folder}/${CLAIMS}/${count}`;
    await this.#access.put(name(this.#count + 1), [new Uint8Array(1)]);
    this.#count++;
    if (this.#count > 1) await this.#access.delete(name(this.#count - 1));
  }

  async assertHeld(): Promise<void> {
    if (this.#hasEnded) return;
    const own = `${this.#folder}/${CLAIMS}/${this.#count}`;
    const isThere = (await this.#access.list(own)).length > 0;
    if (!isThere || !(await endFolder(this.#access, this.#folder, PUBLISHED))) {
      const subject = this.#access.describe(this.#folder);
      const problem = 'was taken over by another process, as this one did not renew it for too long';
      throw new FileError({ subject, problem, allowed: 'to make this update again' });
    }
    this.#hasEnded = true;
  }

  async release(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#beat);
    await this.#renewing;
    const names = [`${this.#count}`, ...(this.#hasEnded ? [END] : [])];
    // What cannot be deleted now is over when it is old enough.
    for (const name of names) await this.#access.delete(`${this.#folder}/${CLAIMS}/${name}`).catch(() => undefined);
  }
}

/** Ends an update; returns whether this call did. */
async function endFolder(access: StoreAccess, folder: string, by: number): Promise<boolean> {
  const name = `${folder}/${CLAIMS}/${END}`;
  try {
    await access.put(name, [Uint8Array.of(by)]);
    return true;
  } catch (error) {
    if ((await access.list(name)).length > 0) return false;
    throw error;
  }
}

/** Whether a process writes to the folder of an update, or may do so: where none does, none can publish it any more. */
export async function isFolderClaimed(access: StoreAccess, folder: string): Promise<boolean> {
  const listed = await access.list(`${folder}/${CLAIMS}/`);
  const end = listed.find(({ name }) => name.endsWith(`/${END}`));
  if (end !== undefined) {
    const by = new Uint8Array(1);
    await access.get(end.name, 0, by);
    return by[0] !== REMOVED && !isOlder(end, PUBLISH_SECONDS);
  }
  if (listed.every((claim) => isOlder(claim, SILENCE_SECONDS))) {
    return listed.length > 0 && !(await endFolder(access, folder, REMOVED));
  }
  return true;
}

/**
 * Whether an object of a folder that is removed may be removed, too. What says that it was removed stays for a day: a process
 * that was asleep could publish otherwise.
 */
export function isRemovable(object: ListedObject): boolean {
  return !object.name.endsWith(`/${CLAIMS}/${END}`) || isOlder(object, END_SECONDS);
}

function isOlder({ ageSeconds }: ListedObject, seconds: number): boolean {
  return ageSeconds !== undefined && ageSeconds > seconds;
}
