/** What a keeper makes a board their own with: its name, words, links and look. */
export interface Site {
  name: string;
  /** What the board is, in a sentence or two. */
  description: string;
  /** Where the keeper leads readers from the foot of every page. */
  links: readonly SiteLink[];
  /** The address of the keeper's picture beside the name; null for none. */
  logo: string | null;
  /** The address of the keeper's colours and style; null for none. */
  stylesheet: string | null;
}

export interface SiteLink {
  label: string;
  href: string;
}

export const DEFAULT_DESCRIPTION =
  'A leaderboard for people who work with AI assistants: every rank can be recomputed from a signed log, and every number says how sure it is.';
