/** The flags for excluded tools and folders. */
import { resolve } from 'node:path';
import { readers } from '#core/readers/readers.ts';
import type { Place } from './device.ts';
import { refuseUnknownTools } from './logs/excluded.ts';
import { isInHome, valuesIn, variableOf } from './config.ts';

function toolsIn(text: string, option: string): string {
  refuseUnknownTools(`--${option}`, valuesIn('exclude-tools', text));
  return text;
}

/** Both take a list that is separated by commas. An empty one excludes nothing. */
export const EXCLUDE_OPTIONS = {
  'exclude-tools': Object.assign(toolsIn, { known: readers.map(({ tool }) => tool) }),
  'exclude-folders'(text: string): string {
    const folders = valuesIn('exclude-folders', text);
    return folders.map((path) => (isInHome(path) ? path : resolve(path))).join(',');
  },
} as const;

export const EXCLUDE_HELP = `  --exclude-tools LIST    do not count these tools, for example codex,opencode
  --exclude-folders LIST  do not count logs in these folders
`;

/** The place with the flags, which take precedence over variables and the config file. */
export function withExclusions<At extends Place>(
  place: At,
  values: Readonly<Partial<Record<keyof typeof EXCLUDE_OPTIONS, string | undefined>>>,
): At {
  const given = (['exclude-tools', 'exclude-folders'] as const).flatMap((key) => {
    return values[key] === undefined ? [] : [[variableOf(key), values[key]] as const];
  });
  return { ...place, environment: { ...place.environment, ...Object.fromEntries(given) } };
}
