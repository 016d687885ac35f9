/**
 * Kimchi: sessions like those of pi. It sets the variable itself for the programs that it starts.
 *
 * castai/kimchi: `src/entry.ts`; tokscale: `crates/tokscale-core/src/clients.rs`.
 *
 * @module
 */
import { piReader, sessionPlaces } from './pi.ts';
import { listed, under } from './shared/places.ts';

/** Reader of Kimchi's sessions. */
export const kimchi = piReader({
  tool: 'kimchi',
  name: 'Kimchi',
  variables: ['KIMCHI_CODING_AGENT_DIR'],
  places(at) {
    const own = under(at.home, '.config', 'kimchi', 'harness');
    const agents = listed(at, 'KIMCHI_CODING_AGENT_DIR', own);
    return sessionPlaces(agents.flatMap((agent) => under(agent, 'sessions')));
  },
  mapping: { logs: '`~/.config/kimchi/harness/sessions`' },
});
