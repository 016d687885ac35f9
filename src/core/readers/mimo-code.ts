/**
 * MiMo Code keeps messages as OpenCode does. At its first start, it copies the sessions of Claude Code, Codex and OpenCode,
 * with their token counts, and lists the copied messages in tables of their own.
 *
 * XiaomiMiMo/MiMo-Code: `packages/opencode/src/storage/db.ts` (paths, at 456678b),
 * `packages/opencode/src/session/{claude,codex,opencode}-import.ts` at 86da53c and 806f00b, issue 494.
 *
 * @module
 */
import { openCodePlaces, openCodeReader } from './opencode.ts';
import { dataFolder, under } from './shared/places.ts';

/** Reader of MiMo Code's database. */
export const mimoCode = openCodeReader({
  tool: 'mimo-code',
  name: 'MiMo Code',
  imports: true,
  variables: ['MIMOCODE_DB', 'MIMOCODE_HOME', 'XDG_DATA_HOME'],
  places(at) {
    const { MIMOCODE_HOME, MIMOCODE_DB } = at.env;
    const folders = MIMOCODE_HOME
      ? under(MIMOCODE_HOME, 'data')
      : under(dataFolder(at), 'mimocode');
    return openCodePlaces(folders, ['mimocode'], MIMOCODE_DB);
  },
  mapping: {
    logs: '`~/.local/share/mimocode`',
    missing:
      'Sessions that MiMo Code copied from other assistants, which count there. Deleted sessions. Databases, if Node.js is older than 22.13. `opbench` reports this.',
  },
});
