/** What a board keeps of people, by the tables that hold it; a test holds this against the store. */
export interface KeptData {
  what: string;
  /** Of which parts it consists. */
  parts: string;
  until: string;
  /** The tables of the database. */
  tables: readonly string[];
}

const ACCOUNT = 'until the account is deleted';

export const KEPT_DATA: readonly KeptData[] = [
  {
    what: 'Account',
    parts:
      'A codename, when it was made, how much of it is shown, and whether its data may be used.',
    until: ACCOUNT,
    tables: ['operators'],
  },
  {
    what: 'Profile',
    parts: 'Only what you enter: name, text, place, links, cohort, picture.',
    until: 'until you empty it, or the account is deleted',
    tables: ['avatars'],
  },
  {
    what: 'Ways of signing in',
    parts:
      'Of a mailbox or an account elsewhere a keyed hash, and a label for you: a user name, or an address like a•••@example.org. Never the address itself.',
    until: 'until you unlink them, or the account is deleted',
    tables: ['identities'],
  },
  {
    what: 'Sign-ins under way',
    parts: 'Hashes and random numbers that tie it to your browser, and the same label.',
    until: 'for 15 minutes at most',
    tables: ['sign_in_attempts', 'mail_links', 'login_links'],
  },
  {
    what: 'Sessions',
    parts:
      'The hash of the cookie, the kind of browser and system (“Firefox on Linux”), how you signed in, when, and the hour of the last visit. Where a provider elsewhere signs you in, its token, encrypted.',
    until: 'for 30 days without a visit, 90 days at most, or until you sign out',
    tables: ['sessions', 'upstream_tokens'],
  },
  {
    what: 'Devices',
    parts:
      'The label, the number of the installation, the public keys, when they were enrolled and revoked, and which device replaced another. Of enrolment codes and tokens only hashes and numbers.',
    until: `${ACCOUNT}; codes 10 minutes, numbers of tokens about a minute`,
    tables: ['devices', 'device_keys', 'enrollment_codes', 'device_token_ids'],
  },
  {
    what: 'Submissions',
    parts: 'The exact bytes that were sent, when they came, and the counts in them.',
    until: `${ACCOUNT}; then only hashes stay`,
    tables: ['log_entries', 'submissions', 'buckets'],
  },
  {
    what: 'What is computed of them',
    parts:
      'Ranks and values of the boards, also of earlier days, records, places in challenges, and what the checks found or remember of usual days.',
    until: ACCOUNT,
    tables: [
      'publications',
      'publication_parts',
      'daily_publications',
      'daily_standings',
      'signal_records',
      'challenge_places',
      'challenge_standings',
      'submission_checks',
      'checked_operators',
      'usual_days',
      'day_vectors',
    ],
  },
  {
    what: 'Events',
    parts: 'Your last 50 sign-ins and the last 50 other events of the account, for you to see.',
    until: ACCOUNT,
    tables: ['account_events'],
  },
  {
    what: 'Applications',
    parts:
      'The name and address of each that you let in, when it last came, and hashes of what it was given.',
    until: 'until you shut it out, for 90 days at most, or until the account is deleted',
    tables: ['applications', 'oidc_entities'],
  },
  {
    what: 'Messages and decisions',
    parts: 'What you write to the keeper, and what the keeper decides about you, with the reason.',
    until: ACCOUNT,
    tables: ['contact_messages', 'audit_log'],
  },
  {
    what: 'Names given up',
    parts: 'A former codename, which leads to you; of a deleted account only a keyed hash of it.',
    until: 'for 90 days',
    tables: ['former_codenames', 'reserved_codenames'],
  },
];
