/** A contestant that cannot take part on this machine. */
export interface Absent {
  readonly name: string;
  readonly reason: string;
}

/** What cannot be loaded is absent, and says why. */
export async function orAbsent<T>(name: string, loading: Promise<T>): Promise<T | Absent> {
  try {
    return await loading;
  } catch (error) {
    return { name, reason: String(error).split('\n')[0] };
  }
}
