import type { BoardEntry, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** What a badge shows. Whoever has no page is `unlisted`, whatever the reason. */
export interface BadgePlace {
  codename: string;
  metric: MetricName;
  window: WindowName;
  tool: string | null;
  standing: BadgeStanding | 'unlisted' | 'unpublished' | 'unranked';
}

/** A rank, and what it was reached with. */
export interface BadgeStanding {
  rank: number;
  /** How many are ranked. */
  total: number;
  value: number | null;
}

/** The address of the picture that shows where an operator stands. */
export function badgePath(codename: string): string {
  return `/badge/${codename}.svg`;
}

/** The address of an operator's page. */
export function operatorPage(baseUrl: string, codename: string): string {
  return `${baseUrl}/operators/${codename}`;
}

/** What a README shows an operator's place with: the picture, which leads to the operator's page. */
export function badgeMarkdown(baseUrl: string, codename: string): string {
  const alternative = `${codename} on ${new URL(baseUrl).host}`;
  const page = operatorPage(baseUrl, codename);
  return `[![${alternative}](${baseUrl}${badgePath(codename)})](${page})`;
}

/** What the picture of the front page shows. */
export interface SocialCardFacts {
  window: WindowName;
  metric: MetricName;
  /** Null for all tools together. */
  tool: string | null;
  /** The tools that have boards of their own. */
  tools: string[];
  as_of: string;
  /** How many are ranked, and how many are not. */
  total: number;
  unranked: number;
  /** The first of those who are ranked. */
  entries: readonly BoardEntry[];
}
