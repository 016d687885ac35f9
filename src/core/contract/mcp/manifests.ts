/**
 * How agents find the board's MCP server before they speak to it.
 *
 * @module
 */
import * as z from 'zod';
import { AI_CATALOG_MEDIA_TYPE, AI_CATALOG_PATH } from '#core/domain/text/file-paths.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import { PublicRead, defineRoute } from '../route.ts';

/** The revisions of MCP that the server speaks, the newest first; batches, which only the last one has, are refused. */
export const MCP_REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

export const SERVER_CARD_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
export const SERVER_CARD_MEDIA_TYPE = 'application/mcp-server-card+json';

/** The most characters (code points) that a card's description may have. */
export const CARD_DESCRIPTION_LENGTH = 100;

/**
 * The rules of a server card, as far as a board needs them.
 *
 * @see {@link https://github.com/modelcontextprotocol/experimental-ext-server-card | MCP server cards}
 */
export const ServerCard = z
  .strictObject({
    $schema: z.literal(SERVER_CARD_SCHEMA).describe('What kind of card it is.'),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
      .describe("The server: the board's host backwards, a slash, a name."),
    version: z.string().max(255).describe('The version of the program.'),
    title: z.string().min(1).max(100).describe('The name of the board.'),
    description: z
      .string()
      .min(1)
      .max(CARD_DESCRIPTION_LENGTH)
      .describe('What the board is, in a line.'),
    websiteUrl: z.url().describe('The documentation, for people.'),
    remotes: z
      .array(
        z.strictObject({
          type: z.literal('streamable-http').describe('The transport.'),
          url: z.url().describe('Where messages are sent.'),
          supportedProtocolVersions: z
            .array(z.string())
            .describe('The revisions of MCP that it speaks, the newest first.'),
        }),
      )
      .describe('Where the server is reached.'),
  })
  .describe('Where and how the MCP server is reached; its tools are told by the server itself.')
  .meta({ id: 'ServerCard' });
export type ServerCard = z.infer<typeof ServerCard>;

/**
 * The rules of a catalog, as far as a board needs them.
 *
 * @see {@link https://agenticresourcediscovery.org/spec/ | Agentic Resource Discovery}
 */
export const AiCatalog = z
  .strictObject({
    specVersion: z.literal('1.0').describe('The version of the format.'),
    host: z
      .strictObject({
        displayName: z.string().describe('The name of the board.'),
        documentationUrl: z.url().describe('The documentation, for people.'),
      })
      .describe('Who offers what is listed.'),
    entries: z
      .array(
        z.strictObject({
          identifier: z
            .string()
            .regex(/^urn:air:[a-zA-Z0-9.-]+(?::[a-zA-Z0-9._-]+)+$/)
            .describe("A name that stays: the board's host, and what is there."),
          displayName: z.string().min(1).describe('A name for people.'),
          type: z.literal(SERVER_CARD_MEDIA_TYPE).describe('What is found at the address.'),
          url: z.url().describe('Where the server card is.'),
          description: z.string().describe("What it is, in the keeper's words."),
          capabilities: z.array(z.string()).describe('The names of its tools.'),
          representativeQueries: z
            .array(z.string())
            .min(2)
            .max(5)
            .describe('Questions that it answers.'),
          version: z.string().describe('The version of the program.'),
        }),
      )
      .describe('What the board offers to agents.'),
  })
  .describe('What of this host agents can use.')
  .meta({ id: 'AiCatalog' });
export type AiCatalog = z.infer<typeof AiCatalog>;

const Manifest = {
  ...PublicRead,
  tag: 'service',
  limit: 'pages',
  prepared: 'start',
  // They change with the program and its settings only, and clients are advised to keep them so long.
  cacheSeconds: 3600,
} as const;

const Card = { ...Manifest, reply: ServerCard, replyType: SERVER_CARD_MEDIA_TYPE } as const;

export const getServerCard = defineRoute({
  ...Card,
  id: 'getServerCard',
  llms: {
    section: 'For programs',
    title: 'MCP server card',
    about: 'how to reach the remote MCP server',
  },
  path: `${MCP_PATH}/server-card`,
  summary: 'Where and how the MCP server is reached',
});

export const getMcpManifest = defineRoute({
  ...Card,
  id: 'getMcpManifest',
  path: '/.well-known/mcp.json',
  summary: 'The server card, where a client looks first that knows the host only',
});

export const getWellKnownServerCard = defineRoute({
  ...Card,
  id: 'getWellKnownServerCard',
  path: '/.well-known/mcp/server-card.json',
  summary: 'The server card, where an earlier draft has it',
});

export const getAiCatalog = defineRoute({
  ...Manifest,
  reply: AiCatalog,
  replyType: AI_CATALOG_MEDIA_TYPE,
  id: 'getAiCatalog',
  llms: {
    section: 'For programs',
    title: 'Catalog for agents',
    about: 'what of this host agents can use',
  },
  path: AI_CATALOG_PATH,
  summary: 'What of this host agents can use',
});

/** All manifests, which are finished when the board starts. */
export const MANIFESTS = [
  getServerCard,
  getMcpManifest,
  getWellKnownServerCard,
  getAiCatalog,
] as const;
