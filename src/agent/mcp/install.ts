/** `opbench mcp install`: adds or removes the entry of this server with the clients' own programs. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { plain } from '#core/domain/text/terminal-text.ts';
import type { AgentOutput } from '../command.ts';
import { ask, sayer } from '../consent.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { keepProgram } from '../state/installed.ts';
import { forgetProxy, keepProxyNoted } from '../state/saved-proxy.ts';
import { type Environment, stateFolder } from '../settings.ts';
import { installedFile } from '../state/copy.ts';
import {
  CLIENTS,
  type McpClient,
  type ServerEntry,
  clientNamed,
  programOf,
  runClient,
  serverEntry,
} from './clients.ts';

interface InstallOptions {
  /** The client's name; undefined for all clients of this user. */
  name: string | undefined;
  undo: boolean;
  yes: boolean;
}

interface Outcome {
  client: string;
  file: string;
  changed: boolean;
  /** Always null. Versions before 0.11 saved a copy of the file. */
  backup: null;
}

/** @throws {Failure} on an error. Changes made before it stay and were printed. */
export async function installServer(
  place: Place,
  { name, undo, yes }: InstallOptions,
  output: AgentOutput,
): Promise<void> {
  const { environment } = place;
  const clients = name === undefined ? presentClients(environment) : [clientNamed(name)];
  for (const client of clients) refuseForeign(client, environment, !undo && yes);
  const settle = undo ? remove : add;
  const outcomes: Outcome[] = [];
  for (const client of clients) {
    const changed = await settle({ place, client, yes, output });
    outcomes.push({ client: client.name, file: client.file(environment), changed, backup: null });
  }
  if (undo && !CLIENTS.some((client) => isOurs(client.current(environment), environment))) {
    forgetProxy(environment, 'mcp');
  }
  output.result({ clients: outcomes });
}

/** The clients of this user, found by the folders and files that they create. */
function presentClients(environment: Environment): McpClient[] {
  const present = CLIENTS.filter(({ file, home }) => {
    return existsSync(file(environment)) || existsSync(home(environment));
  });
  if (present.length > 0) return present;
  const names = CLIENTS.map((client) => client.name).join(' or ');
  throw new Failure(
    EXIT.usage,
    'No MCP client was found',
    `Name one: opbench mcp install ${names}`,
  );
}

/** Whether an entry is ours: it runs the saved copy of this program, with any Node.js. */
function isOurs(entry: ServerEntry | null, environment: Environment): boolean {
  return entry !== null && isDeepStrictEqual(entry.args, [installedFile(environment), 'mcp']);
}

function refuseForeign(client: McpClient, environment: Environment, mayReplace: boolean): void {
  const found = client.current(environment);
  if (found === null || mayReplace || isOurs(found, environment)) return;
  const file = client.file(environment);
  const runs = plain([found.command, ...found.args].join(' '));
  const message = `${file} already has an entry "opbench" that is not from this command: ${runs}`;
  throw new Failure(EXIT.usage, message, 'Nothing was changed. To replace the entry, add --yes.');
}

interface Step {
  place: Place;
  client: McpClient;
  yes: boolean;
  output: AgentOutput;
}

/** Returns whether anything was changed. */
async function add({ place, client, yes, output }: Step): Promise<boolean> {
  const { environment } = place;
  const { title } = client;
  const file = client.file(environment);
  const entry = serverEntry(environment);
  const found = client.current(environment);
  if (found !== null && isSame(found, entry)) {
    keepProxyNoted(environment, 'mcp', output);
    sayer(output)(`${title}: the entry is already in ${file}`);
    return false;
  }
  if (programOf(client, environment) === null) {
    keepProgram(place);
    keepProxyNoted(environment, 'mcp', output);
    sayer(output)(`${title}: "${client.program}" is not on the PATH. Add this to ${file}:`);
    sayer(output)(client.text(entry));
    return false;
  }
  const words = client.addWords(entry);
  sayer(output)(`${title}: ${typed(client, words)}`);
  if (!yes) await ask(`Run this command?`);
  // The entry runs the saved copy, because npx may delete its own.
  keepProgram(place);
  if (found !== null) change(client, client.removeWords, environment);
  change(client, words, environment);
  keepProxyNoted(environment, 'mcp', output);
  output.note(`Added. Restart ${title}.`);
  return true;
}

/** Returns whether anything was changed. */
async function remove({ place, client, yes, output }: Step): Promise<boolean> {
  const { environment } = place;
  const { title, removeWords } = client;
  const file = client.file(environment);
  dropCopies(client, environment);
  if (programOf(client, environment) === null) {
    sayer(output)(
      `${title}: "${client.program}" is not on the PATH. If ${file} has an entry "opbench", remove it`,
    );
    return false;
  }
  if (client.current(environment) === null) {
    sayer(output)(`${title}: there is no entry in ${file}`);
    return false;
  }
  sayer(output)(`${title}: ${typed(client, removeWords)}`);
  if (!yes) await ask(`Run this command?`);
  change(client, removeWords, environment);
  output.note(`Removed. Restart ${title}.`);
  return true;
}

function isSame(found: ServerEntry, { command, args, env = {} }: ServerEntry): boolean {
  const was = { command: found.command, args: found.args, env: found.env ?? {} };
  return isDeepStrictEqual(was, { command, args, env });
}

function typed({ program }: McpClient, words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : JSON.stringify(word)));
  return plain([program, ...quoted].join(' '));
}

/** @throws {Failure} `usage` if the client's program fails. */
function change(client: McpClient, words: readonly string[], environment: Environment): void {
  const { isDone, reason } = runClient(client, words, environment);
  if (isDone) return;
  const message = `${client.program} ${words.slice(0, 2).join(' ')} failed: ${plain(reason)}`;
  const hint = `Edit ${client.file(environment)} yourself. To print the entry: opbench mcp config`;
  throw new Failure(EXIT.usage, message, hint);
}

/** Deletes the backups that versions before 0.11 saved. */
function dropCopies({ name }: McpClient, environment: Environment): void {
  const state = stateFolder(environment);
  for (const path of [join('backups', name), 'mcp.json'])
    rmSync(join(state, path), { force: true });
}
