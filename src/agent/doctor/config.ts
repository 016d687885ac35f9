import { existsSync } from 'node:fs';
import { CONFIG_KEYS, configPath, configured } from '../config.ts';
import type { LocalDevice } from '../device.ts';
import type { ConfigReport } from '../device-reports.ts';
import { type FindingReport, warning } from '../finding.ts';
import { excludedFolders, excludedTools } from '../logs/excluded.ts';
import type { Environment } from '../settings.ts';

/** @throws {Failure} `usage` if a setting is wrong. */
export function configReport(environment: Environment): ConfigReport {
  excludedTools(environment);
  const path = configPath(environment);
  const settings = CONFIG_KEYS.map((key) => {
    const { values, source } = configured(environment, key);
    return { key, values: [...values], source };
  });
  return { path, exists: existsSync(path), settings };
}

export function configFindings({ environment, keystore }: LocalDevice): FindingReport[] {
  const missing = excludedFolders(environment).filter((folder) => !existsSync(folder));
  const [board] = configured(environment, 'board').values;
  const isKnown = board === undefined || keystore.identity(board) !== null;
  return [
    ...missing.map((folder) => {
      return warning(`The excluded folder ${folder} does not exist`, 'Check: opbench config');
    }),
    ...(isKnown
      ? []
      : [warning(`This device is not enrolled on the default board ${board}`, CHANGE_BOARD)]),
  ];
}

const CHANGE_BOARD = 'To change it: opbench config set board URL';
