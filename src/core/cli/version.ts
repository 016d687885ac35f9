declare const OPBENCH_VERSION: string | undefined;

/** The version of the program; written in when it is built. */
export const VERSION = typeof OPBENCH_VERSION === 'undefined' ? '0.0.0' : OPBENCH_VERSION;
