/**
 * Kilo Code: the extension until March 2026, which keeps tasks as Roo Code does. Newer versions keep messages as OpenCode
 * does, and count as Kilo. They copy tasks without token counts.
 *
 * Kilo-Org/kilocode: `packages/kilo-vscode/src/legacy-migration/sessions/lib/messages.ts` at 9c94f69. The ID of the
 * extension: junhoyeo/tokscale `crates/tokscale-core/src/clients.rs`.
 *
 * @module
 */
import { rooReader } from './roo-code.ts';

/** Reader of the tasks of Kilo's older extension. */
export const kiloCode = rooReader({
  tool: 'kilo-code',
  name: 'Kilo Code',
  extensions: ['kilocode.kilo-code'],
  folder: [],
  mapping: {
    logs: '`kilocode.kilo-code` in the storage of VS Code and its relatives: the extension until March 2026. Newer versions count as Kilo',
    missing: 'Summaries of the conversation, of which only the cost is stored. Deleted tasks.',
  },
});
