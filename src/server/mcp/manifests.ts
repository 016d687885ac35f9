/** What the board tells of its MCP server, in its manifests and when it is asked. */
import { isIP } from 'node:net';
import type { Implementation } from '@modelcontextprotocol/server';
import { BOARD_TOOLS } from '#core/contract/mcp/board-tools.ts';
import {
  type AiCatalog,
  CARD_DESCRIPTION_LENGTH,
  MCP_REVISIONS,
  SERVER_CARD_MEDIA_TYPE,
  SERVER_CARD_SCHEMA,
  type ServerCard,
  getServerCard,
} from '#core/contract/mcp/manifests.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import type { AppContext } from '../context.ts';
import { DEFAULT_SITE, type Site } from '../config/site.ts';

type BoardFacts = Pick<AppContext, 'config' | 'release'>;

/** What a search for agents' tools may be asked that this server answers. */
const QUESTIONS = [
  'Who leads the leaderboard of people who work with AI assistants?',
  'How does one operator use tokens, and how did that change over time?',
  'Which operators a class above me work in a way that is near to mine?',
  'Where do my own days with an AI assistant lose yield?',
];

/** What a board is for an agent, if its admin has no words of their own. */
const BRIEF = 'Read operator rankings and metrics; submit signed token counts.';

/** Who answers, as the server itself says it in every answer. */
export function implementationOf({ config: { baseUrl, site }, release }: BoardFacts) {
  return {
    name: serverName(baseUrl),
    version: release.version,
    title: site.name,
    description: briefOf(site),
    websiteUrl: `${baseUrl}/developers`,
  } satisfies Implementation;
}

export function readServerCard(ctx: BoardFacts): ServerCard {
  return {
    $schema: SERVER_CARD_SCHEMA,
    ...implementationOf(ctx),
    remotes: [
      {
        type: 'streamable-http',
        url: ctx.config.baseUrl + MCP_PATH,
        supportedProtocolVersions: [...MCP_REVISIONS],
      },
    ],
  };
}

export function readAiCatalog({ config: { baseUrl, site }, release }: BoardFacts): AiCatalog {
  return {
    specVersion: '1.0',
    host: { displayName: site.name, documentationUrl: `${baseUrl}/developers` },
    entries: [
      {
        identifier: `urn:air:${publisherOf(baseUrl)}:mcp:${nameAt(baseUrl)}`,
        displayName: site.name,
        type: SERVER_CARD_MEDIA_TYPE,
        url: baseUrl + getServerCard.path,
        description: site.description,
        capabilities: BOARD_TOOLS.map(({ name }) => name),
        representativeQueries: QUESTIONS,
        version: release.version,
      },
    ],
  };
}

/**
 * A name that no other board has.
 *
 * @example `org.example.bench/opbench`, and `localhost/opbench-4321` of one that is not for the public
 */
function serverName(baseUrl: string): string {
  const publisher = publisherOf(baseUrl);
  const space = isIP(publisher) > 0 ? publisher : publisher.split('.').reverse().join('.');
  return `${space}/${nameAt(baseUrl)}`;
}

/** The host, with a hyphen for what a name may not hold, such as the colons of an IPv6 address. */
function publisherOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return hostname.replaceAll(/[[\]]/g, '').replaceAll(/[^a-z0-9.-]/g, '-');
}

/** Boards on several ports of one host are several. */
function nameAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return port === '' ? 'opbench' : `opbench-${port}`;
}

function briefOf({ description }: Site): string {
  const isDefault = description === DEFAULT_SITE.description;
  return isDefault ? BRIEF : shortened(description, CARD_DESCRIPTION_LENGTH);
}

/**
 * A text on one line of at most so many code points: where it is longer, it ends after a clause, or where
 * that would leave less than half of them, after a word, and says so.
 */
function shortened(text: string, most: number): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= most) return line;
  const [, clause = ''] = /^(.*[.,:;]) /.exec(characters.slice(0, most + 1).join('')) ?? [];
  if ([...clause].length >= most / 2) return clause.replace(/[,:;]$/, '');
  const words = characters
    .slice(0, most)
    .join('')
    .replace(/ [^ ]*$/, '');
  const kept = [...words].length < most ? words : characters.slice(0, most - 1).join('');
  return `${kept.replace(/[\s,;:.]+$/, '')}…`;
}
