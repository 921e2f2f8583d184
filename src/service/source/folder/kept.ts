/** Things that are made once for each key and kept; what fails to be made is made anew when it is next asked for. */
export class Kept<T> {
  readonly #things = new Map<string, Promise<T>>();

  /** The thing of a key; those who ask while it is being made wait for the same one. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#things.get(key);
    if (known !== undefined) return known;
    const thing = make();
    this.#things.set(key, thing);
    thing.catch(() => {
      if (this.#things.get(key) === thing) this.#things.delete(key);
    });
    return thing;
  }

  /** Forgets all but some keys, and returns what was forgotten. */
  keepOnly(keys: ReadonlySet<string>): Promise<T>[] {
    const others = [...this.#things].filter(([key]) => !keys.has(key));
    for (const [key] of others) this.#things.delete(key);
    return others.map(([, thing]) => thing);
  }
}
