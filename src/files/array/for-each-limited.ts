/**
 * Does the work for each of `items`, at most `limit` at a time. After a failure no more work begins, and the error is
 * thrown when the work in progress is done: nothing runs afterwards.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const takeTurns = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      await work(next.value);
      if (errors.length > 0) return;
    }
  };
  const turn = () => takeTurns().catch((error: unknown) => errors.push(error));
  await Promise.all(Array.from({ length: limit }, turn));
  if (errors.length > 0) throw errors[0];
}
