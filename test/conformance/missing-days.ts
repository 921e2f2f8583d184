import { formatDate } from '../../src/period/day.js';
import type { Axis, Dataset } from '../../src/service/source/dataset.js';

/** Which values are missing: by slug, cell, date and member. */
type IsMissing = (slug: string, cell: number, date: string, member: number) => boolean;

/** A dataset, of which some values are missing. */
export function withMissing(data: Dataset, isMissing: IsMissing): Dataset {
  /** Their positions in what is read, by slug and cell. */
  const missing = new Map<string, readonly number[]>();
  return {
    ...data,
    revision: `${data.revision} with gaps`,
    async read(slug, cell, into) {
      await data.read(slug, cell, into);
      const key = `${slug} ${cell}`;
      const positions = missing.get(key) ?? missingPositions(slug, cell);
      missing.set(key, positions);
      for (const position of positions) into[position] = Number.NaN;
    },
  };

  function missingPositions(slug: string, cell: number): number[] {
    const { firstDay, days, members } = data.variables.get(slug) as Axis;
    return Array.from({ length: days }, (_, day) => formatDate(firstDay + day)).flatMap((date, day) =>
      Array.from({ length: members }, (_, member) => member).flatMap((member) =>
        isMissing(slug, cell, date, member) ? [member * days + day] : [],
      ),
    );
  }
}
