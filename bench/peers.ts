import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Absent } from './contestant.js';
import peers from './package.json' with { type: 'json' };
import { announce } from './timing.js';

/** Packages that only the benchmarks need. */
export type PeerName = keyof typeof peers.dependencies;

/** The versions in bench/package.json. */
export const peerVersions: Readonly<Record<PeerName, string>> = peers.dependencies;

/** Relative to build/bench, where the bundle of this file lies. */
const FOLDER = new URL('../../bench/', import.meta.url);

/** Installs the packages of bench/package.json where they are missing, and says so. */
export function installPeers(): void {
  const folder = fileURLToPath(FOLDER);
  if (existsSync(new URL('node_modules/', FOLDER))) return;
  announce(`installing ${Object.keys(peerVersions).join(', ')} in ${folder}: npm ci --prefix bench`);
  const { status, stderr } = spawnSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) announce(`npm ci failed (${status}): ${stderr.trim()}`);
}

/** A package's exports, typed as `T`; rejects where the package is not installed. */
export async function loadPeer<T>(name: PeerName): Promise<T> {
  const path = createRequire(new URL('package.json', FOLDER)).resolve(name);
  return (await import(pathToFileURL(path).href)) as T;
}

/** What is loading, or why it is absent. */
export async function orAbsent<T>(name: string, loading: Promise<T>): Promise<T | Absent> {
  try {
    return await loading;
  } catch (error) {
    return { name, reason: String(error).split('\n')[0] };
  }
}
