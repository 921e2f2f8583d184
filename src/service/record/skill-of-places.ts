import { skillScore } from '../point/window-skill.js';
import type { Dataset } from '../source/dataset.js';
import { RECORD_NUMBERS, readSums } from './record-sums.js';

/** The scores that the record has of each place. */
export const PLACE_SCORES = ['crps', 'rps'] as const;

/** Skill at each place, and how many cases it is of in all. */
export interface SkillOfPlaces {
  /** NaN where a place has no case. */
  readonly skill: Float64Array;
  readonly cases: number;
}

/**
 * The skill of each place of a series of the record, against the climatology: of one class of leads, or of all together.
 * Rejects with FileError and FormatError.
 */
export async function skillOfPlaces(
  data: Dataset,
  slug: string,
  score: (typeof PLACE_SCORES)[number],
  leadClass?: number,
): Promise<SkillOfPlaces> {
  const classes = data.variables.get(slug)?.days ?? 0;
  const block = new Float32Array(RECORD_NUMBERS * classes);
  const skill = new Float64Array(data.places.latitude.length).fill(Number.NaN);
  const chosen = leadClass === undefined ? Array.from({ length: classes }, (_, at) => at) : [leadClass];
  let cases = 0;
  for (let place = 0; place < skill.length; place++) {
    await data.read(slug, place, block);
    let [own, reference, count] = [0, 0, 0];
    for (const at of chosen) {
      if (at >= classes || !(block[at] > 0)) continue;
      const sums = readSums(block, classes, at);
      own += sums[score];
      reference += score === 'crps' ? sums.referenceCrps : sums.referenceRps;
      count += sums.cases;
    }
    if (count > 0) skill[place] = skillScore(own, reference);
    cases += count;
  }
  return { skill, cases };
}
