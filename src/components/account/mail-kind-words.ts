import type { MailKind } from '#core/schema/member-mail.ts';

interface MailKindWords {
  kind: MailKind;
  label: string;
  /** When such an email is sent. */
  about: string;
}

export const MAIL_KIND_WORDS: readonly MailKindWords[] = [
  {
    kind: 'weekly',
    label: 'Weekly summary',
    about: 'Your ranks and metrics with their intervals, on Mondays (UTC).',
  },
  {
    kind: 'overtaken',
    label: 'Overtaken',
    about: 'When your rank by yield over 30 days fell since yesterday. At most once a day.',
  },
  {
    kind: 'record',
    label: 'New record',
    about: 'When you or another operator sets a record. At most once a day.',
  },
  {
    kind: 'challenge',
    label: 'Challenges',
    about: 'When a challenge starts, and when its standings are final, with your own place.',
  },
  {
    kind: 'silent',
    label: 'Silent device',
    about: 'When one of your devices has not submitted for some days.',
  },
];
