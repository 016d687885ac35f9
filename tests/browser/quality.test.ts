/** Every page of the site once, the most varied ones in a real browser; `tests/slow/quality.test.ts` looks at every state of each. */
import { globSync, readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { theBrowser } from '../support/pages/browser.ts';
import { ROOT } from '../support/board/context.ts';
import { type Found, GATE_NAMES, type Gate, inspect, inspectText } from '../support/pages/gates.ts';
import { ask, forEachOf, look } from '../support/pages/looking.ts';
import { SATELLITE } from '../support/pages/satellite-views.ts';
import { type Site, aSite } from '../support/pages/site.ts';
import { LISTED_PAGES, viewsOf } from '../support/pages/site-views.ts';
import type { NamedView } from '../support/pages/view.ts';

const found = new Map<Gate, string[]>();
let browser: Browser;

beforeAll(async () => {
  browser = await theBrowser();
  const sites = await Promise.all([
    aSite({ operators: 12, states: true }),
    aSite({ operators: 0 }),
  ]);
  for (const site of sites) {
    const isInspected = ({ name, isFirst, act }: NamedView) =>
      isFirst && (!act || SAMPLES.includes(name));
    const views = viewsOf(site).filter(isInspected);
    await forEachOf(views, 2, async (view) => {
      for (const [gate, faults] of await faultsOf(site, view)) {
        found.set(gate, [...(found.get(gate) ?? []), ...faults]);
      }
    });
  }
  return () => Promise.all(sites.map((site) => site.stop()));
}, 600_000);

/** Pages that together contain every kind of component. The others are read without a browser here. */
const SAMPLES = [
  'front',
  'operator-identified',
  'review-identified',
  'metrics-yield',
  'hall-of-signal',
  'challenges',
  'challenges-complete',
  'compared-four',
  'submission-identified',
  'methodology-ranking',
  'science-intervals',
  'developers-protocol',
  'docs-join',
  'docs-searched',
  'problems',
  'nothing-here',
  'settings',
  'settings-sign-in',
  'admin',
  'admin-decisions',
  'admin-message',
  'admin-challenge',
  'admin-health',
  'invitation',
  'sign-in',
  'satellite',
  'empty-front',
  'setup',
  'board-failed',
];

/** The last gate, which runs all rules of axe in dark mode on a phone, also checks the contrast. */
const GATES = GATE_NAMES.filter((gate) => gate !== 'contrast');

/** A view that cannot be opened does not keep the others from being inspected. */
async function faultsOf(site: Site, view: NamedView): Promise<Found[]> {
  try {
    if (!SAMPLES.includes(view.name)) return await inspectText(await ask(site, view), view);
    const looked = await look(site, browser, view);
    const faults = await inspect(looked, view, GATES);
    await looked.close();
    return faults;
  } catch (error) {
    return [['status', [`${view.name}: ${String(error)}`]]];
  }
}

test('every page is looked at', () => {
  const folder = `${ROOT}src/pages/`;
  const files = globSync('**/*.astro', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
  // A part is looked at in the page that fetches it.
  const isPart = (file: string) => readFileSync(folder + file, 'utf8').includes('partial = true');
  const pages = files.filter((file) => !isPart(file));

  expect([...pages, SATELLITE].sort()).toEqual([...LISTED_PAGES].sort());
});

test.each<[string, Gate]>([
  ['answers as it should', 'status'],
  ['has no accessibility violation', 'accessibility'],
  ['is HTML without an error', 'html'],
  ['writes nothing on the console', 'console'],
  ['asks no other site for anything', 'requests'],
  ['has a strict policy, and keeps it', 'policy'],
  ['leads to places that are there', 'links'],
  ['is written in plain English', 'words'],
  ['tells all of it without script', 'script'],
  ['is told as Markdown as wide screens show it', 'twin'],
  ['moves nothing while it loads', 'shift'],
  ['has controls that a finger hits', 'targets'],
  ['does not scroll sideways on a wide screen', 'width'],
  ['does not scroll sideways on the smallest phone', 'overflow'],
  ['has no accessibility violation there, in the dark', 'phone'],
])('every page %s', (_, gate) => {
  expect(found.get(gate)).toEqual([]);
});
