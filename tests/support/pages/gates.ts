/** The checks for every view of a site, each with a name. */
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
import { type Look, type Sent, notedIn } from './looking.ts';
import type { NamedView } from './view.ts';

export type Gate = keyof typeof GATES;
/** The faults that a gate found. */
export type Found = [gate: Gate, faults: string[]];

/** The checks that need no browser. */
const TEXT_GATES = {
  status: ({ status }: Sent, { status: expected = 200 }: NamedView) =>
    status === expected ? [] : [`answers ${status}, not ${expected}`],
  html: ({ html }: Sent) => htmlFaults(html),
  words: ({ html }: Sent) => expressionsIn(shownText(html)),
} satisfies Record<string, (sent: Sent, view: NamedView) => string[] | Promise<string[]>>;

/** The checks of a view, in this order: first in light mode, then in dark mode, finally on the smallest phone. */
const GATES = {
  ...TEXT_GATES,
  accessibility: ({ page }: Look) => accessibilityFaults(page),
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
  phone: async ({ page }: Look) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    return accessibilityFaults(page);
  },
} satisfies Record<string, (looked: Look, view: NamedView) => string[] | Promise<string[]>>;

export const GATE_NAMES = Object.keys(GATES) as Gate[];

/** What a page without scripts does not show, except the navigation. */
async function scriptFaults(looked: Look, { act, isLive = false }: NamedView): Promise<string[]> {
  if (act || !looked.html.includes('<script')) return [];
  const shown = (text: string) => (isLive ? text.replaceAll(/\d[\d.,]*/gu, '0') : text);
  const plain = await looked.again({ script: false });
  const without = shown(await textOf(plain.page));
  await plain.close();
  if (shown(await textOf(looked.page)) === without) return [];
  // "2 minutes ago" can become "3 minutes ago" in between.
  const again = await looked.again({});
  const withScript = shown(await textOf(again.page));
  await again.close();
  return withScript === without ? [] : [`without script: ${without.slice(0, 500)}`];
}

function textOf(page: Page): Promise<string> {
  return page.locator('main').evaluate((main) => {
    main.querySelectorAll('[data-your-rank], button.copy').forEach((slot) => slot.remove());
    // A script shows recent times as "5 minutes ago", with the full time in the title.
    main.querySelectorAll('time').forEach((time) => {
      if (time.title.endsWith(' UTC')) time.textContent = time.title;
    });
    // A script shows these one after another.
    main.querySelectorAll('[data-slide]').forEach((slide) => slide.classList.add('shown'));
    return (main as HTMLElement).innerText;
  });
}

/** If it is wide enough for every column, a page shows everything that its Markdown version contains. */
const WIDE = { width: 1440, height: 800 };
/** What Markdown versions never contain, whether a screen shows it or not. */
const NO_TEXT =
  'datalist, details:has(form), form, nav, noscript, script, style, svg, template, [data-your-rank], [hidden]';

/** What the conversion to Markdown does not recognize by its class: elements hidden on wide screens, and intervals. */
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

/** The faults of a view found by these gates. */
export async function inspect(
  looked: Look,
  view: NamedView,
  gates: readonly Gate[],
): Promise<Found[]> {
  const found: Found[] = [];
  for (const gate of gates) found.push(named(gate, view, await GATES[gate](looked, view)));
  return found;
}

/** The faults of a page found without a browser. */
export async function inspectText(sent: Sent, view: NamedView): Promise<Found[]> {
  const found: Found[] = [];
  for (const gate of Object.keys(TEXT_GATES) as (keyof typeof TEXT_GATES)[]) {
    found.push(named(gate, view, await TEXT_GATES[gate](sent, view)));
  }
  return found;
}

function named(gate: Gate, { name }: NamedView, faults: readonly string[]): Found {
  return [gate, faults.map((fault) => `${name}: ${fault}`)];
}

/** The browser itself reports the status of a page that should fail. */
function isOfStatus(text: string, status: number): boolean {
  return (
    status >= 400 &&
    text.startsWith(`Failed to load resource: the server responded with a status of ${status}`)
  );
}
