import type { AppContext } from '#server/context.ts';
import { boundBrowser } from './browser.ts';
import { sha256Hex } from '#server/process/crypto.ts';

/** What an emailed link would do. */
interface MailLinkView {
  /** The mailbox, masked. */
  label: string;
  /** The account that the mailbox is linked to; null for a sign-in. */
  codename: string | null;
  /** Whether this is the browser that requested the link. */
  isHere: boolean;
}

/** An email that this browser waits for, and the code for another browser. */
interface AwaitedMail {
  label: string;
  code: string | null;
  expires_at: string;
}

/** What an emailed link would do in this browser; null if it is not valid. Does not use the link. */
export function readMailLink(
  { config, store, now }: AppContext,
  token: string,
  cookieHeader: string | null,
): MailLinkView | null {
  const link = store.mailLinks.byToken(sha256Hex(token), now().toISOString());
  if (!link) return null;
  const { label, operator_id, browser_hash } = link;
  const operator = operator_id === null ? undefined : store.operators.byId(operator_id);
  const isHere = boundBrowser(cookieHeader, config.baseUrl)?.browser_hash === browser_hash;
  return { label, codename: operator?.codename ?? null, isHere };
}

/** The last email that this browser requested, while its link is valid. */
export function readAwaitedMail(
  { config, store, now }: AppContext,
  cookieHeader: string | null,
): AwaitedMail | null {
  const browser = boundBrowser(cookieHeader, config.baseUrl);
  const link = browser && store.mailLinks.newestOf(browser.browser_hash, now().toISOString());
  if (!link) return null;
  const { label, operator_id, token_hash, expires_at } = link;
  // Only the browser that requested the link can link a mailbox, so there is no code.
  const code = operator_id === null ? browser.codeFor(token_hash) : null;
  return { label, code, expires_at };
}
