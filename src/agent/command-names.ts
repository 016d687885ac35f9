/** The words after `opbench`, how each is typed, and what it does, as the overview lists them. */
export const SUMMARIES = {
  enroll: ['enroll CODE', 'bind this device to your account on a board'],
  status: ['status', 'where you stand'],
  scan: ['scan', 'what the logs on this device add up to'],
  submit: ['submit', 'sign and send what the board does not have yet'],
  withdraw: ['withdraw ID [--undo]', 'withdraw a submission, or undo that'],
  peers: ['peers', 'whom you can be compared with, and learn from'],
  improve: ['improve', 'where you lose yield, by your own days'],
  board: ['board', 'the top of the board, and your row on it'],
  record: ['record COUNTS|--window', 'the Operator Record of counts, or of a window'],
  verify: ['verify FILE|URL', 'check a public log, and recompute its board'],
  doctor: ['doctor', 'what works here, what does not, and what to do'],
  auto: ['auto on|off|status', 'submit every 6 hours'],
  mcp: ['mcp [install|config]', 'the loop as tools for agents, over stdio'],
  update: ['update', 'take the newest opbench from a board'],
  logout: ['logout', "revoke this device's key and erase it"],
} as const;

export type CommandName = keyof typeof SUMMARIES;
export const COMMAND_NAMES = Object.keys(SUMMARIES) as CommandName[];

/** What follows `opbench` where a text means the command and not the program, as a pattern. */
export const COMMAND_WORDS = `(?:${COMMAND_NAMES.join('|')}|--help|--version)(?![\\w-])`;
