/** Modules that a page has: the bundle of the library. */
const IMPORT = /^import\s*\{[^}]*\}\s*from\s*'([^']+)';?$/gm;

/** Puts a button beside each example of JavaScript that imports plumecast alone, by which readers run it on the page. */
export function runnableFences(markdown) {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest);
    const { info, content } = tokens[index];
    return info.trim() === 'js' && isRunnable(content)
      ? `<RunnableExample code="${encodeURIComponent(content).replaceAll("'", '%27')}">${html}</RunnableExample>`
      : html;
  };
}

function isRunnable(code) {
  const modules = [...code.matchAll(IMPORT)].map(([, name]) => name);
  const isPage = (name) =>
    /^plumecast(\/(arrays|calendar|client|demo|element|fao56|files|plot|skill|units))?$/.test(name);
  return modules.length > 0 && modules.every(isPage) && !/\bprocess\.|\bimport\(|\breadFile|node:/.test(code);
}
