import { spawn } from 'node:child_process';

/** Starts `plumecast serve` on a store; `said` receives what it says of errors. Returns its process and its address. */
export async function startServer(cli, store, { cwd, said }) {
  const child = spawn(process.execPath, [cli, 'serve', '--store', store, '--port', '0'], { cwd });
  let out = '';
  child.stderr.on('data', (data) => said(`the server says: ${data}`));
  for await (const data of child.stdout) {
    out += data;
    const address = /Serving .* at (http:\S+)/.exec(out)?.[1];
    if (address !== undefined) return { child, address };
  }
  throw new Error(`the server did not start: ${out}`);
}
