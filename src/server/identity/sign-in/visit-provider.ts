import { returnPath } from '#core/domain/account/return-path.ts';
import type { AppContext } from '#server/context.ts';
import { beginSignIn } from '../provider/relying-party.ts';
import { setTransaction } from './transaction-cookie.ts';
import { CALLBACK_PATH, type SignedIn } from './sign-in.ts';

/** Where to go after signing in, if nothing else was asked for. */
const SETTINGS = '/settings';

/** The path of this board that was asked for; the settings if that was none. */
export function whereTo(returnTo: string | null): string {
  return returnPath(returnTo ?? '') ?? SETTINGS;
}

/**
 * Sends a browser to the provider to sign in.
 *
 * @throws {DomainError} `method_unavailable` if the provider does not answer.
 */
export async function visitProvider(
  { provider, config: { baseUrl } }: AppContext,
  returnTo: string | null,
): Promise<SignedIn> {
  const callback = baseUrl + CALLBACK_PATH;
  const { authority } = provider;
  const { location, transaction } = await beginSignIn(authority, callback, whereTo(returnTo));
  return { location, cookies: [setTransaction(transaction, baseUrl)] };
}
