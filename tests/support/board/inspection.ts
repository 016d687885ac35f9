/** The checks of a page, each with a list of faults that should be empty. */
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import { HTML_RULES } from '../../../.config/html-validate.ts';
import { ROOT } from './context.ts';

/** The minified program, with a value at its end, because a page cannot return functions. */
const AXE = `${readFileSync(`${ROOT}node_modules/axe-core/axe.min.js`, 'utf8')};0`;

const validator = new HtmlValidate(HTML_RULES);

/** All rules of axe, including target size, which is off by default. */
export async function accessibilityFaults(page: Page, only?: readonly string[]): Promise<string[]> {
  // To inject it takes longer than to run it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true } },
    // No page has frames, and no frame may contain a page.
    iframes: false,
    ...(only && { runOnly: [...only] }),
  };
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(document, options),
    options,
  );
  return violations.flatMap(({ id, nodes }) => {
    return nodes.map(
      ({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`,
    );
  });
}

/** The faults that the HTML checker finds in a page as it was sent. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => {
    return messages.map(({ ruleId, message, line, selector }) => {
      return `${ruleId} at ${line}, ${selector}: ${message}`;
    });
  });
}

/** The elements beyond the right edge, which make the page scroll sideways. */
export async function overflowFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      return element.getBoundingClientRect().right > clientWidth + 0.5;
    });
    const names = wide.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 120));
    return [`${scrollWidth - clientWidth} px too wide at ${clientWidth}: ${names.join(' | ')}`];
  });
}

/** Controls that are too small for a finger. Links within lines of text are this high. */
export async function smallTargets(page: Page, least = 40): Promise<string[]> {
  return page.evaluate((height) => {
    const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
    const isInLine = (element: Element) => getComputedStyle(element).display === 'inline';
    const heightOf = (element: Element) => {
      const labels =
        'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : [];
      return Math.max(...[element, ...labels].map((part) => part.getBoundingClientRect().height));
    };
    return [...document.querySelectorAll(controls)]
      .filter((element) => element.checkVisibility() && !isInLine(element))
      .map((element) => [element, heightOf(element)] as const)
      .filter(([, is]) => is < height - 0.5)
      .map(([element, is]) => `${is.toFixed(1)} px high: ${element.outerHTML.slice(0, 120)}`);
  }, least);
}

/** What a page's content security policy allows although it must not. */
export function policyFaults(policy: string | undefined): string[] {
  if (policy === undefined) return ['no Content-Security-Policy'];
  const isStrict = policy.startsWith("default-src 'none'");
  const weak = policy.match(/'unsafe-[\w-]+'|'strict-dynamic'|https?:|\*/g) ?? [];
  return [...(isStrict ? [] : [`begins with ${policy.slice(0, 30)}`]), ...weak];
}
