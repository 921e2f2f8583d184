/** The first pause, in milliseconds: each following one is twice as long. */
const PAUSE = 200;

/**
 * What `attempt` gives, made again where it throws or gives what may pass, at most `retries` times, after pauses that grow and are
 * not the same for all that wait. Not after `signal` is aborted.
 */
export async function retried<T>(
  attempt: () => Promise<T>,
  mayPass: (result: T) => boolean,
  retries: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    const isLast = failures >= retries;
    try {
      const result = await attempt();
      if (isLast || !mayPass(result)) return result;
    } catch (error) {
      if (isLast || signal?.aborted === true) throw error;
    }
    const pause = PAUSE * 2 ** failures * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
