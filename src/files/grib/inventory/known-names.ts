/** What the header of a field says that an index file has a name for. */
export interface HeaderMeaning {
  /** Its parameter and level. */
  readonly parameter: string;
  /** Whether the parameter may be needed. */
  readonly isNeeded: boolean;
}

interface Known extends HeaderMeaning {
  /** Files whose headers have shown it. */
  files: number;
  /** Whether index files mean different parameters. */
  isAmbiguous: boolean;
}

/** Files that must agree on a name before messages of that name are left out of others. */
const MIN_FILES = 2;

/** What the names in index files mean, as the headers of the messages show. */
export class KnownNames {
  readonly #known = new Map<string, Known>();

  /**
   * Which messages of a name have to be read of a file, in which `own` was found so far: all where they may be needed,
   * or where index files disagree; none where the headers of two files have shown another parameter; else some, to find
   * out.
   */
  toRead(name: string, own: HeaderMeaning | undefined): 'all' | 'some' | 'none' {
    const known = this.#known.get(name);
    if (own?.isNeeded || known?.isNeeded || known?.isAmbiguous) return 'all';
    if (known === undefined) return 'some';
    if (own !== undefined && own.parameter !== known.parameter) return 'all';
    return known.files < MIN_FILES ? 'some' : 'none';
  }

  /**
   * Adds what the headers of a file say. Returns a name that means another parameter in two files or more: then the
   * index file is not right, and nothing is added.
   */
  add(meanings: ReadonlyMap<string, HeaderMeaning>): string | undefined {
    const other = [...meanings].find(([name, meaning]) => this.#isOther(name, meaning));
    if (other !== undefined) return other[0];
    for (const [name, meaning] of meanings) {
      const known = this.#known.get(name);
      if (known === undefined) this.#known.set(name, { ...meaning, files: 1, isAmbiguous: false });
      else if (known.parameter === meaning.parameter) known.files++;
      else known.isAmbiguous = true;
    }
    return undefined;
  }

  #isOther(name: string, { parameter }: HeaderMeaning): boolean {
    const known = this.#known.get(name);
    return known !== undefined && !known.isAmbiguous && known.files >= MIN_FILES && known.parameter !== parameter;
  }

  /** The names that mean different parameters in different files. */
  get ambiguous(): string[] {
    return [...this.#known].flatMap(([name, { isAmbiguous }]) => (isAmbiguous ? [name] : []));
  }
}
