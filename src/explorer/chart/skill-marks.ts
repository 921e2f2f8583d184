import { numberText } from '../../plot/number-text.js';
import type { Windows } from '../../plot/panel-data.js';
import { element, rounded } from '../../plot/svg.js';
import { isWithoutSkill, type WindowSkill } from '../data/window-skill.js';
import type { Layout } from './layout.js';

/** The distance of the lines over windows without skill, in pixels. */
const STEP = 7;

/** The windows whose lead has had no skill: grey under lines, so that it is seen without colours. */
export function drawWithoutSkill(
  skill: readonly (WindowSkill | undefined)[] | undefined,
  { start, end }: Windows,
  { x, height }: Layout,
  top: number,
): string {
  if (skill === undefined) return '';
  let [area, lines] = ['', ''];
  for (let i = 0; i < start.length; i++) {
    if (!isWithoutSkill(skill[i])) continue;
    const from = i;
    while (i + 1 < start.length && isWithoutSkill(skill[i + 1])) i++;
    const [left, right] = [x(start[from]), x(end[i] + 1)];
    area += `M${rounded(left)},${top}H${rounded(right)}v${height}H${rounded(left)}Z`;
    for (let at = left - height + STEP; at < right; at += STEP) {
      const [begin, stop] = [Math.max(left, at), Math.min(right, at + height)];
      lines += `M${rounded(begin)},${rounded(top + height - (begin - at))}L${rounded(stop)},${rounded(top + height - (stop - at))}`;
    }
  }
  return area === ''
    ? ''
    : element('path', { class: 'no-skill', d: area }) + element('path', { class: 'no-skill-line', d: lines });
}

/** How good earlier forecasts of a window's lead were, in a sentence. */
export function skillSentence(skill: WindowSkill | undefined): string {
  if (skill === undefined || skill.cases === 0) return 'No earlier forecasts of this lead were scored.';
  const cases = `${skill.cases} earlier ${skill.cases === 1 ? 'forecast' : 'forecasts'}`;
  if (skill.crpss === null) return `Too few to say how good: ${cases} of this lead.`;
  const value = numberText(skill.crpss, 2);
  return skill.crpss > 0
    ? `Skill against the climatology in ${cases} of this lead: ${value}.`
    : `No skill against the climatology in ${cases} of this lead (${value}).`;
}

/** What is hatched in a chart, in a sentence; empty where nothing is. */
export function explainWithoutSkill(skill: readonly (WindowSkill | undefined)[] | undefined): string {
  const without = skill?.filter(isWithoutSkill) ?? [];
  if (skill === undefined || without.length === 0) return '';
  const counts = without.map((one) => one?.cases ?? 0);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const cases = least === most ? `${most}` : `${least} to ${most}`;
  const all = without.length === skill.length ? 'All windows are' : `${without.length} of ${skill.length} windows are`;
  return `${all} hatched: no skill against the climatology in ${cases} earlier forecasts of the same lead.`;
}
