// The invented operators of synthetic-states.mjs, and what is unusual about each.

const WORDS = 'Augusta Ada of the Analytical Engine, Countess of Lovelace, and of names so long';

/** Their profiles. */
export const PROFILES = {
  identified: {
    display_name: 'Ada Synthetic',
    bio: 'Counts what the machine counts.\nWrites the second line, too.',
    location: 'Nowhere in particular',
    links: ['https://synthetic.example/', 'https://code.synthetic.example/ada'],
    cohort_id: 'lab',
  },
  longest: { display_name: WORDS, bio: 'words '.repeat(83), cohort_id: 'guild' },
  unbroken: { display_name: 'W'.repeat(80), bio: 'm'.repeat(500), location: 'W'.repeat(80) },
  hebrew: { display_name: 'עדה לבלייס (בדיקה 42)', bio: 'כותבת קוד.', location: 'ירושלים' },
  arabic: { display_name: 'آدا لوفلايس', bio: 'تكتب البرامج.' },
  emoji: { display_name: '🦦 Otter 🧮 & <b>bold</b>', bio: '🦦'.repeat(40) },
};

/** The habits of operators with unusual numbers. */
export const HABITS = {
  huge: { input: 1e10, velocity: 0.004, leverage: 3e3 },
  tiny: { input: 200_000, velocity: 0.05, leverage: 1e-5 },
  nothingCached: { input: 60_000, velocity: 2, leverage: 0 },
};

export const USUAL = { input: 60_000, velocity: 2.2, leverage: 60 };

/** The operators by kind. Their codenames begin with `synthetic-`. */
export const NAMES = [
  ...Object.keys(PROFILES),
  ...Object.keys(HABITS),
  ...['anonymous', 'private', 'hidden', 'held', 'partly-held', 'rejected', 'withdrawn', 'renamed'],
  ...['self-reported', 'mixed', 'opted-out', 'unreported', 'one-day', 'idle', 'deleted'],
];

/** A codename of the highest length. */
export const CODENAMES = {
  longest: 'synthetic-the-longest-codename',
  nothingCached: 'synthetic-no-cache',
};
