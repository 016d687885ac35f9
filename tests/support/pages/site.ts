/** A served board of invented operators, for the quality gates. */
import { serveSite } from '../../../scripts/synthetic-site.mjs';

export interface Site {
  url: string;
  dataDir: string;
  /** The operators by state, with their last submissions; null if there are none. */
  states: {
    codenames: Readonly<Record<string, string>>;
    submissions: Readonly<Record<string, string>>;
  } | null;
  /** The cookie that signs an operator of the board in. */
  cookieOf(codename: string): Promise<{ name: string; value: string; url: string }>;
  /** The address that creates an operator and signs them in. */
  newLoginLink(): string;
  /** An invitation to the board. This and the links below need operators in all states. */
  newInvitation(): string;
  /** The link with which a member confirms an email address. */
  newConfirmation(): Promise<string>;
  /** The link with which a member stops one kind of email. */
  newUnsubscribeLink(): string;
  stop(): Promise<void>;
}

/** Fills a board and serves it until `stop` is called. */
export async function aSite(people: { operators: number; states?: boolean }): Promise<Site> {
  return (await serveSite(people)) as Site;
}
