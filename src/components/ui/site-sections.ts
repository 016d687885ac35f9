/** The sections of the site that header and footer link. */
export type Room =
  | 'board'
  | 'challenges'
  | 'developers'
  | 'docs'
  | 'hall-of-signal'
  | 'methodology'
  | 'metrics'
  | 'privacy'
  | 'science'
  | 'settings'
  | 'submissions';

export interface RoomLink {
  room: Room | null;
  href: string;
  label: string;
}

export const MAIN_ROOMS: readonly RoomLink[] = [
  { room: 'board', href: '/', label: 'Board' },
  { room: 'metrics', href: '/metrics', label: 'Metrics' },
  { room: 'challenges', href: '/challenges', label: 'Challenges' },
  { room: 'hall-of-signal', href: '/hall-of-signal', label: 'Records' },
  { room: 'docs', href: '/docs', label: 'Docs' },
];

export const OWN_ROOMS: readonly RoomLink[] = [
  { room: null, href: '/#join', label: 'Join' },
  { room: 'settings', href: '/settings', label: 'Account' },
];

export const FOOT_ROOMS: readonly RoomLink[] = [
  { room: 'methodology', href: '/methodology', label: 'Methodology' },
  { room: 'science', href: '/science', label: 'Science' },
  { room: 'privacy', href: '/privacy', label: 'Privacy' },
  { room: 'submissions', href: '/submissions', label: 'Submissions' },
  { room: 'developers', href: '/developers', label: 'API reference' },
  { room: null, href: '/transparency', label: 'Transparency' },
  { room: null, href: '/log.ndjson.gz', label: 'Public log' },
  { room: null, href: '/.well-known/opbench-keys.json', label: 'Board keys' },
];
