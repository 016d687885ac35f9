/** The companion site's program: shows the signed-in operator's peers, and offers them to agents in the browser. */
import type { SatelliteClient, SatelliteData } from '#core/contract/satellite.ts';
import type { Access } from './answers.ts';
import { cookieAccess } from './cookie-access.ts';
import { elementOf } from './dom.ts';
import { pageOf } from './page.ts';
import { toolOver } from './tool.ts';
import { offerTool } from './web-mcp.ts';

const { board, client, tool } = JSON.parse(elementOf('data').textContent) as SatelliteData;
const access = client === null ? cookieAccess(location.pathname) : await accessElsewhere(client);
const page = pageOf({ access, board, again });

void offerTool(toolOver(tool, access, page.showCall)).then(page.showOffer);
again();
// When the browser restores the page from its cache, the session may have changed.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) again();
});

function again(): void {
  void access.peers(new URLSearchParams()).then(page.show);
}

/** Loads the OAuth sign-in, which the board itself does not need. */
async function accessElsewhere(at: SatelliteClient): Promise<Access> {
  const { browserTab, tokenAccess } = await import('./token-access.ts');
  return tokenAccess({ board, client: at }, browserTab);
}
