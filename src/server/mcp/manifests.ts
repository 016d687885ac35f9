/** The manifests of the board's MCP server. */
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

/** Sample questions for directories of agent tools. */
const QUESTIONS = [
  'Who leads the leaderboard of people who work with AI assistants?',
  'How does an operator use tokens, and how has that changed over time?',
  'Which operators one class above me work in a similar way?',
  'Which of my days with an AI assistant lowered my yield, and why?',
];

/** The default description of a board for agents. */
const BRIEF = 'Read operator rankings and metrics; submit signed token counts.';

/** Identifies the server, in the manifests and in every answer. */
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
 * Returns a globally unique name.
 *
 * @example `org.example.bench/opbench`, and `localhost/opbench-4321` for a local board
 */
function serverName(baseUrl: string): string {
  const publisher = publisherOf(baseUrl);
  const space = isIP(publisher) > 0 ? publisher : publisher.split('.').reverse().join('.');
  return `${space}/${nameAt(baseUrl)}`;
}

/** Returns the host with hyphens for characters that a name must not contain, such as the colons of an IPv6 address. */
function publisherOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return hostname.replaceAll(/[[\]]/g, '').replaceAll(/[^a-z0-9.-]/g, '-');
}

/** Returns a name that distinguishes boards on different ports of a host. */
function nameAt(baseUrl: string): string {
  const { port } = new URL(baseUrl);
  return port === '' ? 'opbench' : `opbench-${port}`;
}

function briefOf({ description }: Site): string {
  const isDefault = description === DEFAULT_SITE.description;
  return isDefault ? BRIEF : shortened(description, CARD_DESCRIPTION_LENGTH);
}

/**
 * Shortens a text to one line of at most `most` code points. It ends after a clause if that keeps at least half of them,
 * otherwise after a word, with an ellipsis.
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
