/** Resources: what people can attach to a conversation. */
import { UNTRUSTED } from './board-tool.ts';

const JSON_TYPE = 'application/json';

/** The number of operators on a leaderboard as a resource, which becomes part of a conversation as a whole. */
export const TOP_LENGTH = 20;

/** A resource as listed by `resources/list`. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** The resources about a board: what they are, and their addresses, which are the same on a board and on a device. */
export function resourcesOf(board: string): { top: Resource; own: Resource } {
  const { host } = new URL(board);
  return {
    top: {
      uri: `opbench://${host}/leaderboard`,
      name: `${host} leaderboard`,
      title: `Leaderboard of ${host}`,
      description: `The first ${TOP_LENGTH} operators by yield over 30 days.`,
      mimeType: JSON_TYPE,
    },
    own: {
      uri: `opbench://${host}/me`,
      name: `${host} me`,
      title: `My rank on ${host}`,
      description: 'My rank and class, or what is missing for a rank, and notices.',
      mimeType: JSON_TYPE,
    },
  };
}

/**
 * Returns the result of `resources/read`.
 *
 * @param untrusted Members of the value that other people wrote.
 */
export function resourceResult(
  { uri, mimeType }: Resource,
  value: unknown,
  untrusted: readonly string[],
) {
  const text = JSON.stringify(value);
  return { contents: [{ uri, mimeType, text, _meta: { [UNTRUSTED]: [...untrusted] } }] };
}
