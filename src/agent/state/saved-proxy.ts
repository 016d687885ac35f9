/**
 * Saves the proxy variables of a shell for the timer and for MCP clients, which do not have them. They are in the state
 * folder, not in unit files, crontabs or settings of clients, because they may contain a password.
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

/** The file with the variables, which only its owner can read. */
export function savedProxyFile(environment: Environment): string {
  return join(stateFolder(environment), 'proxy.json');
}

export function savedProxy(environment: Environment, starter: Starter): Variables {
  return read(environment)[starter];
}

/**
 * Saves the variables of this shell for a starter, replacing earlier ones.
 *
 * @returns Their names.
 * @throws {Failure} `usage` if a value has control characters, or the file cannot be written.
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

/** Adds the saved variables to an environment, unless it has its own. */
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

/** Saves the proxy variables of this shell for a starter, with a note. Their values are not shown. */
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
