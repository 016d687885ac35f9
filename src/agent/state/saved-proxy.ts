/**
 * The proxy variables of a shell, for what starts the command without them: the timer, and clients of MCP. They are
 * kept in the state folder and not in unit files, crontabs or settings of clients, because they may hold a password.
 *
 * @module
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PROXY_VARIABLES } from '../proxy.ts';
import { type Environment, refuseControls, stateFolder } from '../settings.ts';
import type { AgentOutput } from '../command.ts';
import { readJson, writePrivate } from './atomic-file.ts';

const Variables = z.record(z.string(), z.string());
const Kept = z.object({ timer: Variables.default({}), mcp: Variables.default({}) });
type Kept = z.infer<typeof Kept>;
type Variables = Kept[Starter];

export type Starter = 'mcp' | 'timer';

/** Where they are kept, in a file that only its owner can read. */
export function savedProxyFile(environment: Environment): string {
  return join(stateFolder(environment), 'proxy.json');
}

export function savedProxy(environment: Environment, starter: Starter): Variables {
  return read(environment)[starter];
}

/**
 * Keeps the variables of this shell for a starter, in the place of those that were kept before.
 *
 * @returns Their names.
 * @throws {Failure} `usage` for a value that cannot be a URL or a list, or if the file cannot be written.
 */
export function saveProxy(environment: Environment, starter: Starter): string[] {
  const variables = proxyVariables(environment);
  for (const [name, value] of Object.entries(variables)) refuseControls(name, value);
  write(environment, starter, variables);
  return Object.keys(variables);
}

export function forgetProxy(environment: Environment, starter: Starter): void {
  write(environment, starter, {});
}

/** An environment with the variables that were kept for a starter, unless it has some of its own. */
export function withSavedProxy(environment: Environment, starter: Starter): Environment {
  const isSet = Object.keys(proxyVariables(environment)).length > 0;
  return isSet ? environment : { ...environment, ...savedProxy(environment, starter) };
}

export function proxyVariables(environment: Environment): Variables {
  const set = PROXY_VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(set);
}

function read(environment: Environment): Kept {
  return readJson(savedProxyFile(environment), Kept) ?? Kept.parse({});
}

function write(environment: Environment, starter: Starter, variables: Variables): void {
  const path = savedProxyFile(environment);
  const kept = { ...read(environment), [starter]: variables };
  const isEmpty = Object.values(kept).every((one) => Object.keys(one).length === 0);
  if (isEmpty) rmSync(path, { force: true });
  else writePrivate(path, `${JSON.stringify(kept, null, 2)}\n`);
}

const STARTERS: Readonly<Record<Starter, string>> = { mcp: 'MCP server', timer: 'timer' };

/** Keeps the proxy variables of this shell for a starter, and says so. Their values are not shown. */
export function keepProxyNoted(
  environment: Environment,
  starter: Starter,
  { note }: Pick<AgentOutput, 'note'>,
): void {
  const names = saveProxy(environment, starter);
  if (names.length === 0) return;
  const file = savedProxyFile(environment);
  note(
    `Saved ${names.join(', ')} for the ${STARTERS[starter]} in ${file}. Only your user can read it.`,
  );
}
