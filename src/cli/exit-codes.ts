/** The exit codes of all commands, in the order of the table in the help and in docs/command.md. */
export const EXIT_CODES = {
  done: { code: 0, text: 'done; also where a signal ends explore, serve, fetch --watch or worker --socket' },
  failed: { code: 1, text: 'failed: nothing was made, or the work ended at the first failure' },
  usage: { code: 2, text: 'the command line was not understood; nothing was done' },
  partly: { code: 3, text: 'done with failures: each is named, all other work is complete' },
  interrupted: { code: 130, text: 'interrupted by SIGINT, as Ctrl-C sends it (SIGTERM: 143, SIGHUP: 129)' },
} as const;

/** The table of exit codes, with a line for each. */
export function exitCodeTable(): string {
  const lines = Object.values(EXIT_CODES).map(({ code, text }) => `  ${String(code).padEnd(5)}${text}`);
  return `Exit codes:\n${lines.join('\n')}`;
}

/**
 * The exit code of work of several parts that goes on after a failure. Where nothing was done, it has failed.
 */
export function codeOfParts(parts: { readonly done: number; readonly failed: number }): number {
  const { done, failed } = parts;
  if (failed === 0) return EXIT_CODES.done.code;
  return done > 0 ? EXIT_CODES.partly.code : EXIT_CODES.failed.code;
}
