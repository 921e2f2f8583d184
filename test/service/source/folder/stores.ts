import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Axis } from '../../../../src/service/source/dataset.js';
import { readState } from '../../../../src/service/source/folder/generations.node.js';
import {
  beginUpdate,
  type FolderStore,
  type OpenStoreOptions,
  openStore,
  type StorePart,
  type StoreUpdate,
} from '../../../../src/service/source/folder/index.node.js';
import type { Snapshot } from '../../../../src/service/source/source.js';
import { FolderAccess } from '../../../../src/service/store/folder-access.node.js';
import type { StorePlace } from '../../../../src/service/store/store-access.js';

/** A folder of its own for one test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every file below a folder. */
export function filesIn(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** A store that looks for a new run at every snapshot, open until the test is over. */
export async function opened(place: StorePlace, options: OpenStoreOptions = {}): Promise<FolderStore> {
  const store = await openStore(place, { refreshSeconds: 0, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** The first value of a cell of the timeline. */
export async function firstValue({ forecast }: Snapshot, cell = 0, slug = 'temp_mean'): Promise<number> {
  const { members, days } = forecast?.timeline.variables.get(slug) ?? AXIS;
  const into = new Float32Array(members * days);
  await forecast?.timeline.read(slug, cell, into);
  return into[0];
}

/** The contents of the present generation of a store. */
export async function contentsOf(dir: string) {
  return (await readState(new FolderAccess(dir))).manifest;
}

/** Where the file of a variable of the timeline lies. */
export async function fileOf(dir: string, slug = 'temp_mean'): Promise<string> {
  const { parts } = await contentsOf(dir);
  return join(dir, parts.get('timeline')?.variables.get(slug)?.segments[0].file as string);
}

/** Places of a 0.25 degree grid, a hundred to a row. */
export function gridOf(cells: number) {
  return {
    latitude: Float64Array.from({ length: cells }, (_, i) => 36.5 + 0.25 * Math.floor(i / 100)),
    longitude: Float64Array.from({ length: cells }, (_, i) => -80.5 + 0.25 * (i % 100)),
  };
}

export interface Made {
  part?: StorePart;
  slug?: string;
  axis?: Axis;
  cells?: number;
  /** The first value; each one after it is greater by one. */
  from?: number;
  /** Cells a block. */
  block?: number;
}

/** The values that `write` writes. */
export function valuesOf({ axis = AXIS, cells = 4, from = 0 }: Made): Float32Array {
  return Float32Array.from({ length: cells * axis.members * axis.days }, (_, i) => from + i);
}

/** 2024-05-01, five days of three members. */
export const AXIS = { firstDay: 19844, days: 5, members: 3 };

/** The same days of a history. */
export const HISTORY_AXIS = { ...AXIS, members: 1 };

export const HEADER = {
  initTime: '2024-05-01T00:00:00Z',
  version: 'v12',
  generation: 'first',
  horizonInitTimes: { 'short-term': '2024-05-01T00:00:00Z' },
};

/** Writes counted values. */
export async function write(update: StoreUpdate, made: Made = {}): Promise<void> {
  const { part = 'timeline', slug = 'temp_mean', axis = AXIS, cells = 4, block = 1 } = made;
  const values = valuesOf(made);
  const size = block * axis.members * axis.days;
  function* blocks() {
    for (let at = 0; at < values.length; at += size) yield values.subarray(at, at + size);
  }
  await update.write(part, { slug, units: 'degC', axis, places: gridOf(cells), blocks: blocks() });
}

/** Commits a forecast whose only part is its timeline. */
export async function commitForecast(place: StorePlace, made: Made & { generation?: string } = {}): Promise<void> {
  const update = await beginUpdate(place);
  update.setForecast({ ...HEADER, generation: made.generation ?? 'first' });
  await write(update, made);
  await update.commit();
}
