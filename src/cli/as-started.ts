/** A command `plumecast ...` as it can be typed where this one was: behind `npx` where that started it. */
export function asStarted(command: string): string {
  const { npm_command: npm, npm_lifecycle_script: script = '' } = process.env;
  return npm === 'exec' && /^['"]?plumecast\b/.test(script) ? `npx ${command}` : command;
}
