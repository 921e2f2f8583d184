/** Lints the OpenAPI document of the built package with Redocly's recommended rules. */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../dist/service.js';

/** The paths about the service itself reject no request. */
const config = { extends: ['recommended'], rules: { 'operation-4xx-response': 'off' } };

await mkdir('build/openapi', { recursive: true });
await writeFile('build/openapi/openapi.json', JSON.stringify(openApiDocument(), undefined, 2));
await writeFile('build/openapi/redocly.yaml', JSON.stringify(config));

const { status } = spawnSync('npx', ['redocly', 'lint', 'openapi.json', '--config', 'redocly.yaml'], {
  cwd: 'build/openapi',
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
});
process.exitCode = status ?? 1;
