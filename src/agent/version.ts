declare const OPBENCH_VERSION: string | undefined;

/** Written in when the command is built. */
export const VERSION = typeof OPBENCH_VERSION === 'undefined' ? '0.0.0' : OPBENCH_VERSION;

/** How this command names itself in what it signs. */
export const COLLECTOR = { name: 'opbench', version: VERSION };
