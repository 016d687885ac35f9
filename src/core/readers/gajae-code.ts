/**
 * Gajae-Code: sessions like those of pi.
 *
 * tokscale: `crates/tokscale-core/src/clients.rs`.
 *
 * @module
 */
import { piReader, sessionPlaces } from './pi.ts';
import { dataFolder, listed, under } from './shared/places.ts';

/** Reader of Gajae-Code's sessions. */
export const gajaeCode = piReader({
  tool: 'gajae-code',
  name: 'Gajae-Code',
  variables: ['GJC_CODING_AGENT_DIR', 'XDG_DATA_HOME'],
  places(at) {
    const agents = listed(at, 'GJC_CODING_AGENT_DIR', under(at.home, '.gjc', 'agent'));
    const sessions = agents.flatMap((agent) => under(agent, 'sessions'));
    return sessionPlaces([...sessions, ...under(dataFolder(at), 'gjc', 'sessions')]);
  },
  mapping: { logs: '`~/.gjc/agent/sessions` and `~/.local/share/gjc/sessions`' },
});
