/**
 * Senpi: sessions like those of pi. Its launcher OmO uses a folder of its own.
 *
 * code-yeongyu/oh-my-openagent: `packages/omo-senpi`; tokscale: `crates/tokscale-core/src/clients.rs`.
 *
 * @module
 */
import { piReader, sessionPlaces } from './pi.ts';
import { listed, under } from './shared/places.ts';

/** Reader of Senpi's sessions. */
export const senpi = piReader({
  tool: 'senpi',
  name: 'Senpi',
  variables: ['SENPI_CODING_AGENT_DIR', 'SENPI_CODING_AGENT_SESSION_DIR'],
  places(at) {
    const own = ['.senpi', '.omo'].flatMap((folder) => under(at.home, folder, 'agent'));
    const agents = listed(at, 'SENPI_CODING_AGENT_DIR', own);
    const sessions = agents.flatMap((agent) => under(agent, 'sessions'));
    return sessionPlaces(listed(at, 'SENPI_CODING_AGENT_SESSION_DIR', sessions));
  },
  mapping: { logs: '`sessions` in `~/.senpi/agent` and `~/.omo/agent`' },
});
