import { render } from 'preact';
import { loadCore } from '../core/load.js';
import { styleSheet } from '../plot/theme.js';
import { App } from './app.js';
import { readConfig } from './config.js';
import { errorText } from './error-text.js';

/** The style sheets of pictures, as constructed ones: the page's policy allows no style elements. */
function adoptPictureStyles(): void {
  const sheets = (['light', 'dark'] as const).map((theme) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styleSheet(theme));
    return sheet;
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];
}

const root = document.getElementById('explorer') as HTMLElement;
adoptPictureStyles();
try {
  const [core, config] = await Promise.all([loadCore(), readConfig()]);
  root.replaceChildren();
  render(<App core={core} config={config} />, root);
} catch (error) {
  const words = document.createElement('p');
  words.className = 'starting';
  words.textContent = errorText(error);
  root.replaceChildren(words);
}
