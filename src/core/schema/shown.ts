/**
 * Maximum lengths of lists in responses. What is left out is counted, summed or on a further page. Contains no
 * schemas, so that programs load quickly.
 *
 * @module
 */

/** Models of an operator; all others are summed. */
export const SHOWN_MODELS = 50;

/** Tools of an operator in a row of a board or a list of peers. */
export const SHOWN_TOOLS = 10;

/** Keys of an operator's devices, and devices. */
export const SHOWN_KEYS = 500;
export const SHOWN_DEVICES = 200;

/** Devices that one device replaced. */
export const SHOWN_REPLACED = 10;

/** Devices that a new device can replace, and pairs of day and tool listed for each. */
export const KNOWN_DEVICES = 20;
export const KNOWN_DAYS = 60;

/** Findings of checks about a submission, and days of one finding. */
export const SHOWN_CHECKS = 10;
export const SHOWN_DAYS = 366;
