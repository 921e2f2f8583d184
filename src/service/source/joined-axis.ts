import { OptionError } from '../../errors.js';
import type { Axis, Dataset } from './dataset.js';

/** The days of a history that are from one of its sources. */
interface SourceDays {
  /** The source's index. */
  readonly source: number;
  /** Where its first day lies among the joined ones. */
  readonly at: number;
  readonly days: number;
}

/** The days from the first to the last of several sources. */
export interface JoinedAxis extends Axis {
  /** In the sources' order, those that have the variable. */
  readonly sources: readonly SourceDays[];
}

/** The days of every variable that any of the datasets has. Throws OptionError for a variable of several members. */
export function joinedAxes(datasets: readonly Dataset[]): ReadonlyMap<string, JoinedAxis> {
  const slugs = new Set(datasets.flatMap(({ variables }) => [...variables.keys()]));
  return new Map(Array.from(slugs, (slug) => [slug, joinedAxis(slug, datasets)]));
}

function joinedAxis(slug: string, datasets: readonly Dataset[]): JoinedAxis {
  const axes = datasets.flatMap(({ variables }, source) => {
    const axis = variables.get(slug);
    return axis === undefined ? [] : { ...axis, source };
  });
  for (const { members } of axes) assertSingleMember(slug, members);
  const firstDay = Math.min(...axes.map((axis) => axis.firstDay));
  const end = Math.max(...axes.map((axis) => axis.firstDay + axis.days));
  const sources = axes.map(({ source, days, ...axis }) => ({ source, at: axis.firstDay - firstDay, days }));
  return { firstDay, days: end - firstDay, members: 1, sources };
}

function assertSingleMember(slug: string, received: number): void {
  if (received === 1) return;
  const allowed = 'one value a day: a history, not an ensemble';
  throw new OptionError({ subject: slug, problem: 'has several members', received, allowed });
}
