import type { BoardEntry, ClassTier, UnrankedEntry, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** The contents of a badge. Operators without a public page are `unlisted`, whatever the reason. */
export interface BadgePlace {
  codename: string;
  metric: MetricName;
  window: WindowName;
  tool: string | null;
  tier: ClassTier;
  standing: BadgeStanding | 'unlisted' | 'unpublished' | 'unranked';
}

/** A rank, the conservative value that decides it, and its interval. */
export interface BadgeStanding {
  rank: number;
  /** The number of ranked operators. */
  total: number;
  conservative: BoardEntry['conservative'];
  interval: BoardEntry['interval'];
}

/** What a badge can show, and how it can look. The first of each is the default. */
export const BADGE_CONTENTS = ['rank', 'value', 'class'] as const;
export type BadgeContent = (typeof BADGE_CONTENTS)[number];
export const BADGE_STYLES = ['framed', 'flat', 'plain'] as const;
export type BadgeStyle = (typeof BADGE_STYLES)[number];

/** The choice of a badge's parameter; the first one if it is unknown. */
export function badgeChoice<Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  asked: string | null,
): Choice {
  return choices.find((choice) => choice === asked) ?? choices[0];
}

/** The path of an operator's badge. */
export function badgePath(codename: string): string {
  return `/badge/${codename}.svg`;
}

/** The path of the same for shields.io. */
export function shieldPath(codename: string): string {
  return `/shields/${codename}.json`;
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

/** The most rows of the small board that other sites show in a frame. */
export const MOST_EMBEDDED_ROWS = 10;

/** The contents of a social card, and of a small board. */
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
export interface OperatorCardFacts extends Omit<BadgePlace, 'standing' | 'tier'> {
  as_of: string;
  /** How many operators are ranked. */
  total: number;
  /** Null without tokens in the window. */
  entry: BoardEntry | UnrankedEntry | null;
}
