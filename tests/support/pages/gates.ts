/** What is asked of every view of a site, each by a name. */
import type { Page } from 'playwright-core';
import { INTERVAL, NARROW } from '#server/markdown/tree.ts';
import {
  accessibilityFaults,
  htmlFaults,
  overflowFaults,
  policyFaults,
  smallTargets,
} from '../board/inspection.ts';
import { expressionsIn } from '../text/expressions.ts';
import { shownText } from '../text/shown-text.ts';
import { linkFaults } from './links.ts';
import { type Look, notedIn } from './looking.ts';
import type { NamedView } from './view.ts';

export type Gate = keyof typeof GATES;
/** The faults that a gate found. */
export type Found = [gate: Gate, faults: string[]];

/** What is asked of a view, in this order: it is looked at in light, then in the dark, at last on the smallest phone. */
const GATES = {
  status: ({ status }: Look, { status: expected = 200 }: NamedView) =>
    status === expected ? [] : [`answers ${status}, not ${expected}`],
  accessibility: ({ page }: Look) => accessibilityFaults(page),
  html: ({ html }: Look) => htmlFaults(html),
  targets: ({ page }: Look) => smallTargets(page),
  width: ({ page }: Look) => overflowFaults(page),
  shift: async ({ page }: Look) => {
    const { shift } = await notedIn(page);
    return shift > 0 ? [`shifts by ${shift}`] : [];
  },
  policy: async ({ page, policy }: Look) => [
    ...policyFaults(policy),
    ...(await notedIn(page)).violations,
  ],
  console: ({ misdeeds }: Look, { status = 200 }: NamedView) =>
    misdeeds.console.filter((text) => !isOfStatus(text, status)),
  requests: ({ misdeeds }: Look) => misdeeds.foreign,
  links: linkFaults,
  words: ({ html }: Look) => expressionsIn(shownText(html)),
  script: scriptFaults,
  twin: twinFaults,
  contrast: async ({ page }: Look) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    return accessibilityFaults(page, ['color-contrast']);
  },
  overflow: async ({ page }: Look) => {
    await page.setViewportSize({ width: 320, height: 640 });
    return overflowFaults(page);
  },
  phone: ({ page }: Look) => accessibilityFaults(page),
} satisfies Record<string, (looked: Look, view: NamedView) => string[] | Promise<string[]>>;

export const GATE_NAMES = Object.keys(GATES) as Gate[];

/** What a page without script does not tell, besides where the visitor stands. */
async function scriptFaults(looked: Look, { act }: NamedView): Promise<string[]> {
  if (act || !looked.html.includes('<script')) return [];
  const plain = await looked.again({ script: false });
  const [withScript, without] = await Promise.all([textOf(looked.page), textOf(plain.page)]);
  await plain.close();
  return withScript === without ? [] : [`without script: ${without.slice(0, 500)}`];
}

function textOf(page: Page): Promise<string> {
  return page.locator('main').evaluate((main) => {
    main.querySelectorAll('[data-your-rank], button.copy').forEach((slot) => slot.remove());
    return (main as HTMLElement).innerText;
  });
}

/** Where it is wide enough for every column, a page shows all that its twin as Markdown would tell. */
const WIDE = { width: 1440, height: 800 };
/** What no twin tells, whether a screen shows it or not. */
const NO_TEXT =
  'datalist, details:has(form), form, nav, noscript, script, style, svg, template, [data-your-rank], [hidden]';

/** What the conversion to Markdown does not know by its class: what wide screens show nothing of, and intervals. */
async function twinFaults({ page }: Look): Promise<string[]> {
  const usual = page.viewportSize() ?? WIDE;
  await page.setViewportSize(WIDE);
  const known = [NO_TEXT, ...[...NARROW, INTERVAL].map((name) => `.${name}`)].join(', ');
  const unknown = await page.locator('main *').evaluateAll((elements, known) => {
    const isUnknown = (element: Element) => {
      const text = element.textContent.trim();
      const isHidden = getComputedStyle(element).display === 'none';
      const isInterval = element.matches('td > span') && /^[\d.,e-]+ to\s[\d.,e-]+$/.test(text);
      return text !== '' && (isHidden || isInterval) && !element.closest(known);
    };
    return elements.filter(isUnknown).map(({ outerHTML }) => outerHTML.slice(0, 200));
  }, known);
  await page.setViewportSize(usual);
  return unknown.map((html) => `the conversion to Markdown does not know ${html}`);
}

/** What is wrong with a view in these respects. */
export async function inspect(
  looked: Look,
  view: NamedView,
  gates: readonly Gate[],
): Promise<Found[]> {
  const found: Found[] = [];
  for (const gate of gates) {
    const faults = await GATES[gate](looked, view);
    found.push([gate, faults.map((fault) => `${view.name}: ${fault}`)]);
  }
  return found;
}

/** The browser itself reports the status of a page that is meant to be refused. */
function isOfStatus(text: string, status: number): boolean {
  return (
    status >= 400 &&
    text.startsWith(`Failed to load resource: the server responded with a status of ${status}`)
  );
}
