import type { SignInMethod } from '#core/schema/account.ts';
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

const METHODS: Readonly<Partial<Record<SignInMethod, string>>> = {
  github:
    'GitHub, if you choose it: it learns that you sign in here. The board asks it for nothing but what is public, and keeps a keyed hash of your number there and your user name.',
  twitter:
    'X, if you choose it: it learns that you sign in here. The board asks it to show your profile and, because X gives that only together, posts; it reads your number and user name once, and keeps a keyed hash of the one and the other.',
  email_magic_link:
    'Mail, if you choose it: the link passes the mail servers on its way. The board keeps a keyed hash of your address, and what the label shows of it.',
};

/**
 * Who learns of it when somebody signs in, as Markdown.
 *
 * @param provider Where people sign in instead; null where the board asks itself.
 */
export function signInText(methods: readonly SignInMethod[], provider: string | null): string {
  if (provider !== null) {
    return `You sign in at ${provider}, which learns of it and tells the board who you are there. The board keeps a keyed hash of that.`;
  }
  const told = methods.flatMap((method) => METHODS[method] ?? []).map((text) => `- ${text}`);
  return told.length > 0
    ? `Others take part only where you sign in:\n\n${told.join('\n')}`
    : 'No site and no mail server takes part in signing in here: the keeper gives out links.';
}

/** What the host of the companion site learns; nothing where there is none elsewhere. */
export function companionText(host: string | null): string {
  return host === null
    ? ''
    : `The keeper set the companion site up at ${host}, too. Once you let it in, it reads your peers here, with a token that serves for nothing else and lasts 15 minutes, and that the open page alone holds: nothing of it is stored, and its host is not told. While you are away to sign in, the tab keeps three random values, and forgets them when you are back. That host may keep logs of who opens the page.`;
}
