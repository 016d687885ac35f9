import { plain } from '#core/domain/text/terminal-text.ts';
import { variableOf } from '../config.ts';
import type { ConfigReport } from '../device-reports.ts';

/** The settings, one on each line, with their origins. Values are not wrapped, so that they can be copied. */
export function configLines({ path, exists, settings }: ConfigReport): string[] {
  return [
    `  ${plain(path)}${exists ? '' : ' (does not exist)'}`,
    ...settings.map(({ key, values, source }) => {
      const origin = source === 'environment' ? ` (from ${variableOf(key)})` : '';
      const value = values.length > 0 ? plain(values.join(', ')) : 'none';
      return `    ${key.padEnd(15)}  ${value}${origin}`;
    }),
  ];
}
