declare const OPBENCH_VERSION: string | undefined;

/** Written in when the program is built. */
export const VERSION = typeof OPBENCH_VERSION === 'undefined' ? '0.0.0' : OPBENCH_VERSION;
