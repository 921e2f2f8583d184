import { commonMetadata } from '../ensemble/common-metadata.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { formatDate } from '../period/day.js';
import { HORIZONS } from '../variable/availability.js';
import type { HorizonHead } from './horizon.js';
import type { Pairing } from './pairing/pairing.js';

/** What a horizon's table or file of arrays states in texts. */
export type HorizonTexts = Pick<Ensemble, 'variable' | 'units' | 'metadata'>;

/** The horizons' names: those in their metadata where they all differ, else names by order. */
export function horizonNames(texts: readonly Pick<HorizonTexts, 'metadata'>[]): readonly string[] {
  const stated = texts.flatMap(({ metadata }) => metadata.get('horizon') ?? []);
  if (new Set(stated).size === texts.length) return stated;
  return texts.length === HORIZONS.length ? HORIZONS : texts.map((_, h) => `horizon ${h + 1}`);
}

/** The variable and the units of horizons: those of the first that states them. */
export function commonVariable(texts: readonly HorizonTexts[]): Pick<HorizonTexts, 'variable' | 'units'> {
  return {
    variable: texts.find(({ variable }) => variable !== undefined)?.variable,
    units: texts.find(({ units }) => units !== undefined)?.units,
  };
}

/**
 * Creates the metadata of a timeline of `days` days: all that is the same in its horizons, and how they were joined.
 * `members` are the names of the first horizon's members.
 */
export function timelineMetadata(
  texts: readonly HorizonTexts[],
  heads: readonly HorizonHead[],
  members: readonly string[],
  pairing: Pick<Pairing, 'firstDay' | 'horizons' | 'seams' | 'pairBy' | 'method'>,
  days: number,
): Map<string, string> {
  const [{ metadata: first }] = texts;
  const metadata = commonMetadata(texts);
  const { variable, units } = commonVariable(texts);
  if (variable !== undefined) metadata.set('variable', variable.slug);
  if (units !== undefined) metadata.set('units', units);
  const initTime = first.get('init_time');
  if (initTime !== undefined) metadata.set('init_time', initTime);
  metadata.set('member_names', first.get('member_names') ?? JSON.stringify(members));
  const horizons = heads.map(({ name, firstDay, members: count }, h) => ({
    name,
    init_time: texts[h].metadata.get('init_time'),
    start: formatDate(Math.max(pairing.horizons[h].firstDay, firstDay)),
    end: formatDate(Math.min(pairing.horizons[h].lastDay, pairing.firstDay + days - 1)),
    members: count,
    // The first day on which a member may come from this horizon.
    hand_over: h === 0 ? undefined : formatDate(pairing.seams[h - 1].handOver),
  }));
  if (pairing.pairBy !== undefined && pairing.pairBy.length > 0) metadata.set('pair_by', pairing.pairBy.join(', '));
  return metadata.set('horizon', 'blended').set('blend', pairing.method).set('horizons', JSON.stringify(horizons));
}
