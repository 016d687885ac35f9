/** Examples of the browsers that an operator is signed in with. */
import { exampleOf } from './example.ts';
import { endOtherSessions, endSession, listSessions } from '../sessions.ts';

const HERE = {
  id: '5b0c2f0e-7a64-4a0a-9d3f-6a1f3c1c9b52',
  current: true,
  method: 'github' as const,
  label: 'Firefox on Linux',
  created_at: '2026-11-01T09:12:40.000Z',
  last_seen_at: '2026-11-20T17:03:11.000Z',
  expires_at: '2026-12-20T17:03:11.000Z',
};

const ELSEWHERE = {
  ...HERE,
  id: '0d9a7a3e-51d1-4f5a-8a0e-2c8f5d0b7e11',
  current: false,
  method: 'email_magic_link' as const,
  label: 'Safari on iOS',
};

export const SESSION_EXAMPLES = [
  exampleOf(listSessions, { reply: { sessions: [HERE, ELSEWHERE] } }),
  exampleOf(endOtherSessions, { reply: { sessions: [ELSEWHERE] } }),
  exampleOf(endSession, { params: { id: ELSEWHERE.id }, reply: ELSEWHERE }),
];
