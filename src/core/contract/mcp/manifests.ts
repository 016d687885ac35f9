/**
 * Manifests with which agents discover the board's MCP server.
 *
 * @module
 */
import * as z from 'zod';
import { object } from '../../schema/object.ts';
import { AI_CATALOG_MEDIA_TYPE, AI_CATALOG_PATH } from '#core/domain/text/file-paths.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import { defineRoute } from '../route.ts';

/** The supported revisions of MCP, newest first. Batches, which only the oldest one has, are rejected. */
export const MCP_REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

export const SERVER_CARD_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
export const SERVER_CARD_MEDIA_TYPE = 'application/mcp-server-card+json';

/** The maximum length of a card's description, in code points. */
export const CARD_DESCRIPTION_LENGTH = 100;

/**
 * The format of a server card, as far as a board needs it.
 *
 * @see {@link https://github.com/modelcontextprotocol/experimental-ext-server-card | MCP server cards}
 */
export const ServerCard = z
  .strictObject({
    $schema: z.literal(SERVER_CARD_SCHEMA).describe('The schema of the card.'),
    name: z
      .string()
      .min(3)
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
      .describe("The name of the server: the board's reversed host name, a slash, and a name."),
    version: z.string().max(255).describe('The version of the software.'),
    title: z.string().min(1).max(100).describe('The name of the board.'),
    description: z
      .string()
      .min(1)
      .max(CARD_DESCRIPTION_LENGTH)
      .describe('What the board is, in one line.'),
    websiteUrl: z.url().describe('The documentation for people.'),
    remotes: z
      .array(
        z.strictObject({
          type: z.literal('streamable-http').describe('The transport.'),
          url: z.url().describe('The URL for messages.'),
          supportedProtocolVersions: z
            .array(z.string())
            .describe('The supported revisions of MCP, newest first.'),
        }),
      )
      .describe('How to reach the server.'),
  })
  .describe('How to reach the MCP server. The server itself lists its tools.')
  .meta({ id: 'ServerCard' });
export type ServerCard = z.infer<typeof ServerCard>;

/**
 * The format of a catalog, as far as a board needs it.
 *
 * @see {@link https://agenticresourcediscovery.org/spec/ | Agentic Resource Discovery}
 */
export const AiCatalog = object('AiCatalog', 'What agents can use on this host.', {
  specVersion: z.literal('1.0').describe('The version of the format.'),
  host: z
    .strictObject({
      displayName: z.string().describe('The name of the board.'),
      documentationUrl: z.url().describe('The documentation for people.'),
    })
    .describe('The host of the catalog.'),
  entries: z
    .array(
      z.strictObject({
        identifier: z
          .string()
          .regex(/^urn:air:[a-zA-Z0-9.-]+(?::[a-zA-Z0-9._-]+)+$/)
          .describe("A permanent identifier from the board's host name and a name."),
        displayName: z.string().min(1).describe('A name for people.'),
        type: z.literal(SERVER_CARD_MEDIA_TYPE).describe('The media type of the resource.'),
        url: z.url().describe('The URL of the server card.'),
        description: z.string().describe("The admin's description of the board."),
        capabilities: z.array(z.string()).describe('The names of the tools.'),
        representativeQueries: z
          .array(z.string())
          .min(2)
          .max(5)
          .describe('Questions that the server can answer.'),
        version: z.string().describe('The version of the software.'),
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
