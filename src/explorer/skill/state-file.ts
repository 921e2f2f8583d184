import type { Given, GivenFile } from '../data/file-origin.js';

/** How the state of a verification begins, as `plumecast verify --state` writes it. */
const HEAD = '{"format":"plumecast verification"';

/** Files that the reader opens: states of verifications, and others. */
export async function statesApart(files: readonly Given[]): Promise<{ states: GivenFile[]; others: Given[] }> {
  const [states, others]: [GivenFile[], Given[]] = [[], []];
  for (const file of files) {
    if (!('store' in file) && (await isState(file))) states.push(file);
    else others.push(file);
  }
  return { states, others };
}

/** Whether a file is a state; what cannot be read is none, and an error where it is opened. */
async function isState({ content }: GivenFile): Promise<boolean> {
  const head = await content
    .slice(0, HEAD.length)
    .text()
    .catch(() => '');
  return head === HEAD;
}
