/** What applications need to know to sign in for an operator. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { SCOPES, resourceMetadataPath } from '../domain/account/oauth.ts';
import { defineRoute } from './route.ts';

const Texts = z.array(z.string());

/** @see {@link https://www.rfc-editor.org/rfc/rfc9728 | RFC 9728} */
export const ProtectedResource = object('ProtectedResource', {
  resource: z.url().describe('What tokens are asked for, as `resource`.'),
  authorization_servers: z.array(z.url()).describe('Who issues the tokens.'),
  scopes_supported: Texts.describe('The scopes that are needed here.'),
  bearer_methods_supported: Texts.describe('Where the token is sent: in the header only.'),
  resource_name: z.string().describe('A name for people.'),
  resource_documentation: z.url().describe('The documentation, for people.'),
});
export type ProtectedResource = z.infer<typeof ProtectedResource>;

/** @see {@link https://www.rfc-editor.org/rfc/rfc8414 | RFC 8414} */
export const AuthorizationServer = z
  .looseObject({
    issuer: z.url().describe('Who issues, as tokens name it.'),
    authorization_endpoint: z.url().optional().describe('Where people are sent to sign in.'),
    token_endpoint: z.url().optional().describe('Where codes and refresh tokens are exchanged.'),
    registration_endpoint: z.url().optional().describe('Where applications register themselves.'),
    jwks_uri: z.url().optional().describe('The keys that tokens are signed with.'),
    scopes_supported: Texts.optional().describe('The scopes that can be asked for.'),
    response_types_supported: Texts.optional().describe('What an authorization may answer.'),
    grant_types_supported: Texts.optional().describe('What the token endpoint exchanges.'),
    code_challenge_methods_supported: Texts.optional().describe(
      'The PKCE methods; it is required.',
    ),
    token_endpoint_auth_methods_supported: Texts.optional().describe(
      'How applications prove who they are; they need not.',
    ),
  })
  .describe('How applications sign in, as RFC 8414 and OpenID Connect Discovery have it.')
  .meta({ id: 'AuthorizationServer' });
export type AuthorizationServer = z.infer<typeof AuthorizationServer>;

export const ProviderKeys = object('ProviderKeys', {
  keys: z
    .array(
      z.strictObject({
        kty: z.string().describe('The family of the key.'),
        crv: z.string().describe('Its curve.'),
        x: z.string().describe('A coordinate of the public point, base64url.'),
        y: z.string().describe('The other coordinate, base64url.'),
        kid: z.string().describe('The name of the key, as tokens have it.'),
        alg: z.string().describe('What it signs with.'),
        use: z.string().describe('What it is for: signatures.'),
      }),
    )
    .describe('The public keys.'),
});
export type ProviderKeys = z.infer<typeof ProviderKeys>;

export const UserInfo = object('UserInfo', {
  sub: z.string().describe('The operator, by an id that never changes.'),
  preferred_username: z.string().optional().describe('The codename, with the scope `profile`.'),
  name: z.string().optional().describe('The display name or codename, with the scope `profile`.'),
});
export type UserInfo = z.infer<typeof UserInfo>;

export const getProtectedResource = defineRoute('getProtectedResource', {
  auth: 'public',
  path: resourceMetadataPath('api') as '/',
  reply: ProtectedResource,
});

export const getMcpProtectedResource = defineRoute('getMcpProtectedResource', {
  auth: 'public',
  path: resourceMetadataPath('mcp') as '/',
  reply: ProtectedResource,
});

export const getAuthorizationServer = defineRoute('getAuthorizationServer', {
  auth: 'public',
  description: `Authorization code with PKCE (S256), public clients, refresh tokens that rotate. The scopes are ${SCOPES.join(', ')}.`,
  reply: AuthorizationServer,
});

export const getOpenidConfiguration = defineRoute('getOpenidConfiguration', {
  auth: 'public',
  reply: AuthorizationServer,
});

export const getProviderKeys = defineRoute('getProviderKeys', {
  auth: 'public',
  reply: ProviderKeys,
});

export const getUserInfo = defineRoute('getUserInfo', { auth: 'account', reply: UserInfo });
