/** The clients of MCP servers that this command knows, and how each is given the entry of this server. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { EXIT, Failure } from '../failure.ts';
import { installedFile } from '../state/copy.ts';
import { jsonAs } from '../json-as.ts';
import { type Environment, carriedVariables, homeFolder } from '../settings.ts';

const Entry = z.looseObject({
  command: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).nullish(),
});
export type ServerEntry = z.infer<typeof Entry>;

export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** What its own program is called. */
  readonly program: string;
  /** The folder that it makes when it first runs. */
  home(environment: Environment): string;
  /** The file of its settings for all projects of a user. */
  file(environment: Environment): string;
  text(entry: ServerEntry): string;
  /** The entry that it has now; null if there is none. */
  current(environment: Environment): ServerEntry | null;
  /** What its program is asked to add the entry, and to remove it. */
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
    // Beside its folder, unless the folder was chosen.
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
    // Its option for variables takes all words up to the next option.
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

/** Readers of logs take several folders, separated by commas; the client itself has one. */
function firstOf(folders: string | undefined): string | null {
  return folders?.split(',')[0]?.trim() || null;
}

function variableWords({ env }: ServerEntry): string[] {
  return Object.entries(env ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
}

/** Strings of JSON are strings of TOML. */
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

/** The path of a client's own program; null if it is not installed. */
export function programOf(
  { program }: Pick<McpClient, 'program'>,
  { PATH = '' }: Environment,
): string | null {
  // Scripts of Windows need a shell, which would read the arguments anew.
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

/** @throws {Failure} `usage` for a client that is not known. */
export function clientNamed(name: string): McpClient {
  const client = CLIENTS.find((known) => known.name === name);
  if (client) return client;
  const names = CLIENTS.map((known) => known.name).join(', ');
  const hint = 'For any other client, "opbench mcp config" prints the entry.';
  throw new Failure(EXIT.usage, `"${name}" is none of ${names}`, hint);
}
