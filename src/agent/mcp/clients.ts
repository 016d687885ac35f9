/** The MCP clients that `opbench` supports, and how to add the entry for its server to each. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { EXIT, Failure } from '../failure.ts';
import { installedFile } from '../state/copy.ts';
import { jsonAs } from '../json-as.ts';
import { carriedVariables } from '../carried-variables.ts';
import { type Environment, homeFolder } from '../settings.ts';

const Entry = z.looseObject({
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).nullish(),
});
export type ServerEntry = z.infer<typeof Entry>;

export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** The name of its own program. */
  readonly program: string;
  /** The folder that it creates when it first runs. */
  home(environment: Environment): string;
  /** The file with the user's settings for all projects. */
  file(environment: Environment): string;
  text(entry: ServerEntry): string;
  /** The current entry; null if there is none. */
  current(environment: Environment): ServerEntry | null;
  /** The arguments with which its program adds the entry. */
  addWords(entry: ServerEntry): string[];
  readonly removeWords: readonly string[];
}

const ClaudeSettings = z.looseObject({
  mcpServers: z.looseObject({ opbench: Entry.optional() }).optional(),
});
const CodexServer = z.looseObject({ transport: Entry });

export const CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    program: 'claude',
    home: (environment) =>
      firstOf(environment['CLAUDE_CONFIG_DIR']) ?? join(homeFolder(environment), '.claude'),
    // Next to its folder, or inside if the folder was chosen with the variable.
    file: (environment) => {
      const folder = firstOf(environment['CLAUDE_CONFIG_DIR']) ?? homeFolder(environment);
      return join(folder, '.claude.json');
    },
    text: (entry) =>
      JSON.stringify({ mcpServers: { opbench: { type: 'stdio', ...entry } } }, null, 2),
    current(environment) {
      const file = this.file(environment);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return jsonAs(ClaudeSettings, text)?.mcpServers?.opbench ?? null;
    },
    // The option `--env` takes all words up to the next option, so it must not come last.
    addWords: (entry) => [
      ...['mcp', 'add', ...variableWords(entry), '--scope', 'user', 'opbench'],
      ...['--', entry.command, ...entry.args],
    ],
    removeWords: ['mcp', 'remove', '--scope', 'user', 'opbench'],
  },
  {
    name: 'codex',
    title: 'Codex',
    program: 'codex',
    home: codexFolder,
    file: (environment) => join(codexFolder(environment), 'config.toml'),
    text: tomlOf,
    current(environment) {
      const { stdout } = runClient(this, ['mcp', 'get', 'opbench', '--json'], environment);
      return jsonAs(CodexServer, stdout)?.transport ?? null;
    },
    addWords: (entry) => [
      ...['mcp', 'add', 'opbench', ...variableWords(entry)],
      ...['--', entry.command, ...entry.args],
    ],
    removeWords: ['mcp', 'remove', 'opbench'],
  },
];

function codexFolder(environment: Environment): string {
  return firstOf(environment['CODEX_HOME']) ?? join(homeFolder(environment), '.codex');
}

/** Our readers accept several folders, separated by commas. The client itself has one. */
function firstOf(folders: string | undefined): string | null {
  return folders?.split(',')[0]?.trim() || null;
}

function variableWords({ env }: ServerEntry): string[] {
  return Object.entries(env ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}

/** The entry as TOML. JSON strings are valid TOML strings. */
function tomlOf({ command, args, env }: ServerEntry): string {
  const quoted = (text: string) => JSON.stringify(text);
  const variables = Object.entries(env ?? {}).map(([name, value]) => `${name} = ${quoted(value)}`);
  return [
    '[mcp_servers.opbench]',
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(', ')}]`,
    ...(variables.length > 0 ? [`env = { ${variables.join(', ')} }`] : []),
  ].join('\n');
}

/** The path of a client's own program; null if it is not on the PATH. */
export function programOf(
  { program }: Pick<McpClient, 'program'>,
  { PATH = '' }: Environment,
): string | null {
  // On Windows, scripts would need a shell, which would parse the arguments again.
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  const paths = PATH.split(delimiter).map((folder) => join(folder, file));
  return paths.find((path) => existsSync(path)) ?? null;
}

export function runClient(
  client: Pick<McpClient, 'program'>,
  words: readonly string[],
  environment: Environment,
): { isDone: boolean; stdout: string; reason: string } {
  const program = programOf(client, environment);
  if (program === null) return { isDone: false, stdout: '', reason: 'it is not installed' };
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const reason = error?.message ?? (stderr.trim() || `exit code ${status}`);
  return { isDone: !error && status === 0, stdout: stdout ?? '', reason };
}

export function serverEntry(environment: Environment): ServerEntry {
  const env = carriedVariables(environment);
  const started = { command: process.execPath, args: [installedFile(environment), 'mcp'] };
  return Object.keys(env).length > 0 ? { ...started, env } : started;
}

/** @throws {Failure} `usage` for an unknown client. */
export function clientNamed(name: string): McpClient {
  const client = CLIENTS.find((known) => known.name === name);
  if (client) return client;
  const names = CLIENTS.map((known) => known.name).join(', ');
  const hint = 'To print the entry for any other client: opbench mcp config';
  throw new Failure(EXIT.usage, `Unknown client "${name}". Use one of: ${names}`, hint);
}
