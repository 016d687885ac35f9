/** OAuth and OpenID Connect metadata for apps that act for an operator. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { SCOPES, resourceMetadataPath } from '../domain/account/oauth.ts';
import { defineRoute } from './route.ts';

const Texts = z.array(z.string());

/** @see {@link https://www.rfc-editor.org/rfc/rfc9728 | RFC 9728} */
export const ProtectedResource = object('ProtectedResource', {
  resource: z.url().describe('The `resource` to request tokens for.'),
  authorization_servers: z.array(z.url()).describe('The issuers of the tokens.'),
  scopes_supported: Texts.describe('The scopes that requests need.'),
  bearer_methods_supported: Texts.describe('How to send the token: only in the header.'),
  resource_name: z.string().describe('A name for people.'),
  resource_documentation: z.url().describe('The documentation for people.'),
});
export type ProtectedResource = z.infer<typeof ProtectedResource>;

/** @see {@link https://www.rfc-editor.org/rfc/rfc8414 | RFC 8414} */
export const AuthorizationServer = z
  .looseObject({
    issuer: z.url().describe('The issuer, as in the `iss` claim of tokens.'),
    authorization_endpoint: z.url().optional().describe('The URL that people open to sign in.'),
    token_endpoint: z.url().optional().describe('The URL that exchanges codes and refresh tokens.'),
    registration_endpoint: z.url().optional().describe('The URL where apps register.'),
    jwks_uri: z.url().optional().describe('The URL of the keys that sign tokens.'),
    scopes_supported: Texts.optional().describe('The scopes that apps can request.'),
    response_types_supported: Texts.optional().describe('The response types of an authorization.'),
    grant_types_supported: Texts.optional().describe('The grant types of the token endpoint.'),
    code_challenge_methods_supported: Texts.optional().describe(
      'The PKCE methods. PKCE is required.',
    ),
    token_endpoint_auth_methods_supported: Texts.optional().describe(
      'How apps authenticate. Public clients do not.',
    ),
  })
  .describe('Authorization server metadata, as in RFC 8414 and OpenID Connect Discovery.')
  .meta({ id: 'AuthorizationServer' });
export type AuthorizationServer = z.infer<typeof AuthorizationServer>;

export const ProviderKeys = object('ProviderKeys', {
  keys: z
    .array(
      z.strictObject({
        kty: z.string().describe('The key type.'),
        crv: z.string().describe('The curve.'),
        x: z.string().describe('The x coordinate of the public point, base64url.'),
        y: z.string().describe('The y coordinate, base64url.'),
        kid: z.string().describe('The ID of the key, as in the header of tokens.'),
        alg: z.string().describe('The signature algorithm.'),
        use: z.string().describe('The use of the key: signatures.'),
      }),
    )
    .describe('The public keys.'),
});
export type ProviderKeys = z.infer<typeof ProviderKeys>;

export const UserInfo = object('UserInfo', {
  sub: z.string().describe('The ID of the operator. It never changes.'),
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
