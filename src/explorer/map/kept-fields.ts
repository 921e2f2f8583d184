/** What a map shows of one window, at each cell; values are in the unit of the variable. */
export interface WindowField {
  readonly values: Float64Array;
  /** Of the most likely tercile: its index. */
  readonly categories?: Float64Array | undefined;
}

/** The most bytes of fields that are kept. */
const KEPT_BYTES = 268_435_456;

/** The bytes that the field of a window takes. */
function fieldBytes({ values, categories }: WindowField): number {
  return 8 * (values.length + (categories?.length ?? 0));
}

/** Keeps the fields of windows, so that a map which is shown again reads nothing; drops the least recently used first. */
export class KeptFields {
  readonly bytes: number;
  /** The least recently used first. */
  readonly #fields = new Map<string, WindowField>();
  #used = 0;
  /** Numbers of the objects that fields are of. */
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;

  constructor(bytes = KEPT_BYTES) {
    this.bytes = bytes;
  }

  /** A text that differs for other objects, and for other texts. */
  key(objects: readonly object[], text: string): string {
    const numbers = objects.map((each) => {
      const number = this.#numbers.get(each) ?? this.#count++;
      this.#numbers.set(each, number);
      return number;
    });
    return `${numbers.join(' ')} ${text}`;
  }

  get(key: string, window: number): WindowField | undefined {
    const name = `${key} ${window}`;
    const field = this.#fields.get(name);
    if (field !== undefined && this.#fields.delete(name)) this.#fields.set(name, field);
    return field;
  }

  set(key: string, window: number, field: WindowField): void {
    const name = `${key} ${window}`;
    this.#drop(name);
    this.#fields.set(name, field);
    this.#used += fieldBytes(field);
    for (const oldest of this.#fields.keys()) {
      if (this.#used <= this.bytes) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const field = this.#fields.get(name);
    if (field !== undefined && this.#fields.delete(name)) this.#used -= fieldBytes(field);
  }
}
