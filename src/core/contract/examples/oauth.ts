/** Examples of what applications need to know to sign in. */
import { SCOPES, audienceOf } from '#core/domain/account/oauth.ts';
import { exampleOf } from './example.ts';
import { AUDIENCE } from './parts.ts';
import {
  getAuthorizationServer,
  getMcpProtectedResource,
  getOpenidConfiguration,
  getProtectedResource,
  getProviderKeys,
  getUserInfo,
} from '../oauth.ts';

const RESOURCE = {
  resource: audienceOf('api', AUDIENCE),
  authorization_servers: [AUDIENCE],
  scopes_supported: ['openid'],
  bearer_methods_supported: ['header'],
  resource_name: 'Opbench',
  resource_documentation: `${AUDIENCE}/developers`,
};

const SERVER = {
  issuer: AUDIENCE,
  authorization_endpoint: `${AUDIENCE}/oauth/authorize`,
  token_endpoint: `${AUDIENCE}/oauth/token`,
  registration_endpoint: `${AUDIENCE}/oauth/register`,
  jwks_uri: `${AUDIENCE}/.well-known/jwks.json`,
  scopes_supported: [...SCOPES],
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
};

export const OAUTH_EXAMPLES = [
  exampleOf(getProtectedResource, { reply: RESOURCE }),
  exampleOf(getMcpProtectedResource, {
    reply: { ...RESOURCE, resource: audienceOf('mcp', AUDIENCE), resource_name: 'Opbench MCP' },
  }),
  exampleOf(getAuthorizationServer, { reply: SERVER }),
  exampleOf(getOpenidConfiguration, { reply: SERVER }),
  exampleOf(getProviderKeys, {
    reply: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          kid: 'q0Dff4vCsz4YXPUXJEbVnAPTqx7xlPPSwNuSmBgVJe0',
          alg: 'ES256',
          use: 'sig',
        },
      ],
    },
  }),
  exampleOf(getUserInfo, {
    reply: { sub: '7d1f3c52-94b7-4a0e-8f0e-0a2c9b6f5d13', preferred_username: 'ada', name: 'Ada' },
  }),
];
