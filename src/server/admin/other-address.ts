import { plain } from '#core/domain/text/terminal-text.ts';
import { type Config, listenUrl } from '../config/config.ts';

/**
 * What to say where a board comes back at another address than it was at.
 *
 * @param before Null if that is not known.
 * @returns Nothing if it is the same.
 */
export function otherAddress(before: string | null, config: Config): string[] {
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  if (before === null || before === baseUrl) return [];
  return [
    `The board was at ${plain(before)}, and BASE_URL is ${baseUrl} here. Set BASE_URL to the old address`,
    'if people reach the board there; else see opbench-board restore --help for what changes.',
  ];
}
