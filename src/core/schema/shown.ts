/**
 * How much answers show of what one account can make long. What is left out is counted, summed or on a further page.
 * No schemas, because programs that compute load this.
 *
 * @module
 */

/** Models of an operator; the others are one sum. */
export const SHOWN_MODELS = 50;

/** Tools of an operator on a row of a board and among peers. */
export const SHOWN_TOOLS = 10;

/** Keys of an operator's devices, and devices. */
export const SHOWN_KEYS = 500;
export const SHOWN_DEVICES = 200;

/** Devices that one device replaced. */
export const SHOWN_REPLACED = 10;

/** Devices that a new one may replace, and the days and tools of each. */
export const KNOWN_DEVICES = 20;
export const KNOWN_DAYS = 60;

/** What checks found about a submission, and the days of one finding. */
export const SHOWN_CHECKS = 10;
export const SHOWN_DAYS = 366;
