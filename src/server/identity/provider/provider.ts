/** The OpenID provider that operators sign in with: the board's own, or an external one. */
import type { JWK, JWTVerifyGetKey } from 'jose';
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import type { Resource } from '#core/domain/account/oauth.ts';

/** A request to the person during an authorization: to sign in, or to allow an app's access. */
export interface Interaction {
  uid: string;
  prompt: 'consent' | 'login';
  client: InteractionClient;
  scopes: readonly string[];
  /** The resource that the tokens are for; null if they only identify the operator. */
  resource: string | null;
  /** Whether the person must sign in again, even with a current session. */
  mustAsk: boolean;
  /** The public ID of the operator who is asked; null before a sign-in. */
  account: string | null;
}

export interface InteractionClient {
  id: string;
  /** The client's name, which is unverified unless `isKept`. */
  name: string | null;
  redirectHost: string;
  isOwn: boolean;
  /** Whether the admin configured and named the client. */
  isKept: boolean;
  /** Whether it runs on the person's own device, where any program can impersonate it. */
  isLocal: boolean;
}

/**
 * The interactions of the board's own provider. Somebody else than the person who began an interaction may
 * open its page, so pages change an interaction only in the browser that `isOf` recognizes.
 */
export interface Interactions {
  read(uid: string): Promise<Interaction | null>;
  isOf(uid: string, cookieHeader: string | null): boolean;
  /**
   * Continues an authorization as this operator, and returns where to send the browser. Only the browser that
   * began it can go further.
   *
   * @param signedInAt When the operator proved who they are, which may be before the session began.
   */
  finishLogin(uid: string, operatorPublicId: string, signedInAt: Date): Promise<string>;
  /** Redeems the proof from `finishLogin`. Returns where to send the browser, and who signed in when. */
  redeem(
    uid: string,
    proof: string,
  ): Promise<{ location: string; account: string; signedInAt: Date }>;
  /** Grants access, and returns where to send the browser. */
  approve(uid: string): Promise<string>;
  /** Denies access, and returns where to send the browser. */
  deny(uid: string): Promise<string>;
}

/** The provider as the board's own sign-in uses it, as a client. */
export interface Authority {
  client: Client;
  clientAuth(server: AuthorizationServer): ClientAuth;
  server(): Promise<AuthorizationServer>;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** The rules for verifying access tokens. */
interface TokenRules {
  algorithms: readonly string[];
  typ: string;
  keys(): Promise<JWTVerifyGetKey>;
  /** The audiences that a resource accepts. */
  audiences(resource: Resource): string[];
}

export interface Provider {
  issuer: string;
  /** Null if the provider is external and has its own pages. */
  interactions: Interactions | null;
  authority: Authority;
  tokens: TokenRules;
  /** The public keys that verify the provider's tokens; null if it is external. */
  publicKeys: (() => JWK[]) | null;
  /** Answers requests to the provider's own addresses; null if it is external. */
  answer: ((request: Request, client: string) => Promise<Response>) | null;
}
