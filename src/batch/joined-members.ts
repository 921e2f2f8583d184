import { DataError } from '../errors.js';

/** Keeps inputs whose results become one file from having different numbers of members. */
export class JoinedMembers {
  #first: { readonly input: string; readonly members: number } | undefined;

  /** Throws DataError where the input has not as many members as the one before. */
  add(input: string, members: number): void {
    this.#first ??= { input, members };
    if (members === this.#first.members) return;
    throw new DataError({
      source: input,
      problem: `another number of members than ${this.#first.input} has, and both are to become one file`,
      received: members,
      allowed: `${this.#first.members}, or a name with {input}, which makes a file of each`,
    });
  }
}
