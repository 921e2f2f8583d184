import { isPlumecastError } from '../errors.js';
import { parseDate } from '../period/day.js';
import type { Seam, TableTexts } from './panel-data.js';

/** The horizons of a timeline, as `blend` writes them to its metadata. */
interface StatedHorizon {
  readonly name: string;
  readonly end: string;
  /** Of all but the first. */
  readonly hand_over?: string;
}

/**
 * The seams of a blended timeline by the metadata of its table, or of its statistics; none for other tables. Answers of
 * the service about several variables state the horizons of each.
 */
export function seamsOf({ metadata, variable }: Pick<TableTexts, 'metadata' | 'variable'>): Seam[] {
  const horizons = statedHorizons(metadata.get('horizons'), variable);
  return horizons.slice(1).flatMap(({ name, hand_over }, h) => {
    const [handOver, before] = [dayOf(hand_over), dayOf(horizons[h].end)];
    if (handOver === undefined || before === undefined) return [];
    return { handOver, complete: Math.max(handOver, before + 1), earlier: horizons[h].name, later: name };
  });
}

/** Others may have written the metadata: what is not a list of horizons is none. */
function statedHorizons(text: string | undefined, variable = ''): StatedHorizon[] {
  if (text === undefined) return [];
  try {
    const stated: unknown = JSON.parse(text);
    const list: unknown = Array.isArray(stated) ? stated : Object(stated)[variable];
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
