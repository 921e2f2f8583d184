import { unusable } from '../errors.js';
import { parseThreshold } from '../statistics/options.js';
import { parseStatisticName } from '../statistics/statistic.js';
import {
  type ComparisonPart,
  type Condition,
  type ConditionLimit,
  type ConditionPart,
  MAX_PARTS,
  type RangePart,
} from './condition.js';
import { ConditionError } from './condition-error.js';

/*
 * The grammar, from what binds least to what binds most:
 *
 *   condition   either [ "given" either ]
 *   either      both { "or" both }
 *   both        part { "and" part }
 *   part        "(" either ")"  |  [ variable ] comparison  |  variable, alone before "given": more than 0
 *   comparison  operator limit  |  limit ".." limit
 *   operator    ">"  |  ">="  |  "<"  |  "<="
 *   limit       plain decimal  |  "q" digits, a quantile of the climatology
 *   variable    words, or any text in quotes
 *
 * docs/conditions.md has it for people.
 */

/** One level of parentheses is a call. */
const MAX_DEPTH = 99;

const OPERATOR = /(?:>=|<=|>|<)/y;
/** A point of a range is none of the number: `5..20`. */
const DECIMAL = /[+-]?(?:\d+(?:\.(?!\.)\d*)?|\.\d+)/y;
const QUANTILE = /q\d+(?![\p{L}\p{N}_])/uy;
const RANGE = /(?:[+-]?(?:\d+(?:\.(?!\.)\d*)?|\.\d+)|q\d+)\s*\.\./uy;
const DOTS = /\.\./y;
const WORD = /[^\s<>()"'=]+/uy;
/** The unit after a number: `20 mm`, `5cm`, `32 °F`. */
const UNIT_OF_NUMBER = /(?!e[+-]?\d)[\p{L}°%][^\s<>()"'=,]*/iuy;
/** The unit after a name: `Rain (mm)>5`. */
const UNIT = /\([^()<>]*\)(?=\s*[<>])/y;
const QUOTED = /"[^"]*"|'[^']*'/y;
const SPACE = /\s*/y;
const KEYWORD = /(?:and|or|given)(?![^\s<>()"'=])/iuy;

const EXAMPLES = 'a comparison such as >20 or precipitation>=0.1, or a range such as 5..20';
/** A comma begins the next item of a list, or decimals as some countries write them. */
const ONE_CONDITION = 'one condition, with a decimal point, such as >2.5; two are joined by "and" or "or"';
const LIMITS = 'a plain decimal such as 20, or a quantile of the climatology such as q90';

/**
 * Reads a condition: `">20"`, `"5..20"`, `">q90"`, `"precipitation>5 and temp_mean<0"`, `"snow given precipitation>1"`.
 * Throws ConditionError for anything else, which points at the character.
 *
 * @example
 * ```js
 * import { parseCondition } from 'plumecast';
 *
 * const { kind, parts } = parseCondition('precipitation>20 or temp_max>=30');
 * console.log(kind, parts.map(({ variable, operator, limit }) => variable + operator + limit));
 * ```
 *
 * ```text
 * or [ 'precipitation>20', 'temp_max>=30' ]
 * ```
 */
export function parseCondition(condition: string): Condition {
  if (typeof condition !== 'string') throw unusable('condition', condition, EXAMPLES);
  return new ConditionReader(condition).read();
}

/** Whether a name can stand without quotes. */
export function isPlainName(name: string): boolean {
  const [word] = matchAt(WORD, name, 0) ?? [];
  return word === name && [KEYWORD, RANGE].every((form) => matchAt(form, name, 0) === undefined) && !isNumber(name);
}

class ConditionReader {
  readonly #text: string;
  #at = 0;
  #parts = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Condition {
    const condition = this.#either();
    if (!this.#takeWord('given')) return this.#end(condition);
    return this.#end({ kind: 'given', condition, given: this.#either() });
  }

  #end(condition: Condition): Condition {
    if (this.#at === this.#text.length) return condition;
    const found = this.#text[this.#at];
    if (/\d\s*$/.test(this.#text.slice(0, this.#at))) this.#assertNoUnit();
    const word = this.#match(KEYWORD)?.[0].toLowerCase();
    if (word === 'given') return this.#fail('a second given', 'one given, outside of parentheses');
    return this.#fail(`unexpected ${JSON.stringify(found)}`, 'and, or, given, or the end of the condition');
  }

  #either(): ConditionPart {
    return this.#joined('or', () => this.#joined('and', () => this.#part()));
  }

  /** Parts with a word between them. Those of the same kind in parentheses are parts of one list. */
  #joined(kind: 'and' | 'or', next: () => ConditionPart): ConditionPart {
    const parts = [next()];
    while (this.#takeWord(kind)) parts.push(next());
    const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]));
    return flat.length === 1 ? flat[0] : { kind, parts: flat };
  }

  #part(): ConditionPart {
    this.#skipSpace();
    if (this.#text[this.#at] === '(') return this.#inParentheses();
    if (++this.#parts > MAX_PARTS) this.#fail('too many parts', `at most ${MAX_PARTS} comparisons and ranges`);
    const start = this.#at;
    const variable = this.#variable();
    this.#skipSpace();
    const named = variable === undefined ? {} : { variable };
    const operator = this.#match(OPERATOR)?.[0];
    if (variable !== undefined && isNumber(this.#text.slice(start, start + variable.length))) {
      return this.#fail('expected a variable, an operator or a range', EXAMPLES, start);
    }
    if (operator !== undefined) return { kind: 'comparison', ...named, ...this.#comparison(operator) };
    if (this.#match(RANGE) !== undefined) return { kind: 'range', ...named, ...this.#range() };
    if (variable === undefined) return this.#fail('expected a condition', EXAMPLES);
    // "snow given precipitation>1": an amount alone is whether there is any.
    if (this.#depth === 0 && this.#match(KEYWORD)?.[0].toLowerCase() === 'given') {
      return { kind: 'comparison', variable, operator: '>', limit: 0 };
    }
    return this.#fail(`expected a comparison of ${variable}`, '>, >=, <, <= and a limit, or a range such as 5..20');
  }

  #inParentheses(): ConditionPart {
    const open = this.#at++;
    if (++this.#depth > MAX_DEPTH) this.#fail('too many parentheses', `at most ${MAX_DEPTH} within each other`, open);
    const inner = this.#either();
    this.#skipSpace();
    if (this.#text[this.#at] !== ')') {
      const isGiven = this.#match(KEYWORD)?.[0].toLowerCase() === 'given';
      if (isGiven) return this.#fail('given within parentheses', 'one given, outside of parentheses');
      return this.#fail('expected )', 'and, or, or the end of the parentheses');
    }
    this.#at++;
    this.#depth--;
    return inner;
  }

  #comparison(operator: string): Pick<ComparisonPart, 'operator' | 'limit'> {
    const start = this.#at;
    this.#at += operator.length;
    this.#skipSpace();
    const isQuantile = this.#match(QUANTILE) !== undefined;
    const limit = this.#limit();
    if (this.#match(DOTS) !== undefined) this.#fail('a range after an operator', 'a comparison >5, or a range 5..20');
    if (isQuantile) return { operator: operator as ComparisonPart['operator'], limit };
    return parseThreshold(this.#text.slice(start, this.#at));
  }

  #range(): Pick<RangePart, 'from' | 'to'> {
    const from = this.#limit();
    this.#skipSpace();
    this.#at += 2;
    this.#skipSpace();
    const start = this.#at;
    const to = this.#limit();
    const value = (limit: ConditionLimit) => (typeof limit === 'number' ? limit : limit.quantile);
    const isBackwards = typeof from === typeof to && value(from) > value(to);
    if (isBackwards) this.#fail('a range that ends below its beginning', 'the lower limit first', start);
    return { from, to };
  }

  #limit(): ConditionLimit {
    const start = this.#at;
    const quantile = this.#match(QUANTILE)?.[0];
    if (quantile !== undefined) {
      const statistic = parseStatisticName(quantile);
      if (statistic?.kind !== 'quantile') return this.#fail('no quantile', 'q05, q50, q975: two digits or more');
      this.#at += quantile.length;
      this.#endOfLimit(start);
      return { quantile: statistic.probability };
    }
    const number = this.#match(DECIMAL)?.[0];
    if (number === undefined) return this.#fail('expected a limit', LIMITS);
    this.#at += number.length;
    this.#endOfLimit(start);
    const limit = Number(number) + 0;
    return Number.isFinite(limit) ? limit : this.#fail('too large a number', LIMITS, start);
  }

  /** Throws for a limit that goes on, such as 1e5 or 20mm. */
  #endOfLimit(start: number): void {
    if (this.#text[this.#at] === ',') this.#fail('unexpected comma', ONE_CONDITION);
    this.#assertNoUnit();
    if (this.#match(WORD) !== undefined && this.#match(DOTS) === undefined)
      this.#fail('expected a limit', LIMITS, start);
  }

  /** Throws for the unit of a number that was read last; an exponent is none. */
  #assertNoUnit(): void {
    const unit = this.#match(UNIT_OF_NUMBER)?.[0];
    if (unit === undefined || this.#match(KEYWORD) !== undefined) return;
    // A name that is compared begins another condition.
    const behind = this.#text.slice(this.#at + unit.length);
    if (/^\s*[<>]/.test(behind)) return;
    // Before another comparison it is meant to join both.
    if (/^\s+(?!(?:and|or|given)\b)[^\s<>]+\s*[<>]/i.test(behind)) {
      this.#fail(`unexpected word ${JSON.stringify(unit)}`, 'and, or, given');
    }
    this.#fail(
      `unexpected unit ${JSON.stringify(unit)}`,
      'limits in the units of the data, without a unit, such as >20',
    );
  }

  /** The words before an operator or a range, or a text in quotes; undefined where there are none. */
  #variable(): string | undefined {
    const quoted = this.#match(QUOTED)?.[0];
    if (quoted !== undefined) {
      if (quoted.slice(1, -1).trim() === '') this.#fail('a variable without a name', EXAMPLES);
      this.#at += quoted.length;
      return quoted.slice(1, -1);
    }
    const words: string[] = [];
    for (;;) {
      this.#skipSpace();
      const word = this.#match(WORD)?.[0] ?? (words.length > 0 ? this.#match(UNIT)?.[0] : undefined);
      const isOther = this.#match(KEYWORD) !== undefined || this.#match(RANGE) !== undefined;
      if (word === undefined || isOther) return words.length === 0 ? undefined : words.join(' ');
      words.push(word);
      this.#at += word.length;
    }
  }

  #takeWord(word: string): boolean {
    this.#skipSpace();
    const found = this.#match(KEYWORD)?.[0];
    if (found?.toLowerCase() !== word) return false;
    this.#at += word.length;
    return true;
  }

  #skipSpace(): void {
    this.#at += this.#match(SPACE)?.[0].length ?? 0;
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    return matchAt(form, this.#text, this.#at);
  }

  #fail(problem: string, allowed: string, at = this.#at): never {
    throw new ConditionError(this.#text, at, problem, allowed);
  }
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at;
  return form.exec(text) ?? undefined;
}

function isNumber(text: string): boolean {
  return matchAt(DECIMAL, text, 0)?.[0] === text;
}
