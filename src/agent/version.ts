declare const OPBENCH_VERSION: string | undefined;

/** Written in when the command is built. */
export const VERSION = typeof OPBENCH_VERSION === 'undefined' ? '0.0.0' : OPBENCH_VERSION;

/** How this command names itself in what it signs. */
export const COLLECTOR = { name: 'opbench', version: VERSION };

declare const OPBENCH_BOARD: string | undefined;

/** The board that this copy of the command came from; null if it came from none. */
export const HOME_BOARD =
  typeof OPBENCH_BOARD === 'string' && URL.canParse(OPBENCH_BOARD) ? OPBENCH_BOARD : null;
