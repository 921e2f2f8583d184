import { existsSync } from 'node:fs';

/** A version of Node, and why it is not there, if so. */
export interface NodeVersion {
  readonly major: number;
  readonly binary: string;
  readonly absent: string | undefined;
}

const [present] = process.versions.node.split('.').map(Number);

/** The Node that runs the tests, and others, where variables name their binaries. */
export const nodes: readonly NodeVersion[] = [
  { major: present, binary: process.execPath, absent: undefined },
  ...[22, 24]
    .filter((major) => major !== present)
    .map((major) => {
      const variable = `PLUMECAST_NODE_${major}`;
      const binary = process.env[variable] ?? '';
      const absent = binary ? `${variable} names no file: ${binary}` : `${variable} is not set`;
      return { major, binary, absent: existsSync(binary) ? undefined : absent };
    }),
];
