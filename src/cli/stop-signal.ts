/** Resolves to the signal that stops the process; a second signal ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  return new Promise((stopped) => {
    const stop = (received: NodeJS.Signals) => {
      for (const signal of signals) process.off(signal, stop);
      stopped(received);
    };
    for (const signal of signals) process.on(signal, stop);
  });
}
