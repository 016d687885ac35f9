/** A served board of invented operators, as quality gates look at it. */
import { serveSite } from '../../../scripts/synthetic-site.mjs';

export interface Site {
  url: string;
  dataDir: string;
  /** Who is in which state, and what they sent last; null if nobody is in any. */
  states: {
    codenames: Readonly<Record<string, string>>;
    submissions: Readonly<Record<string, string>>;
  } | null;
  /** The cookie that signs an operator of the board in. */
  cookieOf(codename: string): Promise<{ name: string; value: string; url: string }>;
  /** The address that makes an operator and signs it in. */
  newLoginLink(): string;
  stop(): Promise<void>;
}

/** Fills a board and serves it until its `stop`. */
export async function aSite(people: { operators: number; states?: boolean }): Promise<Site> {
  return (await serveSite(people)) as Site;
}
