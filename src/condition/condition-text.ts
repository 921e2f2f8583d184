import { OPERATOR_NAMES } from '../statistics/options.js';
import { quantileName, type Statistic } from '../statistics/statistic.js';
import type { Condition, ConditionLimit, ConditionPart } from './condition.js';
import { isPlainName } from './parse-condition.js';

/** A condition as text, from which `parseCondition` reads the same condition. */
export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'given':
      return `${conditionText(condition.condition)} given ${conditionText(condition.given)}`;
    case 'or':
      return condition.parts.map(conditionText).join(' or ');
    case 'and':
      return condition.parts
        .map((part) => (part.kind === 'or' ? `(${conditionText(part)})` : conditionText(part)))
        .join(' and ');
    case 'range': {
      const range = `${limitText(condition.from)}..${limitText(condition.to)}`;
      return condition.variable === undefined ? range : `${quoted(condition.variable)} ${range}`;
    }
    case 'comparison':
      return `${condition.variable === undefined ? '' : quoted(condition.variable)}${condition.operator}${limitText(condition.limit)}`;
  }
}

/**
 * What the share of members with a condition is among statistics: of `>20` and `>q90` what thresholds and exceedance of
 * a climatology are, of others the condition, in a column such as `p_5_to_20` or `p_precipitation_gt_5_and_temp_mean_lt_0`.
 */
export function conditionStatistic(condition: Condition): Statistic {
  if (condition.kind === 'comparison' && condition.variable === undefined) {
    const { operator, limit } = condition;
    if (typeof limit === 'number') return { kind: 'exceedance', threshold: { operator, limit } };
    if (operator === '>') return { kind: 'climate-exceedance', probability: limit.quantile };
  }
  return { kind: 'condition', condition: conditionText(condition), column: `p_${words(condition)}` };
}

/** A condition in words that can be a name of a column anywhere; parentheses are a second underscore. */
function words(condition: Condition): string {
  switch (condition.kind) {
    case 'given':
      return `${words(condition.condition)}_given_${words(condition.given)}`;
    case 'or':
      return condition.parts.map(words).join('_or_');
    case 'and':
      return condition.parts
        .map((part: ConditionPart) => (part.kind === 'or' ? `_${words(part)}_` : words(part)))
        .join('_and_');
    case 'range':
      return `${prefix(condition.variable)}${limitWords(condition.from)}_to_${limitWords(condition.to)}`;
    case 'comparison':
      return `${prefix(condition.variable)}${OPERATOR_NAMES[condition.operator]}_${limitWords(condition.limit)}`;
  }
}

function prefix(variable: string | undefined): string {
  return variable === undefined ? '' : `${variable.replace(/[^\w.-]+/g, '_').replace(/^_+|_+$/g, '')}_`;
}

function limitWords(limit: ConditionLimit): string {
  return typeof limit === 'number' ? plain(limit) : `clim_${limitText(limit)}`;
}

function limitText(limit: ConditionLimit): string {
  return typeof limit === 'number' ? plain(limit) : quantileName(limit.quantile);
}

/** A number without an exponent, which conditions do not have. */
function plain(limit: number): string {
  const text = String(limit);
  const [, sign, whole, decimals = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + decimals;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}

function quoted(variable: string): string {
  if (isPlainName(variable)) return variable;
  return variable.includes('"') ? `'${variable}'` : `"${variable}"`;
}
