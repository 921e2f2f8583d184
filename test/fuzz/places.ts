import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Dice } from './dice.js';
import { CANARY } from './digest.js';

/** What stands in the place of a file or folder of a store, and for links where they lead to. */
export interface Place {
  readonly kind: 'folder' | 'pipe' | 'device' | 'long' | 'link' | 'circle' | 'outside';
  /** Another file of the store. */
  readonly target?: string;
}

/** The content of a file, or what stands in its place; undefined for a file that is gone. */
export type Change = Uint8Array | Place | undefined;

type Files = ReadonlyMap<string, Uint8Array>;

/** Bytes of a file that is all hole: no chunk of a seed has so many. */
const LONG_BYTES = 2 ** 31 - 1;
const KINDS: readonly Place['kind'][] = ['folder', 'pipe', 'device', 'long', 'link', 'circle', 'outside', 'outside'];

/** Puts something else in the place of a file, or of a folder of files. */
export function placeChange(files: Files, name: string, dice: Dice): [string, Place] {
  const kind = dice.pick(KINDS);
  const target = dice.pick([...files.keys()]);
  const above = dirname(name);
  return [above !== '.' && dice.chance(0.3) ? above : name, kind === 'link' ? { kind, target } : { kind }];
}

/** Writes changes of the file or store at `path`, whose files are `files`. */
export async function writeChanges(path: string, changes: ReadonlyMap<string, Change>, files: Files): Promise<void> {
  const places = [...changes.keys()].filter((file) => isPlace(changes.get(file)));
  for (const [file, change] of changes) {
    if (places.some((place) => file.startsWith(`${place}/`))) continue;
    const full = join(path, file);
    if (change === undefined) await rm(full, { force: true });
    else {
      if (files.size > 1) await mkdir(dirname(full), { recursive: true });
      if (change instanceof Uint8Array) await writeFile(full, change);
      else await put(path, file, change, files);
    }
  }
}

/** Undoes changes. */
export async function undoChanges(path: string, changes: ReadonlyMap<string, Change>, files: Files): Promise<void> {
  const hasPlaces = [...changes.values()].some(isPlace);
  if (hasPlaces) await rm(path, { recursive: true });
  const before = new Map([...changes.keys()].map((file) => [file, files.get(file)]));
  await writeChanges(path, hasPlaces ? files : before, files);
}

export function isPlace(change: Change): change is Place {
  return change !== undefined && !(change instanceof Uint8Array);
}

async function put(path: string, file: string, { kind, target = file }: Place, files: Files): Promise<void> {
  const full = join(path, file);
  await rm(full, { recursive: true, force: true });
  if (kind === 'folder') return void (await mkdir(full));
  if (kind === 'pipe') return void execFileSync('mkfifo', [full]);
  if (kind === 'long') {
    await writeFile(full, '');
    return truncate(full, LONG_BYTES);
  }
  const leads = {
    device: '/dev/zero',
    link: relative(dirname(full), join(path, target)),
    circle: files.has(file) ? basename(file) : '.',
    outside: relative(dirname(full), join(`${path}-outside`, file)),
  };
  if (kind === 'outside') await writeOutside(`${path}-outside`, files);
  await symlink(leads[kind], full);
}

/** A store of the same form, whose values no other store has. */
async function writeOutside(path: string, files: Files): Promise<void> {
  for (const [file, bytes] of files) {
    const isRaw = bytes.length % 4 === 0 && !/(^|\/)(\.z\w+|zarr\.json)$/.test(file);
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(
      join(path, file),
      isRaw ? new Uint8Array(new Float32Array(bytes.length / 4).fill(CANARY).buffer) : bytes,
    );
  }
}
