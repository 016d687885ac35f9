/** The checks of a page, each with a list of faults that should be empty. */
import { AxeBuilder } from '@axe-core/playwright';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import { HTML_RULES } from '../../../.config/html-validate.ts';

const validator = new HtmlValidate(HTML_RULES);

/** All rules of axe, including target size, which is off by default. */
export async function accessibilityFaults(page: Page, only?: readonly string[]): Promise<string[]> {
  // No page has frames, and no frame may contain a page, so the checks of frames would only take time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const rules = { 'target-size': { enabled: true } };
  const runOnly = only && { runOnly: [...only] };
  const { violations } = await axe
    .options({ rules, resultTypes: ['violations'], ...runOnly })
    .analyze();
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
