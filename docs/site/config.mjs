import { runnableFences } from './runnable-fences.mjs';
import { sidebar } from './sidebar.mjs';

/** Places of pages are named as GitHub names them, so that links are the same in both. */
const slugify = (title) =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The site: `scripts/build-site.mjs` puts its pages together, and builds it. */
export default {
  title: 'plumecast',
  description: 'Ensemble weather data in, probabilistic weather out',
  lang: 'en',
  base: process.env.PLUMECAST_SITE_BASE ?? '/',
  cleanUrls: false,
  lastUpdated: false,
  // Files beside the pages; the build checks all links once more, with their places.
  ignoreDeadLinks: [/^\/mounting\//],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    config: runnableFences,
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    outline: 'deep',
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/start-meteorologist' },
      { text: 'Cookbook', link: '/cookbook/' },
      { text: 'Guide', link: '/statistics' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      { text: 'Changes', link: '/changelog' },
    ],
    sidebar,
    docFooter: { prev: 'Before', next: 'Next' },
  },
};
