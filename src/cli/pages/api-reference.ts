import { ACCESSIBLE_SCRIPT } from './accessible-reference.js';
import { escapeMarkup } from './escape-markup.js';
import { type PageFile, pageFile, readPageFolder } from './page-files.js';

/** Swagger UI writes styles into its page, and has images in its style sheet; it connects to the service alone. */
export const API_REFERENCE_POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** What the reference is about. */
interface ReferenceOptions {
  readonly basePath: string;
  /** The key to try requests with, if it is public. */
  readonly key: string | undefined;
}

/**
 * The files of the API reference by their paths: Swagger UI, which is in the package, with the service's OpenAPI
 * document. None where the package was built without it.
 */
export async function apiReference({ basePath, key }: ReferenceOptions): Promise<ReadonlyMap<string, PageFile>> {
  const built = await readPageFolder('api-reference');
  if (built === undefined) return new Map();
  const files = new Map([...built].map(([path, file]) => [`/docs/${path}`, file]));
  const page = pageFile('index.html', referencePage(basePath));
  const start = pageFile('start.js', startScript(basePath, key));
  return files.set('/docs', page).set('/docs/', page).set('/docs/start.js', start);
}

const LIGHT = 'html:not(.dark-mode) .swagger-ui';

/** Less blank space, words of groups below their names on a phone, and colours with contrast enough to be read. */
const STYLE = [
  'body{margin:0}',
  '.swagger-ui .info{margin:20px 0}.swagger-ui .scheme-container{margin:0;padding:12px 0}',
  `${LIGHT} .btn.authorize{color:#1d7a4c;border-color:#1d7a4c}${LIGHT} .btn.authorize svg{color:#1d7a4c}`,
  `${LIGHT} .info .title small{background:#5f6675}${LIGHT} .info .title small.version-stamp{background:#4d6b00}`,
  `${LIGHT} .info a,${LIGHT} .info .url{color:#1f66c1}`,
  `${LIGHT} .opblock-get .opblock-summary-method,${LIGHT} .btn.execute{background:#1f66c1;border-color:#1f66c1}`,
  `${LIGHT} .btn.cancel{color:#b92c2c;border-color:#b92c2c}${LIGHT} .parameter__in{color:#5c5c5c}`,
  '.swagger-ui .download-contents{background:#5f6675}',
  'html.dark-mode .swagger-ui td.header-col{color:#e4e6e6}',
  // Numbers in examples have a colour of their own in each element.
  '.swagger-ui .microlight span[style*="211, 99, 99"]{color:#f29a9a!important}',
  '@media(max-width:600px){.swagger-ui .opblock-tag{flex-wrap:wrap}',
  '.swagger-ui .opblock-tag small{order:3;flex-basis:100%;padding:4px 0 0}}',
].join('');

function referencePage(basePath: string): string {
  const base = escapeMarkup(`${basePath}/docs`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>plumecast API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The OpenAPI document is at ${escapeMarkup(basePath)}/openapi.json.</noscript>
<script src="${base}/swagger-ui-bundle.js"></script>
<script src="${base}/start.js"></script>
</body>
</html>
`;
}

/** Without the validator, which is another server; dark where the reader's system is. */
function startScript(basePath: string, key: string | undefined): string {
  const options = {
    url: `${basePath}/openapi.json`,
    ...{ dom_id: '#reference', deepLinking: true, tryItOutEnabled: true, validatorUrl: null },
    defaultModelsExpandDepth: 0,
  };
  const authorize = key === undefined ? '' : `ui.preauthorizeApiKey('key', ${JSON.stringify(key)})`;
  return [
    `document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);`,
    ACCESSIBLE_SCRIPT,
    `const ui = SwaggerUIBundle({ ...${JSON.stringify(options)}, plugins: [plainPaths], onComplete: () => { ${authorize} } });`,
    '',
  ].join('\n');
}
