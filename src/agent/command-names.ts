/** The words after `opbench`, as the overview lists them. */
export const COMMAND_NAMES = [
  'enroll',
  'status',
  'scan',
  'submit',
  'withdraw',
  'peers',
  'improve',
  'board',
  'record',
  'verify',
  'doctor',
  'auto',
  'mcp',
  'update',
  'logout',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

/** What follows `opbench` where a text means the command and not the program, as a pattern. */
export const COMMAND_WORDS = `(?:${COMMAND_NAMES.join('|')}|--help|--version)(?![\\w-])`;
