/** `opbench mcp install`: has the clients' own programs add the entry of this server, or remove it. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { plain } from '#core/domain/text/terminal-text.ts';
import { confirm } from '../terminal.ts';
import type { AgentOutput } from '../command.ts';
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
  /** The client's name; absent for all that this user has. */
  name: string | undefined;
  undo: boolean;
  yes: boolean;
}

interface Outcome {
  client: string;
  file: string;
  changed: boolean;
  /** Always null: versions before 0.11 kept a copy of the file. */
  backup: null;
}

/** @throws {Failure} if it cannot, or may not; what was changed before is told. */
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

/** The clients that this user has, by the folders and files that they make. */
function presentClients(environment: Environment): McpClient[] {
  const present = CLIENTS.filter(({ file, home }) => {
    return existsSync(file(environment)) || existsSync(home(environment));
  });
  if (present.length > 0) return present;
  const names = CLIENTS.map((client) => client.name).join(' or ');
  throw new Failure(EXIT.usage, 'No client was found', `Name one: opbench mcp install ${names}`);
}

/** Ours runs the copy of this program; the Node that runs it may have been another. */
function isOurs(entry: ServerEntry | null, environment: Environment): boolean {
  return entry !== null && isDeepStrictEqual(entry.args, [installedFile(environment), 'mcp']);
}

function refuseForeign(client: McpClient, environment: Environment, mayReplace: boolean): void {
  const found = client.current(environment);
  if (found === null || mayReplace || isOurs(found, environment)) return;
  const file = client.file(environment);
  const runs = plain([found.command, ...found.args].join(' '));
  const message = `${file} has an entry "opbench" that opbench did not write: ${runs}`;
  throw new Failure(EXIT.usage, message, 'Nothing was changed. mcp install --yes replaces it.');
}

interface Step {
  place: Place;
  client: McpClient;
  yes: boolean;
  output: AgentOutput;
}

/** Whether anything was changed. */
async function add({ place, client, yes, output }: Step): Promise<boolean> {
  const { environment } = place;
  const { title } = client;
  const file = client.file(environment);
  const entry = serverEntry(environment);
  const found = client.current(environment);
  if (found !== null && isSame(found, entry)) {
    keepProxyNoted(environment, 'mcp', output);
    sayer(output)(`${title}: ${file} has it`);
    return false;
  }
  if (programOf(client, environment) === null) {
    keepProgram(place);
    keepProxyNoted(environment, 'mcp', output);
    sayer(output)(
      `${title}: its program "${client.program}" is not on the PATH. Add this to ${file}:`,
    );
    sayer(output)(client.text(entry));
    return false;
  }
  const words = client.addWords(entry);
  sayer(output)(`${title}: ${typed(client, words)}`);
  if (!yes) await ask(`Add this to ${title}?`);
  // The entry runs the copy that stays, not the file that npx may clear away.
  keepProgram(place);
  if (found !== null) change(client, client.removeWords, environment);
  change(client, words, environment);
  keepProxyNoted(environment, 'mcp', output);
  output.note(`Done. Start ${title} again.`);
  return true;
}

/** Whether anything was changed. */
async function remove({ place, client, yes, output }: Step): Promise<boolean> {
  const { environment } = place;
  const { title, removeWords } = client;
  const file = client.file(environment);
  dropCopies(client, environment);
  if (programOf(client, environment) === null) {
    sayer(output)(`${title}: if ${file} has an entry "opbench", take it out`);
    return false;
  }
  if (client.current(environment) === null) {
    sayer(output)(`${title}: there is no entry in ${file}`);
    return false;
  }
  sayer(output)(`${title}: ${typed(client, removeWords)}`);
  if (!yes) await ask(`Take this out of ${title}?`);
  change(client, removeWords, environment);
  output.note(`Taken out. Start ${title} again.`);
  return true;
}

/** With `--json` stdout is for the report. */
function sayer({ isJson, note, part }: AgentOutput): (text: string) => void {
  return isJson ? note : part;
}

function isSame(found: ServerEntry, { command, args, env = {} }: ServerEntry): boolean {
  const was = { command: found.command, args: found.args, env: found.env ?? {} };
  return isDeepStrictEqual(was, { command, args, env });
}

function typed({ program }: McpClient, words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : JSON.stringify(word)));
  return plain([program, ...quoted].join(' '));
}

/** @throws {Failure} `usage` if the client's program does not do it. */
function change(client: McpClient, words: readonly string[], environment: Environment): void {
  const { isDone, reason } = runClient(client, words, environment);
  if (isDone) return;
  const message = `${client.program} ${words.slice(0, 2).join(' ')} failed: ${plain(reason)}`;
  const hint = `Change ${client.file(environment)} by hand: "opbench mcp config" prints the entry.`;
  throw new Failure(EXIT.usage, message, hint);
}

/** Versions before 0.11 kept the file as it was, and what they replaced in it. */
function dropCopies({ name }: McpClient, environment: Environment): void {
  const state = stateFolder(environment);
  for (const path of [join('backups', name), 'mcp.json'])
    rmSync(join(state, path), { force: true });
}

async function ask(question: string): Promise<void> {
  const agreed = await confirm(question);
  if (agreed) return;
  const message = agreed === null ? 'Nobody is there to ask' : 'Nothing was changed';
  throw new Failure(EXIT.usage, message, agreed === null ? 'Run it with --yes.' : null);
}
