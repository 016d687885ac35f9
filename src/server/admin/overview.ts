/** What `opbench-board --help` says. */

type Line = readonly [usage: string, summary: string];

/** All commands, by what a keeper is about. */
const GROUPS: readonly (readonly [title: string, lines: readonly Line[]])[] = [
  [
    'Run a board',
    [
      ['serve', 'the board itself'],
      ['doctor', 'what works, what does not, and what to do'],
      ['init DIR', 'the files that make a board your own'],
      ['satellite DIR', 'the companion site for another host'],
    ],
  ],
  [
    'Keep what it holds',
    [
      ['backup FILE', 'a whole board as one file, while it runs'],
      ['restore FILE', 'a board from a backup'],
      ['verify [FILE]', 'prove that a board or a backup is whole'],
      ['export [FILE]', 'the public log, or with --whole a whole board'],
      ['import FILE', 'a whole board into an empty data folder'],
    ],
  ],
  [
    'Look after people',
    [
      ['login-link CODENAME', 'a one-time sign-in URL; --new for a new operator'],
      ['messages', 'what operators wrote to you'],
      ['held', 'what waits for you to decide, and why'],
      ['submissions CODENAME', 'what an operator sent'],
      ['hold SUBMISSION', 'it does not count until you decide'],
      ['release SUBMISSION', 'it counts again'],
      ['reject SUBMISSION', 'it does not count'],
      ['hide CODENAME', 'shows an operator to nobody'],
      ['unhide CODENAME', 'shows the operator again'],
      ['challenge create|list|cancel', 'what operators compete in'],
      ['key issue|list|revoke', "keys of the API's readers"],
      ['audit', 'what keepers did'],
    ],
  ],
];

export function overview(): string {
  const groups = GROUPS.map(([title, lines]) => {
    const rows = lines.map(([usage, summary]) => `  ${usage.padEnd(29)} ${summary}\n`);
    return `${title}\n${rows.join('')}`;
  });
  return `opbench-board COMMAND: keep a board

${groups.join('\n')}
Where texts say "opbench-board", type what starts it here, such as "npm run -s board --".
"opbench-board COMMAND --help" shows a command's options, an example and its JSON.
Every command takes --json where it has a result. All but restore and import work
beside a running server.

Settings such as BASE_URL, PORT, DATA_DIR and BOARD_DIR are read from the
environment, as the server does: give a command the same ones. Beside a running
server HOST, PORT and BASE_URL may be missing: a note in DATA_DIR names them.

Exit codes: 0 done, 1 the arguments or the configuration cannot be used, 2 a disk
or the database cannot be read or written, 3 refused, or a problem was found,
4 a fault of opbench-board itself.
`;
}
