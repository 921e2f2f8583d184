import { DAY_MILLISECONDS } from '../../../period/day.js';
import type { ObjectEntry } from '../../store/write-blocks.node.js';

/** A generation that a store keeps, and the object with its contents. */
export interface GenerationEntry extends ObjectEntry {
  /** The one of the update that made it. */
  readonly id: string;
  /** Its name, which answers state; no other generation of the store has it. */
  readonly generation: string;
  /** When it was published, as ISO 8601. */
  readonly published: string;
}

/** Which generations stay when new ones are published: the last `count`, and all of the last `days`. */
export interface KeepPolicy {
  readonly count: number;
  readonly days?: number;
}

/** The root of a store: the generations that it keeps, from the oldest, and the id of the present one. */
export interface StoreRoot {
  readonly current: string;
  readonly keep: KeepPolicy;
  readonly generations: readonly GenerationEntry[];
}

/** How many generations a new store keeps. */
export const USUAL_KEEP: KeepPolicy = { count: 3 };

/** The root with the generations that its policy keeps at a time, in milliseconds; the present one stays. */
export function prunedRoot(root: StoreRoot, now: number): StoreRoot {
  const { generations, keep, current } = root;
  const since = now - (keep.days ?? 0) * DAY_MILLISECONDS;
  const kept = generations.filter(
    ({ id, published }, g) =>
      id === current ||
      g >= generations.length - keep.count ||
      (keep.days !== undefined && Date.parse(published) >= since),
  );
  return { ...root, generations: kept };
}

/** A name like `wanted` that no other generation of a root has: with .2, .3 and so on where it is taken. */
export function freeName(wanted: string, root: StoreRoot | undefined): string {
  const taken = new Set(root?.generations.map(({ generation }) => generation));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}.${n}`;
  return name;
}
