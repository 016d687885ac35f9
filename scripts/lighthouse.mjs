// Runs Lighthouse on the most visited pages, as on a phone and on a desktop.
//   node scripts/lighthouse.mjs
// Prints a table. Fails if a category is below 100, and lists what it misses.
import lighthouse from 'lighthouse';
import desktop from 'lighthouse/core/config/desktop-config.js';
import { launchBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { ensureNode } from './runtime.mjs';

const PAGES = {
  board: '/',
  operator: '/operators/synthetic-otter',
  methodology: '/methodology',
  satellite: '/satellite/',
};
const PROFILES = { phone: undefined, desk: desktop };
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo', 'agentic-browsing'];
const PORT = 9333;

await ensureNode();
await build();
const { withSite } = await import('./synthetic-site.mjs');

// Lighthouse checks the tools of pages only if the browser supports WebMCP.
const browser = await launchBrowser(`--remote-debugging-port=${PORT}`, '--enable-features=WebMCP');
const rows = [];
const missed = [];
try {
  await withSite({ operators: 60 }, async ({ url }) => {
    for (const [name, path] of Object.entries(PAGES)) {
      for (const [profile, config] of Object.entries(PROFILES)) {
        await measure(`${name}, ${profile}`, url + path, config);
      }
    }
  });
} finally {
  await browser.close();
}
console.table(Object.fromEntries(rows));
for (const line of missed) console.error(line);
process.exitCode = missed.length > 0 ? 1 : 0;

async function measure(name, url, config) {
  const options = { port: PORT, logLevel: 'error', onlyCategories: CATEGORIES };
  const { lhr } = await lighthouse(url, options, config);
  const scores = CATEGORIES.map((id) => [id, Math.round(lhr.categories[id].score * 100)]);
  const paint = lhr.audits['largest-contentful-paint'].displayValue;
  rows.push([name, { ...Object.fromEntries(scores), 'largest paint': paint }]);
  for (const [id, score] of scores) {
    if (score < 100) missed.push(...missesOf(lhr, id).map((text) => `${name}: ${text}`));
  }
}

/** The audits that cost a category points. */
function missesOf({ categories, audits }, id) {
  const lost = categories[id].auditRefs.filter(({ id: audit, weight }) => {
    const { score } = audits[audit];
    return weight > 0 && score !== null && score < 1;
  });
  return lost.map(({ id: audit }) => {
    const { title, displayValue = '' } = audits[audit];
    return `${id}: ${title} ${displayValue}`;
  });
}
