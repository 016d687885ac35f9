/** The sign-in of the official client of the Model Context Protocol. */
import {
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  auth,
} from '@modelcontextprotocol/client';
import type { RunningServer } from '../http/server.ts';
import type { Visitor } from '../http/visitor.ts';

type Saved = Awaited<ReturnType<OAuthClientProvider['tokens']>>;

/** Its stored data about one board. */
export class Memory implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:33418/callback';
  readonly clientMetadata = {
    client_name: 'Helper',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  authorizationUrl: URL | undefined;
  #client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  #tokens: Saved;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = '';

  clientInformation() {
    return this.#client;
  }

  saveClientInformation(
    client: NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>,
  ) {
    this.#client = client;
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: NonNullable<Saved>) {
    this.#tokens = tokens;
  }

  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }

  discoveryState() {
    return this.#discovered;
  }

  codeVerifier() {
    return this.#verifier;
  }
}

/** Connects a new client as the visitor. Returns the client's request and the parameters of its callback. */
export async function letIn({ authorizationUrl }: Memory, visitor: Visitor) {
  const asked = await visitor.open(authorizationUrl?.href ?? '');
  const back = await visitor.post(new URL(asked.url).pathname, { action: 'allow' });
  return { asked, told: new URL(back.url).searchParams };
}

/** Registers a client, connects it as the visitor, and returns its tokens for the server at `path`. */
export async function signInAsMcpClient({ url }: RunningServer, visitor: Visitor, path: string) {
  const memory = new Memory();
  const serverUrl = url + path;
  await auth(memory, { serverUrl });
  const { asked, told } = await letIn(memory, visitor);
  const authorizationCode = told.get('code') ?? '';
  await auth(memory, { serverUrl, authorizationCode, iss: told.get('iss') ?? '' });
  const tokens = memory.tokens();
  const refreshed = async () => {
    await auth(memory, { serverUrl });
    return memory.tokens();
  };
  return { asked, tokens, refreshed };
}
