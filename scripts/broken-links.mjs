import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The links of a folder of HTML pages that lead to no file of it, or to no place of a page: a line each. The API reference checks its own. */
export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.html') && !path.startsWith('api'),
  );
  const text = new Map(pages.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const places = new Map();
  const placesOf = (path) => {
    const known = places.get(path);
    if (known !== undefined) return known;
    const found = new Set([...text.get(path).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => decoded(id)));
    places.set(path, found);
    return found;
  };
  const broken = [];
  for (const [path, html] of text) {
    for (const [, href] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^([a-z]+:|\/\/)/.test(href)) continue;
      const [file, place] = href.split('#');
      const target =
        file === '' ? path : posix.join(file.startsWith('/') ? '' : posix.dirname(path), file).replace(/^\//, '');
      const found = ['', '.html', '/index.html']
        .map((end) => `${target}${end}`)
        .find((each) => isFile(join(folder, each)));
      if (found === undefined) broken.push(`${path}: ${href}`);
      else if (place && text.has(found) && !placesOf(found).has(decoded(place))) broken.push(`${path}: ${href}`);
    }
  }
  return [...new Set(broken)];
}

function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}

function decoded(text) {
  return decodeURIComponent(text.replaceAll('&amp;', '&'));
}
