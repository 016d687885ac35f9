/** What the words of `opbench` send, and what it keeps on a machine; a test holds the words against the command. */

/** What some words send. */
export interface SentByWords {
  words: readonly string[];
  sends: string;
}

export const SENT_BY_WORDS: readonly SentByWords[] = [
  { words: ['scan', 'record'], sends: 'Nothing.' },
  {
    words: ['enroll'],
    sends:
      'The code, to read which devices of yours the board knows. Then, in a second request, the fields listed above.',
  },
  {
    words: ['submit'],
    sends:
      'The days that the board does not have yet, as shown above. Before and after, it asks with a token where you stand.',
  },
  {
    words: ['withdraw'],
    sends:
      'A token, and the ID of the submission. Before that, it asks with a token which submissions are withdrawn.',
  },
  {
    words: ['status', 'peers', 'logout'],
    sends: 'A token for each request, and nothing else; logout once, to revoke the key.',
  },
  {
    words: ['improve'],
    sends:
      'Nothing, unless you say --board: then it asks for medians, by the names of tools that you use, without saying who asks.',
  },
  {
    words: ['board', 'verify'],
    sends:
      'Nothing about you: they read what everybody may read, and look for your row and your receipts in it on your machine.',
  },
  {
    words: ['doctor'],
    sends:
      'It asks your boards for their clock and version and, with a token, whether they know the key; with --offline, nothing.',
  },
  {
    words: ['update'],
    sends: 'It asks a board which version it serves, and fetches that. Only when you type it.',
  },
  {
    words: ['auto'],
    sends:
      'After “auto on”, what submit sends, every six hours until “auto off”: the one thing that runs without you.',
  },
  {
    words: ['mcp'],
    sends:
      'By itself nothing. An assistant that you give it to can submit, scan, and ask for peers, improvements and the doctor: each sends what that word does, and improve may ask the board with a token, too.',
  },
];

/** What `opbench` keeps on a machine, and never sends but for what is told. */
export interface KeptOnDevice {
  what: string;
  parts: string;
  /** Where, and until when. */
  place: string;
}

const FOLDER = '~/.config/opbench';

export const KEPT_ON_DEVICE: readonly KeptOnDevice[] = [
  {
    what: 'Key',
    parts: 'One for each board, readable by you alone, and the number of the installation.',
    place: `In ${FOLDER}, until you log out; the number until you delete the folder.`,
  },
  {
    what: 'What was sent',
    parts: 'The sums that the board has, its receipts, and what it has not answered yet.',
    place: `In ${FOLDER}, until you delete it.`,
  },
  {
    what: 'What would be sent',
    parts: 'What an assistant was shown of a long history that it asked to see first.',
    place: `In ${FOLDER}, until the next time, or until you delete it.`,
  },
  {
    what: 'The command',
    parts: 'A copy of it, which enroll makes and update replaces.',
    place: `In ${FOLDER}, until you delete it.`,
  },
  {
    what: 'Index of the logs',
    parts:
      'Of each log file its path, size and times, the counts in it, and the ids of responses and sessions, so that it is not read again. Nothing that was said.',
    place: 'In ~/.cache/opbench; it can be deleted at any time.',
  },
  {
    what: 'Timer',
    parts:
      'A timer of yours or a line of your crontab, and a line about each of the last 500 runs.',
    place: `The timer until “auto off”; the lines in ${FOLDER}.`,
  },
  {
    what: 'Entry for assistants',
    parts:
      'In the settings of an assistant, where the command is; the settings before are kept beside.',
    place: 'Only after “mcp install”, until “mcp install --undo”.',
  },
];
