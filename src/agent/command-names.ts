/** The commands, in the order of the overview: usage and one line of description. */
export const SUMMARIES = {
  enroll: ['enroll CODE', 'connect this device to your account on a board'],
  status: ['status', 'show your rank, and what is not submitted yet'],
  scan: ['scan', "count the tokens in your assistants' logs"],
  report: ['report', 'write a report about your tokens, as one HTML file'],
  submit: ['submit', 'sign and upload days that are new or have changed'],
  withdraw: ['withdraw ID', 'withdraw a submission, or undo that'],
  peers: ['peers', 'compare yourself with operators like you and above you'],
  improve: ['improve', 'find days that lowered your yield, and what to change'],
  board: ['board', 'show the top of a board'],
  record: ['record COUNTS', 'compute the metrics of token counts'],
  verify: ['verify FILE|URL', "check a board's public log and recompute its ranks"],
  statusline: ['statusline', "one line for your assistant's status bar"],
  doctor: ['doctor', 'check this installation, and show how to fix it'],
  auto: ['auto on|off', 'submit every 6 hours'],
  config: ['config', 'show or change settings, such as excluded tools'],
  mcp: ['mcp install', 'let your AI assistants use opbench (MCP server)'],
  completion: ['completion', 'print a script that completes commands in your shell'],
  update: ['update', "replace opbench with a board's version"],
  logout: ['logout', "revoke this device's key and erase it"],
} as const;

export type CommandName = keyof typeof SUMMARIES;
export const COMMAND_NAMES = Object.keys(SUMMARIES) as CommandName[];

/** A pattern for the word after `opbench` in texts that show a command to type. */
export const COMMAND_WORDS = `(?:${COMMAND_NAMES.join('|')}|--help|--version)(?![\\w-])`;
