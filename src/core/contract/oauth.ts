/** What applications need to know to sign in for an operator. */
import * as z from 'zod';
import { SCOPES, resourceMetadataPath } from '../domain/account/oauth.ts';
import { PublicRead, defineRoute } from './route.ts';

/** Metadata changes only with the configuration, but an admin who changes that should not wait long. */
const METADATA_SECONDS = 300;

const Texts = z.array(z.string());

/** @see {@link https://www.rfc-editor.org/rfc/rfc9728 | RFC 9728} */
export const ProtectedResource = z
  .strictObject({
    resource: z.url().describe('What tokens are asked for, as `resource`.'),
    authorization_servers: z.array(z.url()).describe('Who issues the tokens.'),
    scopes_supported: Texts.describe('The scopes that are needed here.'),
    bearer_methods_supported: Texts.describe('Where the token is sent: in the header only.'),
    resource_name: z.string().describe('A name for people.'),
    resource_documentation: z.url().describe('The documentation, for people.'),
  })
  .meta({ id: 'ProtectedResource' });
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

export const ProviderKeys = z
  .strictObject({
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
  })
  .meta({ id: 'ProviderKeys' });
export type ProviderKeys = z.infer<typeof ProviderKeys>;

export const UserInfo = z
  .strictObject({
    sub: z.string().describe('The operator, by an id that never changes.'),
    preferred_username: z.string().optional().describe('The codename, with the scope `profile`.'),
    name: z.string().optional().describe('The display name or codename, with the scope `profile`.'),
  })
  .meta({ id: 'UserInfo' });
export type UserInfo = z.infer<typeof UserInfo>;

const Metadata = {
  ...PublicRead,
  tag: 'applications',
  limit: 'pages',
  cacheSeconds: METADATA_SECONDS,
} as const;

export const getProtectedResource = defineRoute({
  ...Metadata,
  id: 'getProtectedResource',
  path: resourceMetadataPath('api') as '/',
  summary: 'Who issues access tokens for this API',
  reply: ProtectedResource,
});

export const getMcpProtectedResource = defineRoute({
  ...Metadata,
  id: 'getMcpProtectedResource',
  path: resourceMetadataPath('mcp') as '/',
  summary: 'Who issues access tokens for the Model Context Protocol server',
  reply: ProtectedResource,
});

export const getAuthorizationServer = defineRoute({
  ...Metadata,
  id: 'getAuthorizationServer',
  path: '/.well-known/oauth-authorization-server',
  summary: 'How applications sign in',
  description: `Authorization code with PKCE (S256), public clients, refresh tokens that rotate. The scopes are ${SCOPES.join(', ')}.`,
  reply: AuthorizationServer,
});

export const getOpenidConfiguration = defineRoute({
  ...Metadata,
  id: 'getOpenidConfiguration',
  path: '/.well-known/openid-configuration',
  summary: 'How applications sign in, for OpenID clients',
  description: 'Not there where another provider does the signing in.',
  reply: AuthorizationServer,
  errors: ['not_found'],
});

export const getProviderKeys = defineRoute({
  ...Metadata,
  id: 'getProviderKeys',
  path: '/.well-known/jwks.json',
  summary: 'The keys that access tokens and ID tokens are signed with',
  description: 'Not there where another provider does the signing in.',
  reply: ProviderKeys,
  errors: ['not_found'],
});

export const getUserInfo = defineRoute({
  id: 'getUserInfo',
  tag: 'applications',
  method: 'GET',
  path: '/oauth/userinfo',
  summary: 'Whom an access token speaks for',
  description: 'The board keeps no e-mail address, so the scope `email` adds nothing.',
  auth: 'account',
  reply: UserInfo,
});
