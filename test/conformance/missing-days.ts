import { formatDate } from '../../src/period/index.js';
import type { Axis, Dataset } from '../../src/service/source/dataset.js';

/** Which values are missing: by slug, cell, date and member. */
type IsMissing = (slug: string, cell: number, date: string, member: number) => boolean;

/** A dataset, of which some values are missing. */
export function withMissing(data: Dataset, isMissing: IsMissing): Dataset {
  return {
    ...data,
    revision: `${data.revision} with gaps`,
    async read(slug, cell, into) {
      await data.read(slug, cell, into);
      const { firstDay, days, members } = data.variables.get(slug) as Axis;
      for (let day = 0; day < days; day++) {
        const date = formatDate(firstDay + day);
        for (let member = 0; member < members; member++) {
          if (isMissing(slug, cell, date, member)) into[member * days + day] = Number.NaN;
        }
      }
    },
  };
}
