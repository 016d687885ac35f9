/** What operators, keepers and developers type. */

/** Gets the board's own copy of the command and enrols the machine. */
export function enrollCommands(baseUrl: string, code = 'CODE'): string[] {
  return [
    `curl -fsSLO ${baseUrl}/opbench.mjs`,
    `node opbench.mjs enroll ${code} --board ${baseUrl}`,
  ];
}

export const submitCommands: readonly string[] = [
  'node opbench.mjs submit --dry-run',
  'node opbench.mjs submit',
];

/** Typed in the folder that the board runs from. */
export const loginLinkCommands = {
  known: 'npm run -s board -- login-link CODENAME',
  fresh: 'npm run -s board -- login-link --new CODENAME',
} as const;

const APPLICATION = 'http://127.0.0.1:8000/callback';

/** How an application comes by an access token, step by step. */
export function authorizationCommands(baseUrl: string) {
  const asked = new URLSearchParams({
    response_type: 'code',
    redirect_uri: APPLICATION,
    scope: 'openid offline_access',
    code_challenge_method: 'S256',
    resource: baseUrl,
  });
  const metadata = JSON.stringify({ client_name: 'My application', redirect_uris: [APPLICATION] });
  const post = (fields: readonly string[]) => {
    const data = fields.map((field) => `--data-urlencode "${field}"`);
    return [['curl', ...data, `'${baseUrl}/oauth/token'`].join(' ')];
  };
  return {
    register: [
      `curl --header 'Content-Type: application/json' --data '${metadata}' '${baseUrl}/oauth/register'`,
    ],
    authorize: [
      `${baseUrl}/oauth/authorize?${asked}&client_id=$CLIENT_ID&code_challenge=$CHALLENGE&state=$STATE`,
    ],
    exchange: post([
      'grant_type=authorization_code',
      'client_id=$CLIENT_ID',
      'code=$CODE',
      'code_verifier=$VERIFIER',
      `redirect_uri=${APPLICATION}`,
    ]),
    refresh: post([
      'grant_type=refresh_token',
      'client_id=$CLIENT_ID',
      'refresh_token=$REFRESH_TOKEN',
    ]),
  };
}
