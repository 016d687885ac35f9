import * as oauth from 'oauth4webapi';
import { type Access, type PeersAnswer, type RefusedAnswer, peersAnswerOf } from './answers.ts';
import {
  MisplacedError,
  type SigningIn,
  type Tab,
  UnaskedError,
  arriveFromSignIn,
  leaveForSignIn,
  polite,
} from './sign-in.ts';

/** The tab of this page. */
export const browserTab: Tab = {
  address: () => new URL(location.href),
  rename: (address) => history.replaceState(null, '', address),
  leave: (address) => location.assign(address),
  // Throws if the browser blocks site data.
  storage: () => sessionStorage,
  fetch: (address, init) => fetch(address, init),
};

/**
 * Access on another host: the token stays in this page's memory. If a sign-in fails, the next answer reports the
 * reason once.
 */
export function tokenAccess(way: SigningIn, tab: Tab): Access {
  let refusal: RefusedAnswer | null = null;
  const failed = (error: unknown) => {
    refusal = refusalOf(error, way);
    return null;
  };
  let token = arriveFromSignIn(way, tab).catch(failed);
  return {
    async peers(query) {
      const held = await token;
      if (held === null) {
        const told = refusal;
        refusal = null;
        return told ? { kind: 'refused', refusal: told } : { kind: 'signed-out' };
      }
      const answer = await askForPeers(way, { query, token: held, tab });
      if (answer.kind === 'signed-out') token = Promise.resolve(null);
      return answer;
    },
    signIn: () =>
      leaveForSignIn(way, tab)
        .catch(failed)
        .then(() => undefined),
  };
}

interface Question {
  query: URLSearchParams;
  token: string;
  tab: Tab;
}

function askForPeers({ board }: SigningIn, { query, token, tab }: Question): Promise<PeersAnswer> {
  const address = `${board}/api/v1/peers${query.size > 0 ? `?${query}` : ''}`;
  const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` };
  return peersAnswerOf(tab.fetch(address, polite({ headers })));
}

/** The error for the person. It never contains text from the URL. */
function refusalOf(error: unknown, { board, client }: SigningIn): RefusedAnswer {
  const code = 'sign_in_failed';
  const title = 'You are not signed in';
  const again = 'Sign in again.';
  if (error instanceof MisplacedError) {
    const { href } = new URL(client.redirect_uri);
    const detail = 'This copy of the page was built for another address';
    return { code, title, detail, hint: `Open ${href}` };
  }
  if (error instanceof UnaskedError) {
    const detail = 'The response does not belong to a sign-in from this tab';
    return { code, title, detail, hint: again };
  }
  if (error instanceof oauth.AuthorizationResponseError) {
    return { code, title, ...deniedBy(error) };
  }
  if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
    return { code, title, detail: 'The sign-in took too long or was already used', hint: again };
  }
  if (error instanceof DOMException && error.name === 'SecurityError') {
    const detail = 'The browser blocks site data for this page';
    return { code, title, detail, hint: 'Allow site data for this page, then sign in again.' };
  }
  if (isUnreachable(error)) {
    const detail = `${new URL(client.issuer).host} did not answer`;
    return {
      code,
      title,
      detail,
      hint: `Check that you can reach ${board}, then sign in again.`,
    };
  }
  const detail = 'The response does not match this sign-in';
  return {
    code,
    title,
    detail,
    hint: `${again} If the problem persists, contact the admin of the board.`,
  };
}

function deniedBy({
  error,
}: oauth.AuthorizationResponseError): Pick<RefusedAnswer, 'detail' | 'hint'> {
  if (error === 'access_denied') {
    const hint = 'Sign in again and choose “Allow” if you want to see your peers here.';
    return { detail: 'You did not allow access for this site', hint };
  }
  const known = /^[a-z_]{1,40}$/.test(error) ? error : 'an unknown error';
  const hint = 'Sign in again. If the problem persists, contact the admin of the board.';
  return { detail: `The sign-in service returned an error: ${known}`, hint };
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  return error instanceof DOMException && ['AbortError', 'TimeoutError'].includes(error.name);
}
