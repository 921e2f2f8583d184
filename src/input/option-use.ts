import { namesOf } from '../check/option-checks.js';
import { mentionOption, OptionError } from '../errors.js';
import { stepRule } from '../table/daily/step-table.js';
import type { Variable } from '../variable/variable.js';
import type { HeldForm, SeenUse, ValueOptions } from './input-request.js';
import { PLACE_OPTIONS } from './place-options.js';

/** Why an input has no use for an option. */
interface Unused {
  readonly source: string;
  readonly problem: string;
  /** The problem where it is the one of several inputs. */
  readonly problemOfAll?: string;
  readonly allowed: string;
}

/** Options of tables of one format alone. */
const OF_FORMAT = ['decimal', 'sheet'] as const;

/** Options that say something of one kind of input alone. */
const OF_KIND = {
  arrays: ['array', 'init', 'memberDimension', ...namesOf(PLACE_OPTIONS)],
  table: ['model', 'sort', 'dateFormat', ...OF_FORMAT],
} as const satisfies Record<'table' | 'arrays', readonly (keyof ValueOptions)[]>;

/** Options that not every reading uses. */
const OF_SOME: readonly (keyof ValueOptions)[] = [
  ...(['virtualChunks', 'missingChunks'] as const),
  ...[...OF_KIND.arrays, ...OF_KIND.table],
  ...(['accumulation', 'splitExtremes', 'stamps'] as const),
];

/** Why an input of another kind has no use for an option. */
function unusedByKind(option: keyof ValueOptions, kind: 'table' | 'arrays', source: string): Unused {
  const [held, meant] = kind === 'table' ? ['tables', 'files of arrays'] : ['arrays', 'tables'];
  const column = option === 'array' ? `; a column of a table, by ${mentionOption('variable')}` : '';
  return {
    ...{ source, problem: `the file holds ${kind === 'table' ? 'a table' : 'arrays'}` },
    problemOfAll: `all files hold ${held}`,
    allowed: `${mentionOption(option)} for ${meant} only${column}`,
  };
}

/** Options about how results of statistics are read, too. */
const OF_RESULTS: readonly (keyof ValueOptions)[] = ['calendar', 'decimal', 'sheet'];

/**
 * Which value options of one request its inputs use: an option that none of them can use is an error, of a single reading at
 * once. Inputs are seen when they are opened, and when a variable of them is read.
 */
export class OptionUse implements SeenUse {
  readonly #values: ValueOptions;
  #used = new Set<keyof ValueOptions>();
  #unused = new Map<keyof ValueOptions, Unused[]>();

  readonly #isOne: boolean;

  constructor(values: ValueOptions, { isOne = false }: { readonly isOne?: boolean } = {}) {
    this.#values = values;
    this.#isOne = isOne;
  }

  /** The same, for an input that is read with some of the options alone. */
  among(values: ValueOptions): OptionUse {
    const use = new OptionUse(values);
    use.#used = this.#used;
    use.#unused = this.#unused;
    return use;
  }

  opened(
    { kind, format = 'another one', isCsv = false, isWorkbook = false, mayRefer = false, isStore = false }: HeldForm,
    source: string,
  ): void {
    for (const [of, options] of Object.entries(OF_KIND) as ['table' | 'arrays', readonly (keyof ValueOptions)[]][]) {
      for (const option of options) {
        if (of !== kind) this.#see(option, () => unusedByKind(option, kind, source));
        else if (!OF_FORMAT.some((each) => each === option)) this.#see(option);
      }
    }
    const others = (option: keyof ValueOptions, words: string) => (): Unused => ({
      ...{ source, problem: `is for ${words}, and the format is ${format}`, allowed: `no ${mentionOption(option)}` },
      problemOfAll: `is for ${words}, and no file is one`,
    });
    const referring = others('virtualChunks', 'repositories of Icechunk and references');
    this.#see('virtualChunks', mayRefer ? undefined : referring);
    this.#see('missingChunks', isStore ? undefined : others('missingChunks', 'Zarr, Icechunk and references'));
    if (kind === 'table') {
      this.#see('decimal', isCsv ? undefined : others('decimal', 'CSV'));
      this.#see('sheet', isWorkbook ? undefined : others('sheet', 'Excel'));
    }
    if (this.#isOne) this.assertUsed();
  }

  read(variable: Variable | undefined, source: string, areDaily = false): void {
    const rule = variable && stepRule(variable);
    for (const option of Object.keys(this.#values) as (keyof ValueOptions)[])
      if (!OF_SOME.includes(option)) this.#see(option);
    const fault = (option: keyof ValueOptions, problem: string) => (): Unused => {
      return { source, problem, allowed: `values without ${mentionOption(option)}` };
    };
    const { slug } = variable ?? {};
    const isAmount = rule === undefined || rule === 'sum';
    this.#see('accumulation', isAmount ? undefined : fault('accumulation', `is for amounts, and ${slug} is none`));
    const isExtreme = rule === undefined || rule === 'min' || rule === 'max';
    const ofSteps = 'is for time steps, and values are daily';
    const extremes = isExtreme ? ofSteps : `is for minima and maxima, and ${slug} is none`;
    this.#see('splitExtremes', isExtreme && !areDaily ? undefined : fault('splitExtremes', extremes));
    this.#see('stamps', areDaily ? fault('stamps', `${ofSteps}: of the dates as written`) : undefined);
    if (this.#isOne) this.assertUsed();
  }

  /** Sees results of statistics, whose values were read before; some other options may have an effect on them, too. */
  results(source: string, others: readonly (keyof ValueOptions)[] = []): void {
    const problem = 'is for values of members, and the file has results';
    for (const option of Object.keys(this.#values) as (keyof ValueOptions)[]) {
      const unused = () => ({ source, problem, allowed: `results without ${mentionOption(option)}` });
      if (!OF_RESULTS.includes(option)) this.#see(option, others.includes(option) ? undefined : unused);
    }
    if (this.#isOne) this.assertUsed();
  }

  /** Throws OptionError for the first option that no input could use. */
  assertUsed(): void {
    for (const [option, [first, ...others]] of this.#unused) {
      if (this.#used.has(option)) continue;
      const { source, problem, problemOfAll = problem, allowed } = first;
      const isOne = others.every((other) => other.source === source);
      throw new OptionError({
        ...{ subject: isOne ? `${source}, ${option}` : option, problem: isOne ? problem : problemOfAll },
        ...{ received: this.#values[option], allowed },
      });
    }
  }

  /** Sees whether an option that is given is used; `unused` says why not. */
  #see(option: keyof ValueOptions, unused?: () => Unused): void {
    const given = this.#values[option];
    if (given === undefined || given === false) return;
    if (unused === undefined) this.#used.add(option);
    else this.#unused.set(option, [...(this.#unused.get(option) ?? []), unused()]);
  }
}
