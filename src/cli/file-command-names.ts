/** The commands that only work on files: `main.ts` looks for them before it loads any command. */
export const FILE_COMMANDS = ['stats', 'batch', 'merge', 'blend', 'climatology', 'convert', 'verify', 'inspect'];
