import { escapeMarkup } from './escape-markup.js';
import { type PageFile, pageFile, readPageFolder } from './page-files.js';

/**
 * The explorer computes with WebAssembly, and connects to addresses that its reader enters. Its style sheet is its own;
 * pictures in it have style sheets of their own.
 */
export const EXPLORER_POLICY = [
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:; connect-src 'self' http: https:; worker-src 'self' blob:",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** What the explorer is told of the server that it comes from. */
interface ExplorerServer {
  readonly basePath: string;
  readonly docs: boolean;
  readonly key: string | undefined;
}

/** The files of the explorer by their paths; a page with links where the package was built without it. */
export async function explorerFiles(server: ExplorerServer): Promise<ReadonlyMap<string, PageFile>> {
  const { basePath, key } = server;
  const built = await readPageFolder('explorer');
  const files = new Map([...(built ?? [])].map(([path, file]) => [`/${path}`, file]));
  const config = { server: `${basePath}/`, key: key ?? null, file: null };
  files.set('/explorer.json', pageFile('explorer.json', JSON.stringify(config)));
  files.set('/', files.get('/index.html') ?? pageFile('index.html', startPage(server)));
  return files;
}

function startPage({ basePath, docs }: ExplorerServer): string {
  const links = [
    ...(docs ? [['/docs', 'API reference']] : []),
    ['/openapi.json', 'OpenAPI document'],
    ['/health', 'Health'],
  ].map(([path, name]) => `<li><a href="${escapeMarkup(basePath + path)}">${name}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>plumecast</title>
<link rel="icon" href="data:,">
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>
</head>
<body>
<h1>plumecast</h1>
<p>A service of probabilistic weather.</p>
<ul>
${links.join('\n')}
</ul>
</body>
</html>
`;
}
