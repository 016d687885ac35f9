import { UsageError } from '#core/cli/arguments.ts';
import { join, resolve } from 'node:path';
import { type Config, listenUrl } from '#server/config/config.ts';
import { ConfigError } from '#server/config/config-error.ts';
import { readServedConfig } from '#server/running-server.ts';
import {
  type SatelliteBoard,
  satelliteClient,
  type ExportedFile,
  satelliteExport,
} from '#server/satellite/files.ts';
import { EXIT, command } from '../command.ts';
import { writeSite } from './site-folder.ts';

export const satellite = command({
  help: `opbench-board satellite: write the companion site for another host

Usage: opbench-board satellite DIR [--json]

  DIR     the folder to write; new, empty, or written by an earlier run
  --json  print JSON

The companion site shows signed-in operators their peers. Set SATELLITE_URL to its
address, for this command and for the board. The command then prints what to do
with the folder.

Give the site an origin of its own, because other pages of the same origin could
use its tokens. Run the command again after an upgrade, and when the address of
the site, the address of the board or the OpenID provider changes.

Example: SATELLITE_URL=https://peers.example.org/ opbench-board satellite site
`,
  json: `opbench-board satellite --json prints one object:

  files  array of the paths of the written files
`,
  word: 'DIR',
  run({ word }, output, settings) {
    const folder = resolve(word);
    const board = boardOf(readServedConfig(settings));
    const files = filesOf(board);
    writeSite(folder, files);
    const paths = files.map(({ path }) => join(folder, path));
    output.result({ files: paths }, paths.join('\n'));
    output.note(nextSteps(board, folder));
    return EXIT.ok;
  },
});

/** @throws {ConfigError} if `SATELLITE_URL` is not set, or the board's address is unknown. */
function boardOf(config: Config): SatelliteBoard {
  const { agents, baseUrl } = config;
  if (agents.satellite === null) {
    throw new ConfigError(
      'SATELLITE_URL is not set. Set it to the address of the companion site, for this command and for the board. Example: SATELLITE_URL=https://peers.example.org/',
    );
  }
  if (baseUrl === null && config.port === 0) {
    throw new ConfigError(
      'BASE_URL is not set. Set it to the address of the board, which is part of the companion site. Example: BASE_URL=https://bench.example.org',
    );
  }
  const address = baseUrl ?? listenUrl(config, config.port);
  return { config: { ...config, baseUrl: address }, satellite: agents.satellite };
}

function filesOf(board: SatelliteBoard): ExportedFile[] {
  try {
    return satelliteExport(board);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UsageError('The board is not built. Build it: npm start');
  }
}

/** Headers that a page cannot set for itself. */
const HEADERS = [
  "Content-Security-Policy: frame-ancestors 'none'",
  'X-Content-Type-Options: nosniff',
  'Cross-Origin-Opener-Policy: same-origin',
  'Origin-Agent-Cluster: ?1',
];

/** Why a folder of a shared host is not enough. */
const SHARED =
  'Anyone who can publish another page on the same origin could use the tokens of its visitors and read their peers';

function nextSteps(board: SatelliteBoard, folder: string): string {
  const { satellite: site, config } = board;
  const steps = [
    `Upload the files in ${folder}, so that ${site.url} shows index.html`,
    `Set SATELLITE_URL=${site.url} for the board at ${config.baseUrl} and restart it`,
    ...registration(board),
    `Give the site an origin of its own. ${SHARED}`,
    `Configure the host to send these headers:\n${HEADERS.map((each) => `     ${each}`).join('\n')}`,
  ];
  const list = steps.map((step, at) => `  ${at + 1}. ${step}\n`).join('');
  return `Next steps:\n${list}Run this command again after an upgrade, and when an address or the OpenID provider changes.\n`;
}

/** How to register the site with an external provider. The board's own provider needs no registration. */
function registration(board: SatelliteBoard): string[] {
  if (board.config.signIn.authority === null) return [];
  const { id, issuer, redirect_uri, resource } = satelliteClient(board);
  const { origin } = new URL(redirect_uri);
  return [
    `At ${issuer}, register the client ${id}: a public client (no secret), authorization code flow with PKCE, redirect URI ${redirect_uri}, allowed origin ${origin}, access tokens for ${resource}`,
  ];
}
