import { isPlumecastError } from '../errors.js';
import { parseDate } from '../period/day.js';
import type { Seam } from './panel-data.js';

/** The horizons of a timeline, as `blend` writes them to its metadata. */
interface StatedHorizon {
  readonly name: string;
  readonly end: string;
  /** Of all but the first. */
  readonly hand_over?: string;
}

/** The seams of a blended timeline by the metadata of its table, or of its statistics; none for other tables. */
export function seamsOf(metadata: ReadonlyMap<string, string>): Seam[] {
  const horizons = statedHorizons(metadata.get('horizons'));
  return horizons.slice(1).flatMap(({ name, hand_over }, h) => {
    const [handOver, before] = [dayOf(hand_over), dayOf(horizons[h].end)];
    if (handOver === undefined || before === undefined) return [];
    return { handOver, complete: Math.max(handOver, before + 1), label: name };
  });
}

/** Others may have written the metadata: what is not a list of horizons is none. */
function statedHorizons(text: string | undefined): StatedHorizon[] {
  if (text === undefined) return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every(isHorizon) ? list : [];
  } catch {
    return [];
  }
}

function isHorizon(given: unknown): given is StatedHorizon {
  const horizon: Partial<StatedHorizon> = Object(given);
  return typeof horizon.name === 'string' && typeof horizon.end === 'string';
}

function dayOf(date: string | undefined): number | undefined {
  try {
    return date === undefined ? undefined : parseDate(date);
  } catch (error) {
    if (isPlumecastError(error)) return undefined;
    throw error;
  }
}
