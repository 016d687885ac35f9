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

/** The browser's tab. */
export const browserTab: Tab = {
  address: () => new URL(location.href),
  rename: (address) => history.replaceState(null, '', address),
  leave: (address) => location.assign(address),
  // Browsers that block site data throw on access.
  storage: () => sessionStorage,
  fetch: (address, init) => fetch(address, init),
};

/**
 * Access from another host, with an access token that is only in this page's memory. If a sign-in failed, the next
 * answer reports the reason once.
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

/** Describes an error for the reader, never with texts from the address. */
function refusalOf(error: unknown, { board, client }: SigningIn): RefusedAnswer {
  const code = 'sign_in_failed';
  const title = 'You are not signed in';
  const again = 'Sign in again.';
  if (error instanceof MisplacedError) {
    const { href } = new URL(client.redirect_uri);
    const detail = 'This copy of the page belongs to another address';
    return { code, title, detail, hint: `Open ${href}` };
  }
  if (error instanceof UnaskedError) {
    const detail = 'The answer does not belong to a sign-in that started in this tab';
    return { code, title, detail, hint: again };
  }
  if (error instanceof oauth.AuthorizationResponseError) {
    return { code, title, ...deniedBy(error) };
  }
  if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') {
    return {
      code,
      title,
      detail: 'The sign-in took too long, or its code was already used',
      hint: again,
    };
  }
  if (error instanceof DOMException && error.name === 'SecurityError') {
    const detail = 'The browser does not allow this page to store data';
    return { code, title, detail, hint: 'Allow site data for this page, then sign in again.' };
  }
  if (isUnreachable(error)) {
    const detail = `${new URL(client.issuer).host} did not answer`;
    return {
      code,
      title,
      detail,
      hint: `Check that you can open ${board}, then sign in again.`,
    };
  }
  const detail = 'The answer does not match the sign-in that was started';
  return {
    code,
    title,
    detail,
    hint: `${again} If the error persists, contact the admin of the board.`,
  };
}

function deniedBy({
  error,
}: oauth.AuthorizationResponseError): Pick<RefusedAnswer, 'detail' | 'hint'> {
  if (error === 'access_denied') {
    const hint = 'To see your peers here, sign in again and choose “Allow”.';
    return { detail: 'You did not allow this site to connect', hint };
  }
  const known = /^[a-z_]{1,40}$/.test(error) ? error : 'an unknown error';
  const hint = 'Sign in again. If the error persists, contact the admin of the board.';
  return { detail: `The sign-in service returned an error: ${known}`, hint };
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  return error instanceof DOMException && ['AbortError', 'TimeoutError'].includes(error.name);
}
