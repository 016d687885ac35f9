/** The pages of a board without operators, where only the admin can create one. */
import * as visits from './site-visits.ts';
import type { View } from './view.ts';

/** A request through a proxy is not from the admin's own computer. */
const ELSEWHERE = { 'X-Forwarded-For': '192.0.2.7' };

export const EMPTY_VIEWS: Record<string, readonly View[]> = {
  'index.astro': [{ path: '/', name: 'empty-front' }],
  'leaderboard/[window]/[metric].astro': [
    { path: '/leaderboard/all_time/snr', name: 'empty-board' },
  ],
  'metrics/index.astro': [{ path: '/metrics', name: 'empty-metrics' }],
  'metrics/[metric].astro': [{ path: '/metrics/yield', name: 'empty-metric' }],
  'challenges/index.astro': [{ path: '/challenges', name: 'empty-challenges' }],
  'tv.astro': [{ path: '/tv', name: 'empty-tv' }],
  'compare.astro': [
    { path: '/compare', name: 'empty-compare' },
    { path: '/compare?with=ada,bob', name: 'empty-compared', status: 404 },
  ],
  'classes.astro': [{ path: '/classes', name: 'empty-classes' }],
  'embed/board.astro': [{ path: '/embed/board', name: 'empty-embed' }],
  'hall-of-signal/index.astro': [{ path: '/hall-of-signal', name: 'empty-hall-of-signal' }],
  'hall-of-signal/[metric].astro': [{ path: '/hall-of-signal/yield', name: 'empty-record' }],
  'submissions/index.astro': [{ path: '/submissions', name: 'empty-submissions' }],
  'methodology/rules.astro': [{ path: '/methodology/rules', name: 'empty-rules', isSlow: true }],
  'science/intervals.astro': [
    { path: '/science/intervals', name: 'empty-intervals', isSlow: true },
  ],
  'developers.astro': [{ path: '/developers', name: 'empty-developers', isSlow: true }],
  'dev/mail.astro': [{ path: '/dev/mail', name: 'empty-mailbox' }],
  'setup.astro': [
    { path: '/', name: 'setup', act: visits.openSetup },
    { path: '/setup?token=nothing', name: 'setup-invalid', status: 422 },
  ],
  'invite/[token].astro': [{ path: '/invite/nothing', name: 'invitation-invalid', status: 422 }],
  'email/confirm.astro': [
    { path: '/email/confirm?token=nothing', name: 'confirm-invalid', status: 422 },
  ],
  'email/unsubscribe.astro': [
    { path: '/email/unsubscribe?token=nothing', name: 'unsubscribe-invalid', status: 422 },
  ],
  'login.astro': [{ path: '/login', name: 'login-by-keeper', headers: ELSEWHERE }],
  // The last one, because it breaks the board.
  '500.astro': [{ path: '/', name: 'board-failed', status: 500, act: visits.breakBoard }],
};
