/** The companion site on another host, without a browser: a tab that records what happens in it. */
import type { SatelliteClient } from '#core/contract/satellite.ts';
import { readAuthorizationServer } from '#server/identity/provider/oauth-metadata.ts';
import { tokenHolder } from '#server/identity/access-tokens.ts';
import type { Tab } from '../../../src/satellite/sign-in.ts';
import { BASE_URL } from '../board/builders.ts';
import type { TestContext } from '../board/context.ts';
import { ask } from '../http/provider.ts';

export const SITE = 'https://peers.example.org/of/us/';

/** The settings of a board with such a site. */
export const SATELLITE = { url: SITE, origin: 'https://peers.example.org', clientId: 'satellite' };

export const CLIENT: SatelliteClient = {
  id: 'satellite',
  issuer: BASE_URL,
  redirect_uri: SITE,
  resource: BASE_URL,
};

export interface TestTab extends Tab {
  /** The page's address, which tests change. */
  at: URL;
  /** The addresses to which the page navigated, in order. */
  left: URL[];
  kept: Map<string, string>;
  /** The requests it sent. */
  asked: { address: string; init: RequestInit }[];
}

/** @param answer Responds to the page's requests. */
export function aTab(answer: Tab['fetch'], at = SITE): TestTab {
  const kept = new Map<string, string>();
  const tab: TestTab = {
    at: new URL(at),
    left: [],
    kept,
    asked: [],
    address: () => tab.at,
    rename: (address) => void (tab.at = new URL(address, tab.at)),
    leave: (address) => void tab.left.push(new URL(address)),
    storage: () => ({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    }),
    fetch: (address, init) => {
      tab.asked.push({ address, init });
      return answer(address, init);
    },
  };
  return tab;
}

/** Responds like the board, as far as the site needs it, with these peers. */
export function boardOf(ctx: TestContext): Tab['fetch'] {
  return async (address, init) => {
    const { pathname } = new URL(address);
    if (pathname === '/.well-known/oauth-authorization-server') {
      return Response.json(await readAuthorizationServer(ctx));
    }
    if (pathname === '/api/v1/peers') return peersFor(ctx, init);
    const { status, headers, body } = await ask(ctx, pathname, init);
    return Response.json(body, { status, headers });
  };
}

async function peersFor(ctx: TestContext, init: RequestInit): Promise<Response> {
  const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? '';
  const holder = await tokenHolder(ctx, token, 'api').catch(() => null);
  if (!holder) return Response.json({ code: 'token_invalid' }, { status: 401 });
  return Response.json({ codename: ctx.store.operators.byId(holder.operator_id)?.codename });
}
