import type { Core } from '../core/load.js';
import type { SeamPairing } from './pairing.js';

/** What the core needs to know of a seam, for some locations at a time. */
export interface SeamTables {
  /** Addresses of i32 for each location and trajectory: its member of the later horizon, and the day on which it switches. */
  readonly member: number;
  readonly switchDay: number;
  /** Fills the tables for `locations` locations from `location` on. */
  ready(location: number, locations: number): void;
}

/** The tables of a seam that is paired already, copied to scratch of the core. */
export function pairedSeam({ memory }: Core, seam: SeamPairing, trajectories: number, locations: number): SeamTables {
  const length = Math.min(locations * trajectories, seam.member.length);
  const member = memory.scratch(4 * length);
  const switchDay = memory.scratch(4 * length);
  // One pairing for all locations stays where it is.
  const isShared = seam.member.length === trajectories;
  const ready = (location: number, count: number) => {
    const from = isShared ? 0 : location * trajectories;
    const to = from + (isShared ? 1 : count) * trajectories;
    memory.int32(member, to - from).set(seam.member.subarray(from, to));
    memory.int32(switchDay, to - from).set(seam.switchDay.subarray(from, to));
  };
  return { member, switchDay, ready };
}
