import type { Core } from '../../core/load.js';
import type { Places } from '../../ensemble/nearest-place.js';
import type { Pairing, SeamPairing } from './pairing.js';
import { membersAtPlaces, type PairedRegions } from './regions.js';

/** Tables of a seam for the core, for some locations at a time. */
export interface SeamTables {
  /**
   * Addresses of an i32 for each location and trajectory: its member of the later horizon, and the day on which it
   * switches.
   */
  readonly member: number;
  readonly switchDay: number;
  /** Fills the tables for `locations` locations from `location` on. */
  ready(location: number, locations: number): void;
}

/** The tables of seams that are already paired, in scratch of the core, for at most `locations` locations. */
export function pairedSeams(core: Core, pairing: Pairing, places: Places | undefined, locations: number): SeamTables[] {
  const { regions, seams, members } = pairing;
  if (regions !== undefined && places !== undefined)
    return seamsOfRegions(core, { ...pairing, regions }, places, locations);
  return seams.map((seam) => copiedSeam(core, seam, members, locations));
}

function copiedSeam({ memory }: Core, seam: SeamPairing, trajectories: number, locations: number): SeamTables {
  const length = Math.min(locations * trajectories, seam.member.length);
  const member = memory.scratch(4 * length);
  const switchDay = memory.scratch(4 * length);
  // A pairing for all locations has the tables of one.
  const isShared = seam.member.length === trajectories;
  const ready = (location: number, count: number) => {
    const from = isShared ? 0 : location * trajectories;
    const to = from + (isShared ? 1 : count) * trajectories;
    memory.int32(member, to - from).set(seam.member.subarray(from, to));
    memory.int32(switchDay, to - from).set(seam.switchDay.subarray(from, to));
  };
  return { member, switchDay, ready };
}

/** The tables of each location by where it lies; all seams of a location are made at once. */
function seamsOfRegions(
  { memory }: Core,
  { regions, seams, members: trajectories }: Pairing & { readonly regions: PairedRegions },
  { latitude, longitude }: Places,
  locations: number,
): SeamTables[] {
  const membersAt = membersAtPlaces(regions);
  const bytes = 4 * locations * trajectories;
  const addresses = seams.map(() => ({ member: memory.scratch(bytes), switchDay: memory.scratch(bytes) }));
  const fill = (location: number, count: number) => {
    const length = count * trajectories;
    const tables = addresses.map(({ member, switchDay }) => [
      memory.int32(member, length),
      memory.int32(switchDay, length),
    ]);
    for (let l = 0; l < count; l++) {
      membersAt(latitude[location + l], longitude[location + l]).forEach((members, s) => {
        tables[s][0].set(members, l * trajectories);
        tables[s][1].set(seams[s].switchDay.subarray(0, trajectories), l * trajectories);
      });
    }
  };
  return addresses.map((own, s) => ({
    ...own,
    ready: (location: number, count: number) => {
      if (s === 0) fill(location, count);
    },
  }));
}
