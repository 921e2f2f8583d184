import { unusable } from '../../errors.js';
import { TERCILES } from './likely-tercile.js';
import type { MapField } from './map-field.js';
import { PALETTES } from './palettes.js';
import { classOf } from './value-classes.js';

/** The classes of a map of the most likely tercile: by the share of each category, and a neutral one. */
export interface TercileClasses {
  /** The limits between the shares of the classes of a category, ascending; below the first, none is likely. */
  readonly limits: readonly number[];
  /** A colour for each class: the neutral one, then the colours of each category. */
  readonly colours: readonly string[];
  /** The class of a cell with a value. */
  readonly classOf: (cell: number) => number;
}

/** A category is likely from a share of 40 % on, as in maps of IRI and of weather services. */
const LIMITS: readonly number[] = [0.4, 0.5, 0.6, 0.7, 1];

/** Nearly white: no category is likely. */
const NEUTRAL = '#f7f6f2';

/**
 * Creates the classes of a field of most likely terciles, between the `given` limits if there are any. Cells in which two
 * categories are the most likely are neutral. Throws OptionError for limits that are no shares.
 */
export function tercileClasses(field: MapField, given?: readonly number[]): TercileClasses {
  const limits = given ?? LIMITS;
  if (limits[0] < 0 || limits[limits.length - 1] > 1) throw unusable('limits', limits, 'shares from 0 to 1');
  const { values, categories = [] } = field;
  const count = limits.length - 1;
  return {
    ...{ limits, colours: [NEUTRAL, ...TERCILES.flatMap((category) => coloursOf(category, count, field))] },
    classOf: (cell) => {
      const category = categories[cell];
      return category < 0 || values[cell] < limits[0] ? 0 : 1 + category * count + classOf({ limits }, values[cell]);
    },
  };
}

/** The colours of a category, from the lowest share: dry and wet, or cold and warm, on both sides of greys. */
function coloursOf(category: (typeof TERCILES)[number], count: number, { window }: MapField): string[] {
  return Array.from({ length: count }, (_, i) => {
    const depth = count === 1 ? 0.5 : i / (count - 1);
    if (category === 'normal') return PALETTES.Greys(0.28 + 0.42 * depth);
    const away = 0.16 + 0.3 * depth;
    const isHigh = (category === 'above') === (window === 'sum');
    return PALETTES[window === 'sum' ? 'BrBG' : 'RdBu'](0.5 + (isHigh ? away : -away));
  });
}
