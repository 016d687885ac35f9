/** The OpenID provider that people sign in with: the board's own, or one that runs elsewhere. */
import type { JWK, JWTVerifyGetKey } from 'jose';
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import type { Resource } from '#core/domain/account/oauth.ts';

/** What a person is asked in the middle of an authorization. */
export interface Interaction {
  uid: string;
  prompt: 'consent' | 'login';
  client: InteractionClient;
  scopes: readonly string[];
  /** What the tokens will be for; null if only for who signs in. */
  resource: string | null;
  /** Whether the person must sign in anew, even with a session that runs. */
  mustAsk: boolean;
  /** The public id of the operator who is asked; null before a sign-in. */
  account: string | null;
}

export interface InteractionClient {
  id: string;
  /** As the application calls itself; nobody checked it, unless `isKept`. */
  name: string | null;
  redirectHost: string;
  isOwn: boolean;
  /** Whether the admin set it up, and named it. */
  isKept: boolean;
  /** Whether it runs on the person's own machine, where any program may pass for it. */
  isLocal: boolean;
}

/**
 * The questions of the board's own provider. Who is sent to one may not be who began it: what a page
 * does to an interaction it does only in the browser that `isOf` recognises.
 */
export interface Interactions {
  read(uid: string): Promise<Interaction | null>;
  isOf(uid: string, cookieHeader: string | null): boolean;
  /**
   * Lets an authorization go on as this operator, and returns where to send the browser. Only the browser that
   * began it gets further than there.
   */
  finishLogin(uid: string, operatorPublicId: string): Promise<string>;
  /** Takes what `finishLogin` gave the browser; tells where to send it, and who signed in (public id). */
  redeem(uid: string, proof: string): Promise<{ location: string; account: string }>;
  /** Lets the application in, and returns where to send the browser. */
  approve(uid: string): Promise<string>;
  /** Tells the application that the person said no, and returns where to send the browser. */
  deny(uid: string): Promise<string>;
}

/** What the board's own sign-in talks to, as a client of the provider. */
export interface Authority {
  client: Client;
  clientAuth(server: AuthorizationServer): ClientAuth;
  server(): Promise<AuthorizationServer>;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** How access tokens are told apart from others. */
interface TokenRules {
  algorithms: readonly string[];
  typ: string;
  keys(): Promise<JWTVerifyGetKey>;
  /** The audiences that a resource accepts. */
  audiences(resource: Resource): string[];
}

export interface Provider {
  issuer: string;
  /** Null if the provider runs elsewhere and asks for itself. */
  interactions: Interactions | null;
  authority: Authority;
  tokens: TokenRules;
  /** What the provider's tokens are verified by; null if it runs elsewhere. */
  publicKeys: (() => JWK[]) | null;
  /** Answers what is asked at the provider's own addresses; null if it runs elsewhere. */
  answer: ((request: Request, client: string) => Promise<Response>) | null;
}
