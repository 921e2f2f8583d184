// The condition of package.json `imports` that applies chooses which it is.
declare module '#pool-worker' {
  export const startWorker: import('./worker-link.js').StartWorker | undefined;
  /** How many threads the machine runs at once. */
  export const processors: () => number;
}

declare module '*.txt' {
  const text: string;
  export default text;
}
