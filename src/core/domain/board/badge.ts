import type { BoardEntry, UnrankedEntry, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** The contents of a badge. Operators without a public page are `unlisted`, whatever the reason. */
export interface BadgePlace {
  codename: string;
  metric: MetricName;
  window: WindowName;
  tool: string | null;
  standing: BadgeStanding | 'unlisted' | 'unpublished' | 'unranked';
}

/** A rank and its value. */
export interface BadgeStanding {
  rank: number;
  /** The number of ranked operators. */
  total: number;
  value: number | null;
}

/** The path of an operator's badge. */
export function badgePath(codename: string): string {
  return `/badge/${codename}.svg`;
}

/** The path of an operator's preview picture. */
export function cardPath(codename: string): string {
  return `/cards/${codename}.png`;
}

/** The path of the preview picture of a year in review. */
export function yearCardPath(codename: string, year: string): string {
  return `/cards/${codename}/${year}.png`;
}

/** The address of an operator's page. */
export function operatorPage(baseUrl: string, codename: string): string {
  return `${baseUrl}/operators/${codename}`;
}

/** Markdown for a README: the badge, linked to the operator's page. */
export function badgeMarkdown(baseUrl: string, codename: string): string {
  const alternative = `${codename} on ${new URL(baseUrl).host}`;
  const page = operatorPage(baseUrl, codename);
  return `[![${alternative}](${baseUrl}${badgePath(codename)})](${page})`;
}

/** The contents of the front page's social card. */
export interface SocialCardFacts {
  window: WindowName;
  metric: MetricName;
  /** Null for all tools together. */
  tool: string | null;
  /** The tools that have boards of their own. */
  tools: string[];
  as_of: string;
  /** How many operators are ranked, and how many are not. */
  total: number;
  unranked: number;
  /** The first ranked operators. */
  entries: readonly BoardEntry[];
}

/** The contents of an operator's social card. */
export interface OperatorCardFacts extends Omit<BadgePlace, 'standing'> {
  as_of: string;
  /** How many operators are ranked. */
  total: number;
  /** Null without tokens in the window. */
  entry: BoardEntry | UnrankedEntry | null;
}
