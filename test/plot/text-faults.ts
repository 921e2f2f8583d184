import type { Page } from 'playwright-core';

/** What is wrong with the texts of pictures in a page: smaller than 11 pixels, cut at an edge, or over each other. */
export function textFaults(page: Page, pictures: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const faults: string[] = [];
    const roots = [document, ...[...document.querySelectorAll('plume-chart')].map((each) => each.shadowRoot)];
    for (const svg of roots.flatMap((root) => [...(root?.querySelectorAll(selector) ?? [])])) {
      const frame = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll('text')].map((each) => ({
        name: `"${each.textContent}"`,
        box: each.getBoundingClientRect(),
        size: Number.parseFloat(getComputedStyle(each).fontSize),
      }));
      if (texts.length < 3) faults.push(`${texts.length} texts`);
      for (const [i, { name, box, size }] of texts.entries()) {
        if (size < 11) faults.push(`${name} is ${size} pixels high`);
        const isCut = box.left < frame.left - 0.5 || box.right > frame.right + 0.5;
        if (isCut || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5) faults.push(`${name} is cut`);
        for (const other of texts.slice(i + 1)) {
          const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
          // Boxes of lines are higher than their letters.
          const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
          if (width > 1 && height > 3) faults.push(`${name} covers ${other.name}`);
        }
      }
    }
    return faults;
  }, pictures);
}
