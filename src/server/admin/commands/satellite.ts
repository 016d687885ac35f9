import { UsageError } from '#core/cli/arguments.ts';
import { join, resolve } from 'node:path';
import { type Config, ConfigError, listenUrl } from '#server/config/config.ts';
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
  help: `opbench-board satellite DIR [--json]: writes the companion site for the host at
SATELLITE_URL into a folder, and says what to do with it. That origin should hold
nothing else, because other pages of it could act as the site. Run it again when
the address of either, the provider or the version of the board changes.

Example: SATELLITE_URL=https://peers.example.org/ opbench-board satellite site

--json prints {"files"}, the paths of what was written.
`,
  word: 'DIR',
  run({ word }, output) {
    const folder = resolve(word);
    const board = boardOf(readServedConfig(process.env));
    const files = filesOf(board);
    writeSite(folder, files);
    const paths = files.map(({ path }) => join(folder, path));
    output.result({ files: paths }, paths.join('\n'));
    output.note(nextSteps(board, folder));
    return EXIT.ok;
  },
});

/** @throws {ConfigError} if it has no companion site on another host. */
function boardOf(config: Config): SatelliteBoard {
  const { agents, baseUrl } = config;
  if (agents.satellite === null) {
    throw new ConfigError(
      'Set SATELLITE_URL to the address at which the site will stand, such as https://peers.example.org/, for this command and for the board',
    );
  }
  if (baseUrl === null && config.port === 0) {
    throw new ConfigError('Set BASE_URL: the site has the address of the board written into it');
  }
  const address = baseUrl ?? listenUrl(config, config.port);
  return { config: { ...config, baseUrl: address }, satellite: agents.satellite };
}

function filesOf(board: SatelliteBoard): ExportedFile[] {
  try {
    return satelliteExport(board);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UsageError('The board is not built: start it once with npm start');
  }
}

/** What a page cannot say by itself. */
const HEADERS = [
  "Content-Security-Policy: frame-ancestors 'none'",
  'X-Content-Type-Options: nosniff',
  'Cross-Origin-Opener-Policy: same-origin',
  'Origin-Agent-Cluster: ?1',
];

/** A page's folder keeps nothing from the others of its origin. */
const SHARED =
  'browsers know pages by origin, so whoever can put a page elsewhere on that host could take the tokens of its visitors, and read their peers';

function nextSteps(board: SatelliteBoard, folder: string): string {
  const { satellite: site, config } = board;
  const steps = [
    `Put what is in ${folder} on its host, so that index.html answers at ${site.url}`,
    `Start the board at ${config.baseUrl} with SATELLITE_URL=${site.url}`,
    ...registration(board),
    `Give the site an origin of its own: ${SHARED}`,
    `Have the host send these headers, which a page cannot set itself:\n${HEADERS.map((each) => `     ${each}`).join('\n')}`,
  ];
  const list = steps.map((step, at) => `  ${at + 1}. ${step}\n`).join('');
  return `Next:\n${list}Run this again when the address of either, the provider or the version of the board changes.\n`;
}

/** The board's own provider knows the site by itself. */
function registration(board: SatelliteBoard): string[] {
  if (board.config.signIn.authority === null) return [];
  const { id, issuer, redirect_uri, resource } = satelliteClient(board);
  const { origin } = new URL(redirect_uri);
  return [
    `At ${issuer}, register the client ${id}: public (no secret), code flow with PKCE, redirect URI ${redirect_uri}, requests from the origin ${origin} allowed, access tokens for ${resource}`,
  ];
}
