/** The classes of the pages that the conversion goes by. */

/** What only narrow screens show, as a second line of a cell, where wide ones have a column for it. */
export const NARROW = ['moved', 'of-pair', 'of-trend', 'phone'] as const;

/** How sure the value before it is. */
export const INTERVAL = 'interval';
