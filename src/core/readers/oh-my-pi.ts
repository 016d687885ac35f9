/**
 * Oh My Pi: sessions like those of pi. Each sub-agent has a session in the folder of its parent. Profiles have folders of
 * their own. With `PI_CODING_AGENT_DIR`, which both tools use, sessions count as those of pi.
 *
 * can1357/oh-my-pi: `packages/utils/src/dirs.ts`; tokscale: `crates/tokscale-core/src/clients.rs`.
 *
 * @module
 */
import { piReader, sessionPlaces } from './pi.ts';
import { dataFolder, under } from './shared/places.ts';

/** Reader of Oh My Pi's sessions. */
export const ohMyPi = piReader({
  tool: 'oh-my-pi',
  name: 'Oh My Pi',
  variables: ['XDG_DATA_HOME'],
  places: (at) => [
    ...sessionPlaces([
      ...under(at.home, '.omp', 'agent', 'sessions'),
      ...under(dataFolder(at), 'omp', 'sessions'),
    ]),
    ...under(at.home, '.omp', 'profiles').map((path) => {
      return { path, logs: ['*/agent/sessions/**/*.jsonl'] };
    }),
  ],
  mapping: { logs: '`~/.omp/agent/sessions`, also of profiles, and `~/.local/share/omp/sessions`' },
});
