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
      'Your codename, name, picture, place, links and bio are public.',
      'Your ranks, history, records, keys and signed submissions are public too.',
    ],
    done: 'You are now identified. Your profile is public.',
  },
  {
    mode: 'pseudonymous',
    label: 'Pseudonymous',
    shows: [
      'Your codename, ranks, history, records, keys and signed submissions are public.',
      'Your name, picture, place, links and bio stay hidden.',
    ],
    done: 'You are now pseudonymous. Your codename is public, your profile is hidden.',
  },
  {
    mode: 'anonymous',
    label: 'Anonymous',
    shows: [
      'You are ranked under a name that the board generates, a new one each time you become anonymous. You have no public page.',
      'Your codename, profile, history, records, keys and submissions stay hidden. People who know your numbers may still recognize them.',
    ],
    done: 'You are now anonymous. The board shows your numbers under a generated name.',
  },
  {
    mode: 'private',
    label: 'Private',
    shows: [
      'Only you can see your data. You are not ranked or counted anywhere.',
      'You still see your own metrics.',
    ],
    done: 'You are now private. Only you can see your data.',
  },
];

const METHODS: Readonly<Partial<Record<SignInMethod, string>>> = {
  github:
    '**GitHub**, if you choose it, learns that you sign in here. The board requests only public data, and stores a keyed hash of your GitHub ID and your user name.',
  twitter:
    '**X**, if you choose it, learns that you sign in here. The board asks for access to your profile and your posts, because X grants only both together. It reads your ID and user name once, and stores a keyed hash of the ID and your user name.',
  email_magic_link:
    '**Email**, if you choose it: the sign-in link passes through the mail servers on its way, and so does email that you turn on. The board stores a keyed hash of your address and a masked label.',
};

const PASSKEYS =
  'A passkey involves no other service. Your device or your password manager keeps the private key and may synchronize it. The board stores the public key, the ID of the credential, a signature counter and the name that you give it. It does not learn the model of your device.';

/**
 * Which other services learn of a sign-in, as Markdown.
 *
 * @param provider The host of the provider that signs people in; null if the board does it.
 */
export function signInText(methods: readonly SignInMethod[], provider: string | null): string {
  if (provider !== null) {
    return `You sign in at ${provider}, which identifies you to the board. The board stores a keyed hash of that identity.`;
  }
  const lines = methods.flatMap((method) => METHODS[method] ?? []).map((text) => `- ${text}`);
  const services =
    lines.length > 0
      ? `Other services are involved only if you choose them:\n\n${lines.join('\n')}`
      : 'Signing in here involves no other site and no mail server. The admin hands out sign-in links.';
  return methods.includes('passkey') ? `${services}\n\n${PASSKEYS}` : services;
}

/** What the host of the companion site learns; empty if no other host has one. */
export function companionText(host: string | null): string {
  return host === null
    ? ''
    : `The admin also set up the companion site at ${host}. If you connect it, it reads your peers from this board with a token that is valid only for that and lasts 15 minutes. Only the open page holds the token. It is not stored and not sent to that host. While you sign in here, the tab keeps three random values, and deletes them when you return. That host may log who opens its page.`;
}

/** What the page means by everyone on a board for members; empty if everyone can read the board. */
export function readersText(readers: 'members' | 'public'): string {
  return readers === 'public'
    ? ''
    : 'This board is for members: only people who sign in can read it, and programs that they or the admin gave access. “Public” and “everyone” mean these readers here. Reading needs the cookie of your session. The board still does not store which pages you read.';
}

/** How to reach the admin, as Markdown. */
export function contactText(address: string | null): string {
  return address === null
    ? 'If you have an account, [write to the admin](/settings/data#contact) in the settings.'
    : `Write to [${address}](mailto:${address}), or, if you have an account, [use the form](/settings/data#contact) in the settings.`;
}
