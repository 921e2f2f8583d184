/** The commands of `run-files.ts`: `main.ts` looks for them before it loads any command. */
export const FILE_COMMANDS = ['climatology', 'convert', 'verify', 'inspect'];
