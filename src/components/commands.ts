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

/** Checks a board's public log, and recomputes its boards. */
export function verifyCommands(baseUrl: string): string[] {
  return [`node opbench.mjs verify ${baseUrl}`];
}

/** Typed in the folder that the board runs from. */
export const loginLinkCommands = {
  known: 'npm run -s board -- login-link CODENAME',
  fresh: 'npm run -s board -- login-link --new CODENAME',
} as const;

/** A longer command is easier to read with one option a line. */
const LONG_COMMAND = 72;

/** The same command for a POSIX shell, with one option a line if it is long. */
export function oneOptionALine(command: string): string {
  if (command.length <= LONG_COMMAND) return command;
  return command.replaceAll(/ (?=--\w|['"]?https?:\S+$)/g, ' \\\n');
}

/** Makes a challenge of two weeks; typed in the folder that the board runs from. */
export function challengeCommands(first_day: string, last_day: string): string[] {
  const told = `--title 'Two weeks of yield' --description 'Who makes most of each token?'`;
  const days = `--from ${first_day} --to ${last_day}`;
  return [oneOptionALine(`npm run -s board -- challenge create ${told} --metric yield ${days}`)];
}

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
    return [oneOptionALine(['curl', ...data, `'${baseUrl}/oauth/token'`].join(' '))];
  };
  return {
    register: [
      oneOptionALine(
        `curl --header 'Content-Type: application/json' --data '${metadata}' '${baseUrl}/oauth/register'`,
      ),
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
