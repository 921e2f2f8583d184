import { OptionError } from '../errors.js';
import { weatherMap } from '../plot/map/map.js';
import { counted, scoreWords, subjectWords } from '../plot/verification/figure-texts.js';
import { firstLeads, leadClass } from '../service/record/lead-classes.js';
import { PLACE_SCORES, skillOfPlaces } from '../service/record/skill-of-places.js';
import type { StoredRecord } from '../service/source/folder/index.node.js';
import { leadUnit } from '../skill/pairing/lead.js';
import type { FigureFlags, VerifyOutput } from './draw-verification.js';
import { pictureBytes, pictureTheme } from './picture-output.js';

/** Draws the skill of a series of the record at each place. Throws OptionError for what the record has not of places. */
export async function drawRecordMap(
  records: readonly StoredRecord[],
  { score = 'crps', lead, confidence, theme, title, width }: FigureFlags,
  { out, picture }: Extract<VerifyOutput, { form?: undefined }>,
): Promise<Uint8Array> {
  const [record, ...others] = records;
  if (others.length > 0) {
    const received = records.map(({ series: { slug, granularity, horizon } }) => `${slug} ${granularity} ${horizon}`);
    const allowed = '--variable, --granularity and --horizon, which choose one';
    throw new OptionError({ subject: '--figure map', problem: 'shows one series of the record', received, allowed });
  }
  if (!isPlaceScore(score)) {
    const allowed = PLACE_SCORES.join(', ');
    throw new OptionError({ subject: '--score', problem: 'is not kept by place', received: score, allowed });
  }
  if (confidence !== undefined) {
    const problem = 'needs starts apart, and the record keeps the sums of a place';
    const allowed = 'plumecast verify of the forecasts themselves, --by place';
    throw new OptionError({ subject: '--confidence', problem, received: confidence, allowed });
  }
  const { slug, granularity, horizon } = record.series;
  const leads = firstLeads(granularity);
  const at = lead === undefined ? undefined : leadClass(granularity, lead);
  const { skill, cases, places } = await record.withValues(async (sums) => {
    return { ...(await skillOfPlaces(sums, slug, score, at)), places: sums.places };
  });
  const unit = leadUnit(granularity);
  if (cases === 0) {
    const allowed = `one that forecasts came due of, such as ${leads[0]} ${unit}`;
    throw new OptionError({ subject: '--lead', problem: 'has no cases in the record', received: lead, allowed });
  }
  const about = { variable: slug, granularity, horizon };
  const ofLead = at === undefined ? 'all leads together' : leadWords(leads, at, unit);
  const { latitude, longitude } = places;
  const field = {
    grid: { kind: 'places', latitude, longitude, shape: [latitude.length] },
    values: skill,
    heading: `Skill of the ${scoreWords(score, undefined)}: ${subjectWords(about)}`,
    lines: [ofLead, counted(cases, 'case'), 'against the climatology'],
    units: 'skill (1 is perfect)',
    isDifference: true,
  } as const;
  const coastlines = (await import('world-atlas/countries-50m.json')).default;
  const looks = Object.entries({ width, title }).filter(([, value]) => value !== undefined);
  const svg = weatherMap(field, { ...Object.fromEntries(looks), coastlines, theme: pictureTheme(picture, theme) });
  return pictureBytes(svg, picture, out);
}

function isPlaceScore(score: string): score is (typeof PLACE_SCORES)[number] {
  return (PLACE_SCORES as readonly string[]).includes(score);
}

/** A class of leads in words: `lead 14 to 20 days`. */
function leadWords(leads: readonly number[], at: number, unit: string): string {
  const [first, next] = [leads[at], leads[at + 1]];
  return next === undefined || next === first + 1 ? `lead ${first} ${unit}` : `lead ${first} to ${next - 1} ${unit}`;
}
