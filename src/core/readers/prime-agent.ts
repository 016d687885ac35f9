/**
 * Prime Agent: sessions like those of pi. Sub-agents have sessions of their own beside them. Their usage is also attributed
 * to the response that started them, as an entry that is not counted.
 *
 * PrimeIntellect-ai/prime-agent: `packages/coding-agent/src/config.ts`, `src/core/session-manager.ts`.
 *
 * @module
 */
import { piReader, sessionPlaces } from './pi.ts';
import { listed, under } from './shared/places.ts';

/** Reader of Prime Agent's sessions. */
export const primeAgent = piReader({
  tool: 'prime-agent',
  name: 'Prime Agent',
  variables: ['PRIME_AGENT_CODING_AGENT_DIR', 'PRIME_AGENT_SESSION_DIR'],
  places(at) {
    const agents = listed(at, 'PRIME_AGENT_CODING_AGENT_DIR', under(at.home, '.prime', 'agent'));
    const sessions = agents.flatMap((agent) => under(agent, 'sessions'));
    return sessionPlaces(
      listed(at, 'PRIME_AGENT_SESSION_DIR', sessions).flatMap((folder) => [
        folder,
        // Artifacts are beside the sessions.
        `${folder}/../session-artifacts`,
      ]),
    );
  },
  mapping: {
    logs: '`sessions` and `session-artifacts` in `~/.prime/agent`',
    missing: 'Deleted sessions. Sub-agents without a session.',
  },
});
