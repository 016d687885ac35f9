import type { Output } from './command.ts';
import { type Starter, saveProxy, savedProxyFile } from './state/saved-proxy.ts';
import type { Environment } from './settings.ts';

const STARTERS: Readonly<Record<Starter, string>> = { mcp: 'MCP server', timer: 'timer' };

/**
 * Keeps the proxy variables of this shell for a starter, and says so. Their values are not shown.
 *
 * @throws {Failure} if they cannot be kept.
 */
export function keepProxyNoted(
  environment: Environment,
  starter: Starter,
  { note }: Pick<Output, 'note'>,
): void {
  const names = saveProxy(environment, starter);
  if (names.length === 0) return;
  const file = savedProxyFile(environment);
  note(
    `Saved ${names.join(', ')} for the ${STARTERS[starter]} in ${file}. Only your user can read it.`,
  );
}
