import { OptionError } from '../../errors.js';
import type { MapField } from '../map/map-field.js';
import {
  capital,
  type FigureContent,
  nameOf,
  SIGNIFICANT_DOTS,
  scoreOf,
  shownScore,
  significantOf,
  subjectOf,
} from './figure-content.js';
import { scoreUnits, scoreWords, subjectWords, unitsOf } from './figure-texts.js';

/** The field of a map of skill, or of a score that has none: a value for each place, with dots where skill is significant. */
export function skillField(content: FigureContent): MapField {
  const { groups, about, score, confidence, verification } = content;
  const ofPlaces = new Set(
    groups.map(({ labels: { id, latitude, longitude } }) => JSON.stringify([id, latitude, longitude])),
  );
  const hasPlaces = groups.every(
    ({ labels }) => typeof labels.latitude === 'number' && typeof labels.longitude === 'number',
  );
  if (!hasPlaces || ofPlaces.size < groups.length) {
    throw new OptionError({
      subject: 'by',
      problem: hasPlaces
        ? 'has more than places, and a map has one value for each'
        : 'place is missing, and a map is of places',
      received: Object.keys(groups[0].labels).join(', ') || 'none',
      allowed: 'a verification by place',
    });
  }
  const { of, isSkill } = shownScore(content);
  const shown = groups.map((group) =>
    isSkill ? scoreOf(group, `${score}_skill`, of, 'skill') : scoreOf(group, score, of),
  );
  const isTested = isSkill && confidence !== undefined;
  const column = (name: 'latitude' | 'longitude') => Float64Array.from(groups, ({ labels }) => labels[name] as number);
  const words = scoreWords(score, of === undefined || score === 'quantile_score' ? of : nameOf(of, content));
  return {
    grid: { kind: 'places', latitude: column('latitude'), longitude: column('longitude'), shape: [groups.length] },
    values: Float64Array.from(shown, (one) => (Number.isFinite(one?.value) ? (one?.value as number) : Number.NaN)),
    heading: `${isSkill ? `Skill of the ${words}` : capital(words)}: ${subjectWords(about)}`,
    lines: subjectOf(content, verification.hasReference === true),
    units: isSkill ? 'skill (1 is perfect)' : scoreUnits(score, unitsOf(about)),
    isDifference: isSkill || score === 'bias',
    ...(isTested && {
      dots: significantOf(shown.map((one) => one?.pValue ?? Number.NaN)),
      dotsNote: SIGNIFICANT_DOTS,
    }),
  };
}
