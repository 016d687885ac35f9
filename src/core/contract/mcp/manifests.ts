/**
 * How agents find the board's MCP server before they speak to it.
 *
 * @module
 */
import * as z from 'zod';
import { object } from '../../schema/object.ts';
import { AI_CATALOG_MEDIA_TYPE, AI_CATALOG_PATH } from '#core/domain/text/file-paths.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import { defineRoute } from '../route.ts';

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
export const AiCatalog = object('AiCatalog', 'What of this host agents can use.', {
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
});
export type AiCatalog = z.infer<typeof AiCatalog>;

export const getServerCard = defineRoute('getServerCard', {
  auth: 'public',
  reply: ServerCard,
  replyType: SERVER_CARD_MEDIA_TYPE,
  path: `${MCP_PATH}/server-card`,
});

export const getMcpManifest = defineRoute('getMcpManifest', {
  auth: 'public',
  reply: ServerCard,
  replyType: SERVER_CARD_MEDIA_TYPE,
});

export const getWellKnownServerCard = defineRoute('getWellKnownServerCard', {
  auth: 'public',
  reply: ServerCard,
  replyType: SERVER_CARD_MEDIA_TYPE,
});

export const getAiCatalog = defineRoute('getAiCatalog', {
  auth: 'public',
  reply: AiCatalog,
  replyType: AI_CATALOG_MEDIA_TYPE,
  path: AI_CATALOG_PATH,
});
