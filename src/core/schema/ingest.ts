import * as z from 'zod';

/** What a pasted text can be taken for. */
export const PastedFormat = z.enum(['ccusage', 'claude-code', 'codex', 'counts', 'records']);
export type PastedFormat = z.infer<typeof PastedFormat>;
