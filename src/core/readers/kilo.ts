/**
 * Kilo: its CLI, and since 2026 its extension, keep messages as OpenCode does. Databases of other release channels have the
 * channel in their name. Tasks of the older extension are copied without token counts.
 *
 * Kilo-Org/kilocode: `packages/core/src/database/database.ts` (path and `KILO_DB`, 2026-08),
 * `packages/kilo-vscode/src/legacy-migration/sessions/lib/messages.ts` at 9c94f69. `KILO_DATA_DIR` is used by programs that
 * read its logs.
 *
 * @module
 */
import { openCodePlaces, openCodeReader } from './opencode.ts';
import { dataFolder, listed, under } from './shared/places.ts';

/** Reader of Kilo's databases and message files. */
export const kilo = openCodeReader({
  tool: 'kilo',
  name: 'Kilo',
  variables: ['KILO_DATA_DIR', 'KILO_DB', 'XDG_DATA_HOME'],
  places(at) {
    const folders = listed(at, 'KILO_DATA_DIR', under(dataFolder(at), 'kilo'));
    return openCodePlaces(folders, ['kilo', 'opencode'], at.env.KILO_DB);
  },
  mapping: { logs: '`~/.local/share/kilo`' },
});
