/** Commands for operators, admins and developers. */
import { INSTALLER_PATHS, type Release } from '#core/schema/release.ts';

/** Runs the board's own copy of the command through npm, which since version 12 needs the flag. */
function throughNpm({ package: { url } }: Release, words: string): string {
  return `npx --yes --allow-remote=root ${url} ${words}`;
}

/** Installs the command and enrolls, in one line for a POSIX shell and one for PowerShell. */
export function installCommands(
  { file }: Release,
  code: string,
): Record<'posix' | 'windows', string[]> {
  const [sh, ps1] = [INSTALLER_PATHS.sh, INSTALLER_PATHS.ps1].map(
    (path) => new URL(path, file.url),
  );
  return {
    posix: [`curl -fsSL ${sh} | sh -s -- enroll ${code}`],
    windows: [`irm ${ps1} | iex; opbench enroll ${code}`],
  };
}

export function enrollCommands(release: Release, code: string): string[] {
  return [throughNpm(release, `enroll ${code}`)];
}

export function enrollCommandsWithoutNpm({ file }: Release, code: string): string[] {
  return [`curl -fsSLO ${file.url}`, `node opbench.mjs enroll ${code}`];
}

/** Where enrolling saves a copy of the command, unless the environment names another folder. */
const COPY_PATH = '~/.config/opbench/opbench.mjs';

export const dryRunCommands: readonly string[] = [`node ${COPY_PATH} submit --dry-run`];

export const aliasCommands: readonly string[] = [`alias opbench='node ${COPY_PATH}'`];

export function verifyCommands(release: Release, baseUrl: string): string[] {
  return [throughNpm(release, `verify ${baseUrl}`)];
}

/** A longer command is easier to read with one option a line. */
const LONG_COMMAND = 72;

/** The same command for a POSIX shell, with one option a line if it is long. */
export function oneOptionALine(command: string): string {
  if (command.length <= LONG_COMMAND) return command;
  return command.replaceAll(/ (?=--\w|['"]?https?:\S+$)/g, ' \\\n');
}

/** Adds the board's MCP server to a client: with a command, an entry of its config file, or a link. */
export function mcpCommands(url: string) {
  const name = 'opbench-board';
  const server = { type: 'http', url };
  return {
    add: [`claude mcp add --transport http ${name} ${url}`],
    entry: [JSON.stringify({ mcpServers: { [name]: server } })],
    links: installLinks(name, server),
  };
}

/** The saved copy of `opbench`, with the variable for the home folder that both editors know. */
export const LOCAL_SERVER = {
  command: 'node',
  args: [`${COPY_PATH.replace('~', '${userHome}')}`, 'mcp'],
};

/** Links with which editors add an MCP server after asking their user. */
export function installLinks(name: string, server: object): Record<'cursor' | 'vsCode', string> {
  const config = new URLSearchParams({ name, config: btoa(JSON.stringify(server)) });
  return {
    // The editor decodes the text after the question mark as a whole.
    vsCode: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...server }))}`,
    cursor: `cursor://anysphere.cursor-deeplink/mcp/install?${config}`,
  };
}

const APPLICATION = 'http://127.0.0.1:8000/callback';

/** The steps in which an OAuth client gets an access token. */
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
