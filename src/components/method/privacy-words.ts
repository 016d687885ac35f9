import type { PrivacyMode } from '#core/schema/record.ts';

interface PrivacyWords {
  mode: PrivacyMode;
  label: string;
  shows: readonly string[];
  done: string;
}

/** From the most open to the most closed. */
export const PRIVACY_WORDS: readonly PrivacyWords[] = [
  {
    mode: 'identified',
    label: 'Identified',
    shows: [
      'Everybody sees your codename with your name, picture, place, links and what you tell of yourself.',
      'Ranks, history, records, keys and signed snapshots are public.',
    ],
    done: 'You are identified now: your profile is public.',
  },
  {
    mode: 'pseudonymous',
    label: 'Pseudonymous',
    shows: [
      'Everybody sees your codename, ranks, history, records, keys and signed snapshots.',
      'Name, picture, place, links and what you tell of yourself stay hidden.',
    ],
    done: 'You are pseudonymous now: everybody sees your codename, and nobody your profile.',
  },
  {
    mode: 'anonymous',
    label: 'Anonymous',
    shows: [
      'You are ranked under a name that the board makes up, and a new one each time you become anonymous. It leads to no page.',
      'Codename, profile, history, records, keys and snapshots stay hidden. Who knows your numbers may still recognise them.',
    ],
    done: 'You are anonymous now: the board shows your numbers under a made-up name.',
  },
  {
    mode: 'private',
    label: 'Private',
    shows: [
      'Nobody but you sees anything of you. You are not ranked, and counted nowhere.',
      'You still see what your numbers come to.',
    ],
    done: 'You are private now: nobody but you sees anything of you.',
  },
];
