// A condition of package.json `imports` chooses the file.
declare module '#pool-worker' {
  export const startWorker: import('./worker-link.js').StartWorker | undefined;
  /** The number of threads that the machine runs at once. */
  export const processors: () => number;
}

declare module '*.txt' {
  const text: string;
  export default text;
}
