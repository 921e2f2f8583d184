import { integers, type NewColumn, numbers, textDictionary, texts } from '../table/build/create-table.js';

export type Cell = string | number | undefined;

/** A column of scores that rows are added to. */
export interface ScoreColumn {
  add(cell: Cell): void;
  column(name: string): NewColumn;
}

/** Numbers in an array that grows. */
class GrowingNumbers {
  #values = new Float64Array(1024);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const wider = new Float64Array(2 * this.#length);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.#length++] = value;
  }

  values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** Numbers; what is none, or not finite, is missing. */
export class NumberColumn implements ScoreColumn {
  readonly #numbers = new GrowingNumbers();

  add(cell: Cell): void {
    this.#numbers.add(typeof cell === 'number' && Number.isFinite(cell) ? cell : Number.NaN);
  }

  values(): Float64Array {
    return this.#numbers.values();
  }

  column(name: string): NewColumn {
    return numbers(name, this.values().slice());
  }
}

/** Whole numbers. */
export class CountColumn implements ScoreColumn {
  readonly #numbers = new GrowingNumbers();

  add(cell: Cell): void {
    this.#numbers.add(Number(cell));
  }

  column(name: string): NewColumn {
    return integers(name, Int32Array.from(this.#numbers.values()));
  }
}

/** Texts, each of them held once. */
export class TextColumn implements ScoreColumn {
  readonly #places = new GrowingNumbers();
  readonly #texts = new Map<string | null, number>();

  add(cell: Cell): void {
    const text = cell === undefined ? null : String(cell);
    let place = this.#texts.get(text);
    if (place === undefined) {
      place = this.#texts.size;
      this.#texts.set(text, place);
    }
    this.#places.add(place);
  }

  /** For each row the place of its text among the distinct ones. */
  places(): Float64Array {
    return this.#places.values();
  }

  column(name: string): NewColumn {
    return texts(name, Int32Array.from(this.places()), textDictionary([...this.#texts.keys()]));
  }
}
