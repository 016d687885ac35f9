import { isDeepStrictEqual } from 'node:util';
import { EXIT, Failure } from '../failure.ts';
import type { McpClient } from './clients.ts';
import type { Config, ServerEntry } from './config-format.ts';

/** What is changed: the entry that shall be there, or null, and what a person may be shown of it. */
export interface Change {
  file: string;
  before: string;
  entry: unknown;
  shown: ServerEntry | null;
}

/**
 * A change that was checked: the entry is there (or, if null, is gone), and all else is as it was.
 *
 * @throws {Failure} if that cannot be done to this text.
 */
export function checkedEdit(
  client: McpClient,
  { file, before, entry, shown }: Change,
  edit: () => string,
): string {
  const { format, place, title } = client;
  try {
    const after = edit();
    const [was, is] = [format.parse(before), format.parse(after)];
    const found = (is[place.holder] as Config | undefined)?.[place.name];
    const isRight = isDeepStrictEqual(plainOf(found ?? null), entry);
    if (isRight && isDeepStrictEqual(others(was, client), others(is, client))) return after;
  } catch {
    // What cannot be changed is told like what came out wrong.
  }
  const lines = shown === null ? '' : `\n${format.show(place, shown)}`;
  const message = `${file} is laid out in a way that opbench cannot change safely`;
  throw new Failure(EXIT.usage, message, `Change the entry for ${title} by hand.${lines}`);
}

/** Everything but the entry; a list of servers that is empty is as good as none. */
function others(config: Config, { place }: McpClient): Config {
  const { [place.holder]: servers, ...rest } = config;
  if (!isConfig(servers)) return { ...config };
  const kept = Object.entries(servers).filter(([name]) => name !== place.name);
  return kept.length > 0 ? { ...rest, [place.holder]: Object.fromEntries(kept) } : rest;
}

/** Whether a value of a configuration has members. */
export function isConfig(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value without the prototypes of its parser. */
export function plainOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
