/** Examples of the manifests that agents find the board by. */
import { exampleOf } from './example.ts';
import { AUDIENCE } from './parts.ts';
import {
  MCP_REVISIONS,
  SERVER_CARD_MEDIA_TYPE,
  SERVER_CARD_SCHEMA,
  type ServerCard,
  getAiCatalog,
  getMcpManifest,
  getServerCard,
  getWellKnownServerCard,
} from '../mcp/manifests.ts';

const CARD: ServerCard = {
  $schema: SERVER_CARD_SCHEMA,
  name: 'org.example.bench/opbench',
  version: '1.2.3',
  title: 'Opbench',
  description: 'A leaderboard for people who work with AI assistants.',
  websiteUrl: `${AUDIENCE}/developers`,
  remotes: [
    {
      type: 'streamable-http',
      url: `${AUDIENCE}/api/mcp`,
      supportedProtocolVersions: [...MCP_REVISIONS],
    },
  ],
};

export const MANIFEST_EXAMPLES = [
  ...[getServerCard, getMcpManifest, getWellKnownServerCard].map((route) => {
    return exampleOf(route, { reply: CARD });
  }),
  exampleOf(getAiCatalog, {
    reply: {
      specVersion: '1.0',
      host: { displayName: 'Opbench', documentationUrl: `${AUDIENCE}/developers` },
      entries: [
        {
          identifier: 'urn:air:bench.example.org:mcp:opbench',
          displayName: 'Opbench',
          type: SERVER_CARD_MEDIA_TYPE,
          url: `${AUDIENCE}/api/mcp/server-card`,
          description: 'A leaderboard for people who work with AI assistants.',
          capabilities: ['get_leaderboard', 'discover_peers'],
          representativeQueries: [
            'Who leads the leaderboard by yield?',
            'Which operators can I learn from?',
          ],
          version: '1.2.3',
        },
      ],
    },
  }),
];
