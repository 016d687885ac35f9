/** `opbench mcp install`: shows what would change in a client's configuration, and changes it. */
import { existsSync } from 'node:fs';
import { plainJson } from '#core/domain/text/terminal-text.ts';
import { confirm } from './ask.ts';
import type { Output } from '../command.ts';
import type { Place } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { keepProgram } from '../kept/installed.ts';
import { forgetProxy } from '../kept/kept-proxy.ts';
import type { Environment } from '../settings.ts';
import { diffText } from '../text/diff.ts';
import { keepProxyNoted } from '../text/kept-proxy.ts';
import { isInstalled } from './added.ts';
import { CLIENTS, type McpClient, clientNamed } from './clients.ts';
import type { ServerEntry } from './config-format.ts';
import { type Plan, carryOut, carryOutRemoval, planInstall, planRemoval } from './installation.ts';

/** What was asked for. */
export interface InstallOptions {
  /** The client's name; absent for all that this user has. */
  name: string | undefined;
  undo: boolean;
  yes: boolean;
  json: boolean;
}

/** What became of one client's configuration, as `--json` prints it. */
interface Outcome {
  client: string;
  file: string;
  changed: boolean;
  backup: string | null;
}

/** @throws {Failure} if it cannot, or may not; what was changed before is told. */
export async function installServer(
  place: Place,
  options: InstallOptions,
  output: Output,
): Promise<void> {
  const { name, undo, json } = options;
  const { environment } = place;
  const clients = name === undefined ? presentClients(environment) : [clientNamed(name)];
  const plans = clients.map((client) => {
    return undo ? planRemoval(client, environment) : planInstall(client, environment);
  });
  plans.forEach((plan) => refuseForeign(plan, options));
  const outcomes: Outcome[] = [];
  for (const plan of plans) outcomes.push(await settle(place, plan, options, output));
  if (undo && !isInstalled(environment)) forgetProxy(environment, 'mcp');
  if (json) output.result(plainJson({ clients: outcomes }));
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

function refuseForeign({ client, file, gone, isForeign }: Plan, { yes }: InstallOptions): void {
  if (!isForeign || yes) return;
  const command = gone?.command ? `: ${[gone.command, ...gone.args].join(' ')}` : '';
  const message = `${file} has an entry "${client.place.name}" that opbench did not write${command}`;
  throw new Failure(EXIT.usage, message, '--yes replaces it, and --undo then puts it back.');
}

async function settle(
  place: Place,
  plan: Plan,
  { undo, yes, json }: InstallOptions,
  output: Output,
): Promise<Outcome> {
  const { client, file, before, after } = plan;
  const say = json ? output.note : output.result;
  const outcome = { client: client.name, file, changed: false, backup: null };
  if (after === before) {
    if (undo) carryOutRemoval(place, plan);
    else keepProxyNoted(place.environment, 'mcp', output);
    say(undo ? `${client.title}: there is no entry in ${file}` : `${client.title}: ${file} has it`);
    return outcome;
  }
  say(changeText(plan));
  if (!yes) await ask(client, undo);
  const backup = undo ? carryOutRemoval(place, plan) : install(place, plan);
  if (!undo) keepProxyNoted(place.environment, 'mcp', output);
  const told = backup === null ? '' : ` Before: ${backup}`;
  output.note(`${undo ? 'Taken out' : 'Done'}. Start ${client.title} again.${told}`);
  return { ...outcome, changed: true, backup };
}

/** Of the file no more than the entry: other lines may hold secrets. */
function changeText({ client: { format, place }, file, gone, come }: Plan): string {
  const shown = (entry: ServerEntry | null) => (entry ? format.show(place, entry) : '');
  return diffText(file, shown(gone), shown(come));
}

/** The entry runs the copy that stays, not the file that npx may clear away. */
function install(place: Place, plan: Plan): string | null {
  keepProgram(place);
  return carryOut(place, plan);
}

async function ask({ title }: McpClient, undo: boolean): Promise<void> {
  const agreed = await confirm(undo ? `Take this out of ${title}?` : `Add this to ${title}?`);
  if (agreed) return;
  const message = agreed === null ? 'Nobody is there to ask' : 'Nothing was changed';
  throw new Failure(EXIT.usage, message, agreed === null ? 'Run it with --yes.' : null);
}
