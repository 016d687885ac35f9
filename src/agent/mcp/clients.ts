/** The clients whose configuration this command can write, and where they keep it. */
import { join } from 'node:path';
import { EXIT, Failure } from '../failure.ts';
import { installedFile } from '../kept/copy.ts';
import { type Environment, carriedVariables, homeFolder } from '../settings.ts';
import type { ConfigFormat, EntryPlace, ServerEntry } from './config-format.ts';
import { jsonConfig } from './json-config.ts';
import { tomlConfig } from './toml-config.ts';

/** How clients name this server. */
const SERVER_NAME = 'opbench';

/** A client of MCP servers, and how it writes them down. */
export interface McpClient {
  readonly name: string;
  readonly title: string;
  readonly format: ConfigFormat;
  readonly place: EntryPlace;
  /** The folder that it makes when it first runs. */
  home(environment: Environment): string;
  /** The file that it reads for all projects of a user. */
  file(environment: Environment): string;
  /** Turns the entry into what this client writes itself. */
  entry(entry: ServerEntry): ServerEntry;
}

export const CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: jsonConfig,
    place: { holder: 'mcpServers', name: SERVER_NAME },
    home: (environment) =>
      firstOf(environment['CLAUDE_CONFIG_DIR']) ?? join(homeFolder(environment), '.claude'),
    // Beside its folder, unless the folder was chosen.
    file: (environment) => {
      const folder = firstOf(environment['CLAUDE_CONFIG_DIR']) ?? homeFolder(environment);
      return join(folder, '.claude.json');
    },
    entry: (entry) => ({ type: 'stdio', ...entry }),
  },
  {
    name: 'codex',
    title: 'Codex',
    format: tomlConfig,
    place: { holder: 'mcp_servers', name: SERVER_NAME },
    home: codexFolder,
    file: (environment) => join(codexFolder(environment), 'config.toml'),
    entry: (entry) => entry,
  },
];

function codexFolder(environment: Environment): string {
  return firstOf(environment['CODEX_HOME']) ?? join(homeFolder(environment), '.codex');
}

/** Readers of logs take several folders, separated by commas; the client itself has one. */
function firstOf(folders: string | undefined): string | null {
  return folders?.split(',')[0]?.trim() || null;
}

/** The entry that starts this server, whatever the client. */
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
